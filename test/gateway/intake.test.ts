import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from '@jest/globals';
import { Intake } from '../../src/gateway/telemetry-intake/intake.js';
import { protobufOf, send, spansOf } from './otlp.js';
import { type GatewayWorld, gatewayWorld, NOON, post } from './world.js';

let world: GatewayWorld;
afterEach(() => world.close());

const chat = (attributes: Record<string, string | number> = {}) =>
  spansOf({
    name: 'chat',
    start: NOON,
    end: NOON + 1000,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.model': 'gpt-4o-2024-08-06',
      'gen_ai.usage.input_tokens': 1000,
      'gen_ai.usage.output_tokens': 100,
      'gen_ai.usage.cache_read.input_tokens': 400,
      'gen_ai.conversation.id': 'c1',
      'server.address': 'x.eu-north-1.example.com',
      'gen_ai.input.messages': 'my secret prompt',
      ...attributes,
    },
  });

const protobuf = (body: Uint8Array, more: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/x-protobuf', ...more },
  body: body as never,
});

/** A span of OTLP in JSON. */
function jsonSpan(attributes: Record<string, string | number | boolean>, more: Record<string, unknown> = {}) {
  const values = Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === 'number'
        ? { intValue: String(value) }
        : typeof value === 'boolean'
          ? { boolValue: value }
          : { stringValue: value },
  }));
  const span = {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    name: 'x',
    startTimeUnixNano: `${NOON}000000`,
    endTimeUnixNano: `${NOON + 1000}000000`,
    attributes: values,
    ...more,
  };
  return { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans: [span] }] }] };
}

it('takes protobuf from the official exporter: billable input, region of the host, no prompt', async () => {
  world = await gatewayWorld();
  await send(world.url, chat());
  const { body, text } = await world.green('/traces');
  expect(body.traces[0]).toMatchObject({
    provider: 'openai',
    model: 'gpt-4o-2024-08-06',
    inputTokens: 600,
    outputTokens: 100,
    cacheReadTokens: 400,
    sessionId: 'c1',
    region: 'eu-north-1',
    regionGridCarbon: 40.695,
    gridCarbonUsed: 40.695,
    timestamp: NOON,
  });
  expect(text).not.toContain('secret');
  expect((await world.learning('/traces')).body.traces[0]).toMatchObject({
    sessionId: 'c1',
    model: 'gpt-4o-2024-08-06',
    usage: { input: 600, output: 100, total: 1100 },
    durationMs: 1000,
    arms: [],
  });
});

it('answers in the content type of the request, and counts a record once in either encoding', async () => {
  world = await gatewayWorld();
  const body = protobufOf(chat());
  const first = await world.call('/otlp/v1/traces', protobuf(body));
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/x-protobuf']);
  await world.call('/v1/traces', protobuf(gzipSync(body), { 'Content-Encoding': 'gzip' }));
  const json = jsonSpan({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 5,
  });
  const answer = await world.call('/v1/traces', post(json));
  expect([answer.status, answer.body]).toEqual([200, { partialSuccess: {} }]);
  expect((await world.green('/intake')).body).toEqual({
    received: 3,
    accepted: 2,
    duplicates: 1,
    rejected: 0,
    fallback: 0,
    queued: 0,
  });
});

it('rejects single spans and says why', async () => {
  world = await gatewayWorld();
  const json = jsonSpan({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm',
    'gen_ai.usage.input_tokens': -5,
  });
  const { body } = await world.call('/v1/traces', post(json));
  expect(body.partialSuccess).toEqual({ rejectedSpans: 1, errorMessage: expect.stringContaining('Token counts') });
  expect((await world.green('/traces')).body.total).toBe(0);
});

it('never drops an unknown model', async () => {
  world = await gatewayWorld();
  await send(world.url, chat({ 'gen_ai.response.model': 'zorp-9', 'gen_ai.provider.name': 'zorp' }));
  expect((await world.green('/traces')).body.traces[0]).toMatchObject({
    model: 'zorp-9',
    factorId: '*/unknown',
    confidence: 0.15,
  });
  expect((await world.green('/intake')).body.fallback).toBe(1);
});

it.each([
  ['malformed protobuf', { 'Content-Type': 'application/x-protobuf' }, Buffer.from('this is no message'), 400],
  ['malformed JSON', { 'Content-Type': 'application/json' }, Buffer.from('{'), 400],
  ['JSON of another shape', { 'Content-Type': 'application/json' }, Buffer.from('{"resourceSpans": 5}'), 400],
  [
    'bytes that are not gzip',
    { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    Buffer.from('{}'),
    400,
  ],
  ['another encoding', { 'Content-Type': 'application/json', 'Content-Encoding': 'zstd' }, Buffer.from('{}'), 415],
  ['another type', { 'Content-Type': 'text/plain' }, Buffer.from('{}'), 415],
])('refuses %s', async (_what, headers, body, status) => {
  world = await gatewayWorld();
  const answer = await world.call('/v1/traces', { method: 'POST', headers, body: body as never });
  expect([answer.status, typeof answer.body.error]).toEqual([status, 'string']);
});

it('stops at a gzip bomb of 100 MB', async () => {
  world = await gatewayWorld();
  const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, 32));
  expect(bomb.length).toBeLessThan(200_000);
  const answer = await world.call('/v1/traces', protobuf(bomb, { 'Content-Encoding': 'gzip' }));
  expect(answer.status).toBe(413);
});

it('asks senders to come back while the queue is full', async () => {
  world = await gatewayWorld();
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const slow = { ...world.store, write: async (work: never) => gate.then(() => world.store.write(work)) };
  const intake = new Intake(
    slow as never,
    { green: world.gateway.green, runs: { record: async () => undefined, rewardAll: async () => undefined } as never },
    {
      clock: () => NOON,
      queueLimit: 2,
    },
  );
  const call = (key: string) => ({
    key,
    traceId: key,
    runId: key,
    timestamp: NOON,
    provider: 'openai',
    model: 'gpt-4o',
    inputTokens: 1,
    outputTokens: 1,
    cacheReadTokens: 0,
  });
  const batch = (...keys: string[]) => ({
    calls: keys.map(call),
    runs: [],
    rewards: [],
    received: keys.length,
    rejected: 0,
  });
  const first = intake.submit(batch('a', 'b'));
  expect(() => intake.submit(batch('c'))).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfter: 2 }));
  open();
  expect(await first).toMatchObject({ accepted: 2, duplicates: 0 });
  expect(await intake.submit(batch('c', 'c'))).toMatchObject({ accepted: 1, duplicates: 1 });
});

it('derives arms from tool spans, whatever the order in which they come', async () => {
  world = await gatewayWorld();
  const definitions = JSON.stringify([
    { type: 'function', name: 'search' },
    { type: 'function', function: { name: 'mail' } },
  ]);
  const spans = spansOf({
    name: 'invoke_agent a',
    start: NOON,
    end: NOON + 500,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.tool.definitions': definitions,
      'svc.learning.namespace': 'team',
    },
    children: [
      {
        name: 'execute_tool search',
        start: NOON,
        end: NOON + 100,
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'search',
          'svc.learning.namespace': 'team',
        },
      },
    ],
  });
  const parent = spans[1]!;
  await send(world.url, [parent]);
  expect(
    (await world.learning('/posteriors')).body.map((row: { armId: string; mean: number }) => [row.armId, row.mean]),
  ).toEqual([
    ['tool:team:mail', 1 / 3],
    ['tool:team:search', 1 / 3],
  ]);
  await send(world.url, [spans[0]!]);
  expect((await world.learning('/posteriors')).body).toMatchObject([
    { armId: 'tool:team:search', alpha: 2, beta: 1, pulls: 1 },
    { armId: 'tool:team:mail', alpha: 1, beta: 2, pulls: 1 },
  ]);
  const [run] = (await world.learning('/traces')).body.traces;
  expect(run.arms).toEqual([
    {
      armId: 'tool:team:mail',
      included: true,
      referenced: false,
      tokenCost: Math.ceil(JSON.stringify({ type: 'function', function: { name: 'mail' } }).length / 4),
    },
    {
      armId: 'tool:team:search',
      included: true,
      referenced: true,
      tokenCost: Math.ceil(JSON.stringify({ type: 'function', name: 'search' }).length / 4),
    },
  ]);
});

it('takes an evaluation as the reward of what the run referenced', async () => {
  world = await gatewayWorld();
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const log = {
    resourceLogs: [
      {
        scopeLogs: [
          {
            logRecords: [
              {
                eventName: 'gen_ai.evaluation.result',
                traceId,
                timeUnixNano: `${NOON}000000`,
                attributes: [
                  { key: 'gen_ai.evaluation.name', value: { stringValue: 'helpful' } },
                  { key: 'gen_ai.evaluation.score.value', value: { doubleValue: 0.25 } },
                ],
              },
            ],
          },
        ],
      },
    ],
  };
  expect((await world.call('/v1/logs', post(log))).body).toEqual({ partialSuccess: {} });
  const arms = JSON.stringify([{ armId: 'a', referenced: true }, { armId: 'b' }]);
  await world.call('/v1/traces', post(jsonSpan({ 'svc.learning.arms': arms })));
  await world.call('/v1/logs', post(log));
  expect((await world.learning('/posteriors')).body).toMatchObject([
    { armId: 'a', alpha: 1.25, beta: 1.75, pulls: 1 },
    { armId: 'b', alpha: 1, beta: 2, pulls: 1 },
  ]);
});
