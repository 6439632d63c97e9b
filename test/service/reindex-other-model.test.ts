import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { svc } from '../cli/captured.js';
import { reachText } from './harness.js';
import { post, type ServerProcess, startProcess } from './process.js';

const before = { ...process.env };
let directory: string;
let server: ServerProcess;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'reindex-other-'));
  server = await startProcess(directory, { SVC_EMBEDDING: 'none' });
});
afterEach(async () => {
  process.env = { ...before };
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** `svc reindex` as typed with this model in its environment. */
const reindex = (embedding: string) => {
  process.env = { ...before, SVC_DATA_DIR: directory, SVC_EMBEDDING: embedding };
  return svc('reindex', '--json');
};
const modelOf = async () => (await (await fetch(`${server.url}/v1/status`)).json()) as { embedding_model: string };

it("svc reindex with a model that is not the running service's is refused, and says what to do", async () => {
  await post(server.url, '/v1/ingest/text', reachText('tower'));
  const refused = await reindex('static');
  expect([refused.code, JSON.parse(refused.stderr)]).toMatchObject([
    1,
    { code: 'conflict', error: expect.stringMatching(/model none, not for static\. Restart it with that setting/) },
  ]);
  expect((await modelOf()).embedding_model).toBe('none');
  // The service's own model, named the same way, is made again.
  expect((await reindex('none')).code).toBe(0);
});
