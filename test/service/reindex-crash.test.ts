import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { svc, svcJson } from '../cli/captured.js';
import type { EmbeddingServer } from '../embedding/embedding-server.js';
import { openService } from './harness.js';
import { post, type ServerProcess, startProcess } from './process.js';
import { otherModel, servedVectors, serveOtherModel } from './reindex.suite.js';

const PARTS = 1200;
const before = { ...process.env };
let directory: string;
let server: EmbeddingServer;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'reindex-crash-'));
  server = await serveOtherModel(30);
});
afterEach(async () => {
  process.env = before;
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

async function embedded({ url }: ServerProcess): Promise<number> {
  const status = (await (await fetch(`${url}/v1/status`)).json()) as { reindex?: { embedded: number } };
  return status.reindex?.embedded ?? 0;
}

it('svc reindex resumes after kill -9, forwarded to the service that runs, which serves all the while', async () => {
  const concepts = Array.from({ length: PARTS }, (_, i) => ({ name: `Part ${i}`, description: `Part number ${i}` }));
  const first = await openService({ SVC_DATA_DIR: directory });
  await first.post('/v1/ingest/structured', { domain: 'plant', source_id: 'all', concepts });
  await first.close();

  process.env = { ...before, SVC_DATA_DIR: directory, ...otherModel(server.url) };
  const killed = await startProcess(directory, otherModel(server.url));
  const broken = svc('reindex', '--json');
  while ((await embedded(killed)) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const question = { context: 'Part number 7', mode: 'vec', top_k: 5 };
  expect((await post(killed.url, '/v1/query', question))?.body.items).toHaveLength(5);
  await killed.kill();
  expect(JSON.parse((await broken).stderr.trim())).toMatchObject({ code: 'unavailable' });

  const again = await startProcess(directory, otherModel(server.url));
  expect((await post(again.url, '/v1/query', question))?.body.items).toHaveLength(5);
  await post(again.url, '/v1/ingest/structured', {
    domain: 'plant',
    source_id: 'one more',
    concepts: [{ name: 'Late part' }],
  });
  const done = await svcJson('reindex');
  expect(done).toMatchObject({ embedding_model: 'openai-other' });
  expect(done.nodes).toBeLessThan(PARTS);
  expect(await again.stop()).toBe(0);

  const after = await openService({ SVC_DATA_DIR: directory, ...otherModel(server.url) });
  expect((await after.get('/v1/status')).body).toMatchObject({ status: 'ok', embedding_model: 'openai-other' });
  expect(Object.keys(await servedVectors(after))).toHaveLength(PARTS + 1);
  await after.close();
});
