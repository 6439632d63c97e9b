import { expect, it } from '@jest/globals';
import { toolWorld } from './tool-world.js';

const tested = toolWorld();

it('a tool that names one `domain` in the place of `domains` is answered from that one alone', async () => {
  for (const domain of ['ana', 'ben']) {
    await tested.client.call('svc_ingest_text', { domain, name: 'cat', text: `The cat of ${domain} is called Miso.` });
  }
  const asked = async (tool: string, input: object) => {
    const answer = await tested.client.call(tool, { context: 'What is the cat called?', ...input });
    return [...new Set(JSON.stringify(answer.structuredContent).match(/"domain":"(ana|ben)"/g))].sort();
  };
  for (const tool of ['svc_query', 'svc_compare']) {
    expect(await asked(tool, {})).toEqual(['"domain":"ana"', '"domain":"ben"']);
    expect(await asked(tool, { domain: 'ana' })).toEqual(['"domain":"ana"']);
    expect(await asked(tool, { domain: 'ana', domains: ['ben'] })).toEqual(['"domain":"ben"']);
  }
});

it('a misspelt parameter is ignored, and the answer says so', async () => {
  const answer = await tested.client.call('svc_query', {
    context: 'cat',
    domians: ['ana'],
    mood: 'auto',
    colour: 'red',
  });
  expect(answer.structuredContent).toMatchObject({
    warnings: [
      'domians is no member and was ignored; did you mean domains?',
      'mood is no member and was ignored; did you mean mode?',
    ],
  });
});
