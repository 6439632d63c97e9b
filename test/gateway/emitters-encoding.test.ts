import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Attributes } from '@opentelemetry/api';
import { jsonOf, logBodiesOf, protobufOf, type SpanSpec, spansOf } from './otlp.js';
import { type GatewayWorld, gatewayWorld, NOON } from './world.js';

let world: GatewayWorld;
beforeEach(async () => {
  world = await gatewayWorld();
});
afterEach(() => world.close());

const span = (name: string, attributes: Attributes, children: SpanSpec[] = []): SpanSpec => ({
  name,
  start: NOON,
  end: NOON + 1000,
  attributes,
  children,
});

/** What OpenLLMetry wrote before it took over the names of the conventions: the crew's sums stand on its wrappers. */
const SUMS = {
  'gen_ai.usage.prompt_tokens': 1400,
  'gen_ai.usage.completion_tokens': 120,
  'llm.usage.total_tokens': 1520,
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.response.model': 'gpt-4o',
};
const chat = (prompt: number, completion: number, cached: number): SpanSpec =>
  span('openai.chat', {
    'gen_ai.system': 'OpenAI',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.response.model': 'gpt-4o-2024-08-06',
    'llm.request.type': 'chat',
    'gen_ai.usage.prompt_tokens': prompt,
    'gen_ai.usage.completion_tokens': completion,
    'gen_ai.usage.cache_read_input_tokens': cached,
    'llm.usage.total_tokens': prompt + completion,
    'traceloop.workflow.name': 'crew',
    'gen_ai.prompt.0.content': 'a secret prompt',
  });
const wrapper = (kind: string, name: string, children: SpanSpec[]): SpanSpec =>
  span(
    `${name}.${kind}`,
    {
      ...SUMS,
      'traceloop.span.kind': kind,
      'traceloop.entity.name': name,
      'traceloop.entity.output': 'a secret answer',
    },
    children,
  );
const before = wrapper('workflow', 'crew', [
  wrapper('task', 'plan', [wrapper('agent', 'planner', [chat(900, 80, 300), wrapper('tool', 'search', [])])]),
  chat(500, 40, 0),
]);

/** The same crew by its newer names, where wrappers carry an operation of their own. */
const NEW_SUMS = {
  'gen_ai.usage.input_tokens': 1400,
  'gen_ai.usage.output_tokens': 120,
  'gen_ai.request.model': 'gpt-4o',
};
const newChat = (input: number, output: number, cached: number): SpanSpec =>
  span('openai.chat', {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.response.model': 'gpt-4o-2024-08-06',
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
    'gen_ai.usage.cache_read.input_tokens': cached,
  });
const since = span(
  'crewai.workflow',
  { ...NEW_SUMS, 'traceloop.span.kind': 'workflow', 'gen_ai.operation.name': 'invoke_workflow' },
  [
    span(
      'planner.agent',
      {
        ...NEW_SUMS,
        'traceloop.span.kind': 'agent',
        'gen_ai.provider.name': 'crewai',
        'gen_ai.operation.name': 'invoke_agent',
      },
      [
        newChat(900, 80, 300),
        span('search.tool', { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search' }),
      ],
    ),
    newChat(500, 40, 0),
  ],
);

const ENCODINGS = [
  ['protobuf', 'identity'],
  ['protobuf', 'gzip'],
  ['json', 'identity'],
  ['json', 'gzip'],
] as const;

async function sendBody(path: string, format: string, encoding: string, body: Buffer): Promise<number> {
  const { status } = await world.call(path, {
    method: 'POST',
    headers: {
      'Content-Type': format === 'json' ? 'application/json' : 'application/x-protobuf',
      'Content-Encoding': encoding,
    },
    body: new Uint8Array(encoding === 'gzip' ? gzipSync(body) : body),
  });
  return status;
}

async function counted(): Promise<unknown[]> {
  const { traces } = (await world.green('/traces')).body;
  return traces
    .map(({ model, inputTokens, outputTokens, cacheReadTokens }: Record<string, unknown>) => [
      model,
      inputTokens,
      outputTokens,
      cacheReadTokens,
    ])
    .sort();
}

describe.each(ENCODINGS)('%s, %s', (format, encoding) => {
  it.each([
    ['its first names', before],
    ['the names of the conventions', since],
  ])('OpenLLMetry by %s: wrappers that carry the sums of their calls are not counted', async (_name, root) => {
    const spans = spansOf(root);
    const body = format === 'json' ? jsonOf(spans) : protobufOf(spans);
    for (const _time of [1, 2]) expect(await sendBody('/v1/traces', format, encoding, body)).toBe(200);
    expect(await counted()).toEqual([
      ['gpt-4o-2024-08-06', 500, 40, 0],
      ['gpt-4o-2024-08-06', 600, 80, 300],
    ]);
    expect((await world.green('/summary')).body).toMatchObject({ traceCount: 2, totalTokens: 1520 });
    const { traces, total } = (await world.learning('/traces')).body;
    expect(total).toBe(1);
    expect(traces[0]).toMatchObject({ usage: { input: 1100, output: 120, total: 1520 } });
    expect(traces[0].arms.map(({ armId }: { armId: string }) => armId.split(':').at(-1))).toEqual(['search']);
    expect(JSON.stringify(traces)).not.toContain('secret');
  });

  it('logs of a coding agent and evaluations', async () => {
    const request = (id: string, input: number) => ({
      body: 'claude_code.api_request',
      timestamp: NOON,
      attributes: {
        'event.name': 'api_request',
        'session.id': 's',
        model: 'claude-opus-4-5',
        input_tokens: input,
        output_tokens: 50,
        cache_read_tokens: 9000,
        cache_creation_tokens: 100,
        duration_ms: 1200,
        request_id: id,
      },
    });
    const bodies = logBodiesOf([
      request('req_1', 10),
      request('req_2', 20),
      { body: 'claude_code.user_prompt', timestamp: NOON, attributes: { prompt: 'a secret prompt' } },
      {
        eventName: 'gen_ai.evaluation.result',
        timestamp: NOON,
        attributes: { 'svc.learning.arm_id': 'tool:x:y', 'gen_ai.evaluation.score.value': 0.75 },
      },
    ]);
    for (const _time of [1, 2]) expect(await sendBody('/v1/logs', format, encoding, bodies[format])).toBe(200);
    expect(await counted()).toEqual([
      ['claude-opus-4-5', 110, 50, 9000],
      ['claude-opus-4-5', 120, 50, 9000],
    ]);
    expect((await world.learning('/posteriors')).body).toMatchObject([
      { armId: 'tool:x:y', alpha: 1.75, beta: 1.25, pulls: 1 },
    ]);
    expect((await world.green('/intake')).body).toMatchObject({ received: 8, accepted: 3, duplicates: 3, rejected: 0 });
  });
});
