import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openService, type TestService } from './harness.js';

let test: TestService;
beforeAll(async () => {
  test = await openService();
});
afterAll(() => test.close());

const ingest = async (name: string, text: string): Promise<string> =>
  (await test.post('/v1/ingest/text', { domain: 'pier', name, text, format: 'text' })).body.source_id;
const nodes = async () => (await test.service.graph.findNodes({ domain: 'pier' })).length;
const forget = async (source: string) => (await test.delete(`/v1/documents/${source}`)).body;

it('a document that is forgotten counts all nodes that went with it, names that it alone mentions too', async () => {
  const first = await ingest('ferry', 'The ferry to Kelling sails at noon. Mira Voss steers it past Gull Rock.');
  const second = await ingest(
    'tower',
    'Each evening the lamp is lit by Mira Voss. Beacon Server requires Granite Store.',
  );
  const before = await nodes();
  const { removed } = await forget(second);
  expect(removed).toBe(before - (await nodes()));
  expect(removed).toBeGreaterThan(2);
  const left = await nodes();
  expect(left).toBeGreaterThan(3);
  // The domain goes with its last source.
  expect(await forget(first)).toEqual({ status: 'forgotten', sources: 1, removed: left });
  const third = await ingest('ferry', 'The ferry to Kelling sails at noon. Mira Voss steers it past Gull Rock.');
  expect(third).toBe(first);
  expect((await test.delete('/v1/domains/pier')).body).toEqual({ status: 'forgotten', sources: 1, removed: left });
});
