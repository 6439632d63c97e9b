import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cleanUp, temporaryDirectory } from '../cli/processes.js';
import { waitFor } from '../support/wait-for.js';
import { openService, snapshot } from './harness.js';
import { post, type ServerProcess, startProcess } from './process.js';
import { stations } from './stations.js';

const large = stations(7, 2100);
const small = { text: 'The Harbour is near Station 7-3.', domain: 'ridge', name: 'harbour' };

type Snapshot = Awaited<ReturnType<typeof snapshot>>;
interface Document {
  readonly source_id: string;
  readonly label: string;
  readonly passages: number;
}

/** A directory with the small document alone, one with both, and what they hold. */
let alone: { directory: string; state: Snapshot };
let both: { directory: string; state: Snapshot; document: Document };

const servers: ServerProcess[] = [];
beforeAll(async () => {
  alone = { directory: temporaryDirectory(), state: {} as Snapshot };
  const first = await openService({ SVC_DATA_DIR: alone.directory });
  await first.post('/v1/ingest/text', small);
  alone.state = await snapshot(first, 'ridge');
  await first.close();
  const directory = copied(alone.directory);
  const second = await openService({ SVC_DATA_DIR: directory });
  expect(await second.post('/v1/ingest/text', large)).toMatchObject({ status: 200 });
  const { body } = await second.get('/v1/documents');
  const document = body.documents.find(({ label }: Document) => label === large.name);
  both = { directory, state: await snapshot(second, 'ridge'), document };
  await second.close();
}, 300_000);
afterAll(async () => {
  for (const server of servers) await server.kill();
  await cleanUp();
});

function copied(from: string): string {
  const directory = join(temporaryDirectory(), 'data');
  cpSync(from, directory, { recursive: true });
  return directory;
}

/** Starts `svc serve` on a directory, sends a request, and kills the process once the large document is in that state. */
async function killedWhen(
  directory: string,
  request: (url: string) => Promise<unknown>,
  isThere: (passages: number) => boolean,
): Promise<void> {
  const server = await startProcess(directory);
  servers.push(server);
  const answer = request(server.url).catch(() => null);
  await waitFor(
    async () => {
      const response = await fetch(`${server.url}/v1/documents`);
      const { documents } = (await response.json()) as { documents: Document[] };
      const found = documents.find(({ label }) => label === large.name);
      expect(isThere(found?.passages ?? 0)).toBe(true);
    },
    { timeout: 120_000, interval: 3 },
  );
  await server.kill();
  await answer;
}

/** Opens the directory as the next start does; returns what it holds, of which nothing may be half done. */
async function stateAfter(directory: string): Promise<Snapshot> {
  const service = await openService({ SVC_DATA_DIR: directory });
  try {
    const { db } = service.service.store;
    expect(await db.selectFrom('pending_load').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('pending_piece').selectAll().execute()).toEqual([]);
    return await snapshot(service, 'ridge');
  } finally {
    await service.close();
  }
}

/** Shares of the document at which the process dies. */
const POINTS = [0.9, 0.5, 0.1];

describe('a large document whose process is killed with -9', () => {
  it.each(POINTS)(
    'while it is forgotten, with %p of it left, is gone after the next start',
    async (share) => {
      const directory = copied(both.directory);
      const forget = (url: string) => fetch(`${url}/v1/documents/${both.document.source_id}`, { method: 'DELETE' });
      await killedWhen(directory, forget, (passages) => passages <= share * both.document.passages);
      expect(await stateAfter(directory)).toEqual(alone.state);
    },
    200_000,
  );

  it.each(POINTS)(
    'while it is written, after %p of it, is whole after the next start',
    async (share) => {
      const directory = copied(alone.directory);
      const load = (url: string) => post(url, '/v1/ingest/text', large);
      await killedWhen(directory, load, (passages) => passages >= share * both.document.passages);
      expect(await stateAfter(directory)).toEqual(both.state);
    },
    200_000,
  );

  it('as soon as it was sent, is whole or not there', async () => {
    const directory = copied(alone.directory);
    await killedWhen(
      directory,
      (url) => post(url, '/v1/ingest/text', large),
      () => true,
    );
    expect([alone.state, both.state]).toContainEqual(await stateAfter(directory));
  }, 200_000);
});
