import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seededRandom } from '../../src/core/random.js';
import { cleanUp, end, finished, startSvc, temporaryDirectory } from '../cli/processes.js';
import { openService, snapshot } from './harness.js';

const SECTIONS = 150;

/** Linked sections; `word` makes another graph of the same size. */
function document(word: string): string {
  return Array.from(
    { length: SECTIONS },
    (_, i) =>
      `# Station ${i}\n\nStation ${i} is a ${word} on Ridge ${i % 7}. It relays to Station ${(i + 1) % SECTIONS}.`,
  ).join('\n\n');
}

type Snapshot = Awaited<ReturnType<typeof snapshot>>;

let first: string;
let checkpoint: string;
let before: Snapshot;
let restored: Snapshot;

/** A directory whose graph differs from its one checkpoint in every passage, and some. */
beforeAll(async () => {
  first = temporaryDirectory();
  const service = await openService({ SVC_DATA_DIR: first });
  const ingest = (text: string, name: string) =>
    service.post('/v1/ingest/text', { text, domain: 'ridge', format: 'markdown', name });
  await ingest(document('barometer'), 'stations');
  restored = await snapshot(service, 'ridge');
  checkpoint = await service.service.graph.checkpoint();
  await ingest(document('lighthouse'), 'stations');
  await ingest('# Harbour\n\nThe Harbour is near Station 3.', 'harbour');
  before = await snapshot(service, 'ridge');
  await service.close();
}, 120_000);
afterAll(cleanUp);

const environment = (directory: string) => ({ SVC_DATA_DIR: directory, SVC_EMBEDDING: 'static' });
const restore = (directory: string) => startSvc(['graph', 'restore', checkpoint, '--json'], environment(directory));

function copied(name: string): string {
  const directory = join(temporaryDirectory(), name);
  cpSync(first, directory, { recursive: true });
  return directory;
}

describe('a restore that is killed', () => {
  it('leaves the old graph or the new one, text index and vectors in line, at ten random points', async () => {
    const whole = copied('whole');
    const began = performance.now();
    expect(await finished(restore(whole))).toMatchObject({ code: 0, stderr: '' });
    const typical = performance.now() - began;
    const random = seededRandom('restore kill points');
    for (let i = 0; i < 10; i += 1) {
      const directory = copied(`killed-${i}`);
      const child = restore(directory);
      // The start of the program changes nothing: the points lie in the second half of the run.
      const wait = typical * (0.4 + 0.6 * random());
      await Promise.race([finished(child), new Promise((done) => setTimeout(done, wait))]);
      await end(child, 'SIGKILL');
      const service = await openService({ SVC_DATA_DIR: directory });
      const after = await snapshot(service, 'ridge');
      const found = after.nodes.some((node) => node.name === 'Harbour') ? 'old' : 'new';
      expect(after).toEqual(found === 'old' ? before : restored);
      const left = await service.service.store.db.selectFrom('outbox').selectAll().execute();
      expect(left).toEqual([]);
      await service.close();
    }
  }, 600_000);
});
