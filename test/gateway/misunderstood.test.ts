import { expect, it } from '@jest/globals';
import { settings, TRACE } from './green-inputs.js';
import { NOON, post, worldsOfEachTest } from './world.js';

const open = worldsOfEachTest();

it.each([
  ['carbon trace', TRACE],
  ['run', { traceId: 't', usage: { input: 1, output: 1 } }],
])('refuses a time in seconds of a %s, which would count in 1970, and says what to send', async (_kind, row) => {
  const world = await open({ settings });
  const seconds = NOON / 1000;
  const answer = await world.green('/ingest', post({ ...row, timestamp: seconds }));
  expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(`so send ${seconds}000`)]);
  expect((await world.green('/ingest', post({ ...row, timestamp: NOON }))).status).toBe(200);
});

it('tells who sends the usage export of a provider what a row is', async () => {
  const world = await open({ settings });
  const page = { object: 'page', data: [{ object: 'bucket', results: [{ input_tokens: 5, model: 'gpt-4o' }] }] };
  const answer = await world.green('/ingest', post(page));
  expect(answer.status).toBe(400);
  expect(answer.body.error).toMatch(
    /^Row 1 is no trace: traceId and model are missing\. Send \{traceId, .*usage-exports\.ts/,
  );
});

it('says in the derivation of a factor that a region is not known', async () => {
  const world = await open();
  const grid = async (query: string) =>
    (await world.green(`/factors/explain?model=gpt-4o${query}`)).body.steps.at(-1) as string;
  expect(await grid('&region=mars-1')).toContain('(default: region mars-1 is not in config/green-grid.yaml)');
  expect(await grid('')).toContain('(default)');
  expect(await grid('&region=eu-west-1')).toContain('(eu-west-1)');
});

it('compares provider and model of a question for calls without case', async () => {
  const world = await open({ settings });
  const rows = ['openai', 'OpenAI', 'mistral_ai'].map((provider, i) => ({
    ...TRACE,
    traceId: `t${i}`,
    provider,
    model: provider === 'mistral_ai' ? 'mistral-large' : 'gpt-4o',
  }));
  await world.green('/ingest', post(rows));
  const total = async (query: string) => (await world.green(`/traces?${query}`)).body.total as number;
  expect(await total('provider=OpenAI')).toBe(2);
  expect(await total('provider=OPENAI&model=GPT-4o')).toBe(2);
  expect(await total('model=Mistral-Large')).toBe(1);
  expect(await total('provider=open')).toBe(0);
});
