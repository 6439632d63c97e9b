import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, jest } from '@jest/globals';
import { svc } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

// A file of its own: the runtime must not have been loaded before in this process.
it('svc ingest says that the static model stands in where the ONNX runtime is absent, unless it was asked for', async () => {
  jest.doMock('onnxruntime-node', () => {
    throw new Error("Cannot find module 'onnxruntime-node'");
  });
  const documents = temporaryDirectory();
  writeFileSync(join(documents, 'tea.txt'), 'Green tea comes from Japan.');
  const ingest = (embedding: string, ...more: string[]) => {
    process.env.SVC_DATA_DIR = temporaryDirectory();
    process.env.SVC_EMBEDDING = embedding;
    return svc('ingest', documents, '--domain', 'notes', ...more);
  };
  const replaced = await ingest('minilm');
  expect([replaced.code, replaced.stderr]).toEqual([0, expect.stringContaining('onnxruntime-node does not load here')]);
  expect(replaced.stderr).toContain('svc reindex');
  expect((await ingest('static')).stderr).toBe('');
  expect((await ingest('minilm', '--json')).stderr).toBe('');
});
