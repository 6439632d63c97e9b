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
    /^Row 0 is no trace: traceId and model are missing\. Send \{traceId, .*usage-exports\.ts/,
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

const DAY = 86_400_000;
const LITELLM = { id: 'l1', call_type: 'completion', model: 'gpt-4o', prompt_tokens: 5, completion_tokens: 5 };

it.each([
  ['carbon trace', { ...TRACE, timestamp: NOON + DAY + 1 }, 'timestamp', '2026-06-16T12:00:00.001Z'],
  ['run', { traceId: 't', timestamp: Date.UTC(2099, 0), usage: { input: 1 } }, 'timestamp', '2099-01-01T00:00:00.000Z'],
  ['payload', { ...LITELLM, startTime: Date.UTC(2099, 0) / 1000 }, 'startTime', '2099-01-01T00:00:00.000Z'],
  ['payload with a date', { ...LITELLM, endTime: '2099-01-01' }, 'endTime', '2099-01-01T00:00:00.000Z'],
])('refuses a %s dated more than a day ahead, which no report of today holds', async (_kind, row, member, read) => {
  const world = await open({ settings });
  const answer = await world.green('/ingest', post(row));
  expect([answer.status, answer.body.error]).toEqual([
    400,
    `Row 0: ${member} must be at most a day ahead of this service's clock, 2026-06-15T12:00:00.000Z; it says ${read}, so send when the call was made.`,
  ]);
  expect((await world.green('/summary')).body.traceCount).toBe(0);
});

it('takes a call of a clock that is a day ahead', async () => {
  const world = await open({ settings });
  expect((await world.green('/ingest', post({ ...TRACE, timestamp: NOON + DAY }))).status).toBe(200);
});

it('refuses a time in microseconds and says what to send', async () => {
  const world = await open({ settings });
  const answer = await world.green('/ingest', post({ ...TRACE, timestamp: NOON * 1000 + 7 }));
  expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(`so send ${NOON}.`)]);
});

it.each([
  ['span', '/v1/traces', 'The start of a span', (at: string) => ({ startTimeUnixNano: at, endTimeUnixNano: at })],
  ['event', '/v1/logs', 'The time of an event', (at: string) => ({ timeUnixNano: at })],
])('rejects a %s dated more than a day ahead and says why', async (kind, path, subject, times) => {
  const world = await open({ settings });
  const attributes = [
    { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
    { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
    { key: 'model', value: { stringValue: 'gpt-4o' } },
    { key: 'gen_ai.usage.output_tokens', value: { intValue: 5 } },
  ];
  const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', name: 'x' };
  const one = { ...ids, eventName: 'claude_code.api_request', attributes, ...times(`${Date.UTC(2099, 0)}000000`) };
  const body =
    kind === 'span'
      ? { resourceSpans: [{ scopeSpans: [{ spans: [one] }] }] }
      : { resourceLogs: [{ scopeLogs: [{ logRecords: [one] }] }] };
  const answer = await world.call(path, post(body));
  expect([answer.status, Object.values(answer.body.partialSuccess)]).toEqual([
    200,
    [1, expect.stringMatching(`^${subject} must be at most a day ahead .* it says 2099-01-01T00:00:00.000Z`)],
  ]);
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
