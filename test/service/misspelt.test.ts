import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openService, type TestService } from './harness.js';

let test: TestService;
beforeAll(async () => {
  test = await openService();
  for (const domain of ['kitchen', 'kitchens', 'garden']) {
    const concepts = [{ name: 'Kettle', description: 'Boils water.' }];
    await test.post('/v1/ingest/structured', { domain, concepts, rules: [{ text: 'Never leave the Kettle alone.' }] });
  }
});
afterAll(() => test.close());

const error = async (path: string, body: object) => (await test.post(path, body)).body.error as string;

it('a domain that does not exist is told with the names near it', async () => {
  const near = 'The domain "kichen" does not exist; did you mean "kitchen" or "kitchens"? Else list the domains';
  for (const path of ['/v1/query', '/v1/compare', '/v1/rules'])
    expect(await error(path, { context: 'kettle', domains: ['garden', 'kichen'] })).toContain(near);
  expect(await error('/v1/query', { context: 'kettle', domain: 'Garden' })).toContain('did you mean "garden"?');
  expect(await error('/v1/query', { context: 'kettle', domains: ['cellar'] })).toBe(
    'The domain "cellar" does not exist; list the domains to see their names, or ingest into it first.',
  );
});

it('a misspelt member is ignored, and the answer says so', async () => {
  const asked = async (more: object) => (await test.post('/v1/query', { context: 'kettle', ...more })).body;
  expect((await asked({ domians: ['garden'] })).warnings).toEqual([
    'domians is no member and was ignored; did you mean domains?',
  ]);
  expect((await asked({ topK: 1 })).warnings).toEqual(['topK is no member and was ignored; did you mean top_k?']);
  for (const fine of [{}, { colour: 'red' }, { domain: 'garden' }, { domains: ['garden'], domain: 'garden' }])
    expect(await asked(fine)).not.toHaveProperty('warnings');
  expect((await test.post('/v1/rules', { domians: ['garden'] })).body.warnings).toHaveLength(1);
  expect((await test.post('/v1/compare?domians=garden', { context: 'kettle' })).body.warnings).toHaveLength(1);
  expect((await test.get('/v1/documents?domian=garden')).body.warnings).toHaveLength(1);
  expect((await test.get('/v1/documents?domain=garden')).body).not.toHaveProperty('warnings');
});

it('rules of a concept that does not exist are none, and the answer says so', async () => {
  const rules = async (body: object) => (await test.post('/v1/rules', body)).body;
  const { items } = (await test.post('/v1/query', { context: 'kettle', domains: ['garden'] })).body;
  const id = items[0].id as string;
  expect(await rules({ concept_ids: [id] })).toMatchObject({ total: 1 });
  expect(await rules({ concept_ids: [id] })).not.toHaveProperty('warnings');
  expect(await rules({ concept_ids: [id, 'garden:none'] })).toMatchObject({
    total: 1,
    warnings: ['There is no node garden:none: concept_ids takes ids as a query returns them.'],
  });
  // Of a node in another domain than those that are asked for nothing is told.
  expect((await rules({ concept_ids: [id], domains: ['kitchen'] })).warnings).toHaveLength(1);
});
