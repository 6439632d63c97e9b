import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { httpV1, type ToolClient } from './connections.js';
import { startWorld, type World } from './world.js';

let world: World;
let client: ToolClient;
beforeAll(async () => {
  world = await startWorld();
  client = await httpV1(`${world.a}/mcp`);
});
afterAll(async () => {
  await client?.close();
  await world?.close();
});

it('a tool that names one `domain` in the place of `domains` is answered from that one alone', async () => {
  for (const domain of ['ana', 'ben']) {
    await client.call('svc_ingest_text', { domain, name: 'cat', text: `The cat of ${domain} is called Miso.` });
  }
  const asked = async (tool: string, input: object) => {
    const answer = await client.call(tool, { context: 'What is the cat called?', ...input });
    return [...new Set(JSON.stringify(answer.structuredContent).match(/"domain":"(ana|ben)"/g))].sort();
  };
  for (const tool of ['svc_query', 'svc_compare']) {
    expect(await asked(tool, {})).toEqual(['"domain":"ana"', '"domain":"ben"']);
    expect(await asked(tool, { domain: 'ana' })).toEqual(['"domain":"ana"']);
    expect(await asked(tool, { domain: 'ana', domains: ['ben'] })).toEqual(['"domain":"ben"']);
  }
});
