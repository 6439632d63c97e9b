import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openService, type TestService } from './harness.js';

let test: TestService;
beforeAll(async () => {
  test = await openService();
  for (const [domain, text] of [
    ['ana', 'Her cat is called Miso.'],
    ['ben', 'His cat is called Lynx.'],
  ]) {
    await test.post('/v1/ingest/text', { domain, text, name: 'cat' });
    await test.post('/v1/ingest/structured', { domain, concepts: [], rules: [{ text: 'Feed the cat at noon.' }] });
  }
});
afterAll(() => test.close());

const domainsOf = (found: Array<{ domain: string }>) => [...new Set(found.map(({ domain }) => domain))].sort();

it('a question that names one `domain`, as an ingest does, is answered from that one alone', async () => {
  const asked = async (more: object) => test.post('/v1/query', { context: 'What is the cat called?', ...more });
  expect(domainsOf((await asked({})).body.items)).toEqual(['ana', 'ben']);
  expect(domainsOf((await asked({ domain: 'ana' })).body.items)).toEqual(['ana']);
  expect(domainsOf((await asked({ domain: 'ana', domains: null })).body.items)).toEqual(['ana']);
  expect(domainsOf((await asked({ domain: 'ana', domains: [] })).body.items)).toEqual(['ana']);
  expect(domainsOf((await asked({ domain: 'ana', domains: ['ben'] })).body.items)).toEqual(['ben']);
  expect(domainsOf((await asked({ domain: null })).body.items)).toEqual(['ana', 'ben']);
  expect((await asked({ domain: 'cyd' })).body).toMatchObject({ code: 'domain_not_found' });
  for (const domain of [5, '', ['ana'], '\0'])
    expect((await asked({ domain })).body).toEqual({
      code: 'invalid_input',
      error: expect.stringMatching(/^domain must /u),
      details: { member: 'domain' },
    });
  expect(domainsOf((await test.post('/v1/rules', { domain: 'ben' })).body.rules)).toEqual(['ben']);
});
