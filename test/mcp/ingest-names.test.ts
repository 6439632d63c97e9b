import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { httpV1, type ToolClient } from './connections.js';
import { startWorld, type World } from './world.js';

let world: World;
let client: ToolClient;
beforeAll(async () => {
  world = await startWorld({ SVC_TOOLS: 'all' });
  client = await httpV1(`${world.a}/mcp`);
});
afterAll(async () => {
  await client?.close();
  await world?.close();
});

it('replaces a text by its name, keeps texts named raw_text side by side, and says both', async () => {
  const texts = [
    ['The kettle boils at noon.', 'notes'],
    ['The kettle boils at dusk.', 'notes'],
    ['The teapot is blue.', 'raw_text'],
    ['The teapot is green.', 'raw_text'],
  ];
  for (const [text, name] of texts)
    expect((await client.call('svc_ingest_text', { text, domain: 'tea', name })).isError).toBeFalsy();
  const { documents } = (await client.call('svc_documents', { domain: 'tea' })).structuredContent as {
    documents: Array<{ label: string }>;
  };
  expect(documents.map(({ label }) => label).sort()).toEqual(['notes', 'raw_text', 'raw_text']);

  const { inputSchema } = (await client.list()).find(({ name }) => name === 'svc_ingest_text')!;
  const { name } = inputSchema.properties as Record<string, { description: string }>;
  expect(name!.description).toContain('a later text of that name in the domain replaces it');
  expect(name!.description).toContain('raw_text is no name: such texts stand side by side');
});
