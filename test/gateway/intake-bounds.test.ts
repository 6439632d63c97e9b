import { expect, it } from '@jest/globals';
import { addRollups } from '../../src/backends/store/gateway/green-rollups.js';
import { addGreenTraces } from '../../src/backends/store/gateway/green-traces.js';
import { settings, TRACE } from './green-inputs.js';
import { RUN } from './learning-runs.js';
import { type GatewayWorld, NOON, post, worldsOfEachTest } from './world.js';

const open = worldsOfEachTest();
const LATEST = 8_640_000_000_000_000;

const LITELLM = { id: 'l1', call_type: 'completion', model: 'gpt-4o', prompt_tokens: 5, completion_tokens: 5 };
const SPAN = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o', 'gen_ai.usage.output_tokens': 1 };

type Values = Record<string, string | number>;

function attributesOf(values: Values) {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
  }));
}

function spanOf(values: Values, more: object = {}) {
  const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
  const times = { startTimeUnixNano: `${NOON}000000`, endTimeUnixNano: `${NOON}000000` };
  const span = { ...ids, name: 'x', ...times, attributes: attributesOf(values), ...more };
  return { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] };
}

function logOf(values: Values, more: object = { timeUnixNano: `${NOON}000000` }) {
  const record = { eventName: 'claude_code.api_request', attributes: attributesOf({ model: 'gpt-4o', ...values }) };
  return { resourceLogs: [{ scopeLogs: [{ logRecords: [{ ...record, ...more }] }] }] };
}

/** Expects that nothing was recorded and that every report still answers. */
async function expectEmpty(world: GatewayWorld): Promise<void> {
  const summary = await world.green('/summary');
  expect([summary.status, summary.body.traceCount]).toEqual([200, 0]);
  expect((await world.learning('/traces')).body.total).toBe(0);
}

it.each([
  ['a time after the last of a date', { ...TRACE, timestamp: LATEST + 1 }, 'timestamp'],
  ['a time before 1970', { ...TRACE, timestamp: -1 }, 'timestamp'],
  ['a cost that adds up to infinity', { ...TRACE, costUsd: 1e307 }, 'costUsd'],
  ['more tokens than any call has', { ...TRACE, inputTokens: 1e15 }, 'inputTokens'],
  ['a run after the last of a date', { ...RUN, timestamp: LATEST + 1 }, 'timestamp'],
  ['a run that ends after the last of a date', { ...RUN, durationMs: 1e300 }, 'durationMs'],
  ['a run of too many tokens', { ...RUN, usage: { input: 1, output: 1, total: 1e15 } }, 'usage.total'],
  ['an arm of too many tokens', { ...RUN, arms: [{ armId: 'a', tokenCost: 1e300 }] }, 'arms'],
  ['a start in seconds that is none', { ...LITELLM, startTime: 1e14 }, 'startTime'],
  ['a start in 1900', { ...LITELLM, startTime: '1900-01-01' }, 'startTime'],
  ['an end in 1900', { ...LITELLM, startTime: 5, endTime: '1900-01-01' }, 'endTime'],
  ['a cost of a payload beyond the limit', { ...LITELLM, response_cost: 1e300 }, 'response_cost'],
  ['tokens of a payload beyond the limit', { ...LITELLM, prompt_tokens: 1e15 }, 'prompt_tokens'],
])('refuses rows with %s', async (_what, row, member) => {
  const world = await open();
  const answer = await world.green('/ingest', post(row));
  expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(`Row 1: ${member} `)]);
  await expectEmpty(world);
});

it('takes the first and the last moment of a date, and reports them', async () => {
  const world = await open();
  const rows = [0, LATEST].map((timestamp) => ({ ...TRACE, traceId: `t${timestamp}`, timestamp }));
  expect((await world.green('/ingest', post(rows))).status).toBe(200);
  expect((await world.green('/summary')).body).toMatchObject({
    traceCount: 2,
    minTimestamp: 0,
    maxTimestamp: LATEST,
    dateRange: { start: '1970-01-01', end: '+275760-09-13' },
  });
});

it.each([
  ['a span before 1970', '/v1/traces', spanOf(SPAN, { startTimeUnixNano: '-1000000000' })],
  ['a span of half a token', '/v1/traces', spanOf({ ...SPAN, 'gen_ai.usage.input_tokens': 5.5 })],
  ['a span of 1e300 tokens', '/v1/traces', spanOf({ ...SPAN, 'gen_ai.usage.input_tokens': 1e300 })],
  [
    'an unnamed span of half a token',
    '/v1/traces',
    spanOf({ 'gen_ai.request.model': 'gpt-4o', 'gen_ai.usage.input_tokens': 5.5 }),
  ],
  ['an event of 1900', '/v1/logs', logOf({ input_tokens: 5, 'event.timestamp': '1900-01-01' }, {})],
  ['an event of half a token', '/v1/logs', logOf({ input_tokens: 5.5 })],
  ['an event of an endless cost', '/v1/logs', logOf({ cost_usd: 1e307 })],
])('rejects %s and says why', async (_what, path, body) => {
  const world = await open();
  const answer = await world.call(path, post(body));
  expect([answer.status, Object.values(answer.body.partialSuccess)]).toEqual([200, [1, expect.any(String)]]);
  await expectEmpty(world);
});

it('reports in spite of traces that an earlier release took at times that no date can hold', async () => {
  const world = await open({ settings });
  await world.green('/ingest', post(TRACE));
  const { id: _id, ...stored } = await world.store.db.selectFrom('green_trace').selectAll().executeTakeFirstOrThrow();
  const times = [1e17, LATEST + 1, -2_208_988_800_000];
  await addGreenTraces(
    world.store.db,
    times.map((timestamp) => ({ ...stored, timestamp })),
  );
  const [rollup] = await world.store.db.selectFrom('green_rollup').selectAll().execute();
  await addRollups(
    world.store.db,
    times.map((ms) => ({ ...rollup!, day: Math.floor(ms / 86_400_000) })),
  );
  const { status, body } = await world.green('/summary');
  expect([status, body.minTimestamp, body.maxTimestamp]).toEqual([200, NOON, NOON]);
  expect(body.dateRange).toEqual({ start: '2026-06-15', end: '2026-06-15' });
  expect((await world.green('/targets')).status).toBe(200);
});

it.each(['ghg-protocol', 'cdp', 'tcfd', 'iso14064'])(
  'sends no %s report with a number that JSON cannot hold, as an earlier release stored it',
  async (format) => {
    const world = await open({ settings });
    await world.green('/ingest', post(TRACE));
    await world.store.db.updateTable('green_rollup').set({ totalCo2Grams: Number.POSITIVE_INFINITY }).execute();
    expect((await world.green(`/export/${format}`)).status).toBe(500);
  },
);
