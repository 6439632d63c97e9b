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

it('the answers that a misspelt member would change without a word say that it was ignored', async () => {
  const told = async (tool: string, input: Parameters<typeof tested.client.call>[1]) =>
    (await tested.client.call(tool, input)).structuredContent?.warnings;
  expect(await told('svc_compare', { context: 'cat', domians: ['ana'] })).toEqual([
    'domians is no member and was ignored; did you mean domains?',
  ]);
  expect(await told('svc_compare', { context: 'cat', domains: ['ana'], colour: 'red' })).toBeUndefined();
  await tested.client.call('svc_vector_create_index', { index_name: 'cats', dimension: 2 });
  expect(await told('svc_vector_query', { index_name: 'cats', query_vector: [1, 0], fliter: { is: 'cat' } })).toEqual([
    'fliter is no member and was ignored; did you mean filter?',
  ]);
});

it('a member that other surfaces take and a tool does not is ignored, and the answer says so', async () => {
  const answer = await tested.client.call('svc_ingest_structured', {
    domain: 'ana',
    concepts: [{ name: 'Miso', description: 'A cat.' }],
    source_id: 'cats',
  });
  expect(answer.structuredContent).toMatchObject({
    warnings: ['source_id is no parameter of this tool and was ignored.'],
  });
});
