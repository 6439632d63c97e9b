import { expect, it } from '@jest/globals';
import { toolWorld } from './tool-world.js';

const tested = toolWorld({ SVC_TOOLS: 'all' });

it('replaces a text by its name, keeps texts named raw_text side by side, and says both', async () => {
  const texts = [
    ['The kettle boils at noon.', 'notes'],
    ['The kettle boils at dusk.', 'notes'],
    ['The teapot is blue.', 'raw_text'],
    ['The teapot is green.', 'raw_text'],
  ];
  for (const [text, name] of texts)
    expect((await tested.client.call('svc_ingest_text', { text, domain: 'tea', name })).isError).toBeFalsy();
  const { documents } = (await tested.client.call('svc_documents', { domain: 'tea' })).structuredContent as {
    documents: Array<{ label: string }>;
  };
  expect(documents.map(({ label }) => label).sort()).toEqual(['notes', 'raw_text', 'raw_text']);

  const { inputSchema } = (await tested.client.list()).find(({ name }) => name === 'svc_ingest_text')!;
  const { name } = inputSchema.properties as Record<string, { description: string }>;
  expect(name!.description).toContain('a later text of that name in the domain replaces it');
  expect(name!.description).toContain('raw_text is no name: such texts stand side by side');
});
