import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  POSTERIORS_HEADER,
  posteriorLine,
  runLine,
  TRACES_HEADER,
} from '../../src/cli/commands/gateway/learning-csv.js';
import { type SpanSpec, send, spansOf } from './otlp.js';
import { type GatewayWorld, gatewayWorld, NOON, post } from './world.js';

let world: GatewayWorld;
beforeEach(async () => {
  world = await gatewayWorld();
});
afterEach(() => world.close());

const span = (name: string, attributes: NonNullable<SpanSpec['attributes']>, children: SpanSpec[] = []): SpanSpec => ({
  name,
  start: NOON,
  end: NOON + 1000,
  attributes,
  children,
});

async function calls(): Promise<unknown[]> {
  const { traces } = (await world.green('/traces')).body;
  return traces.map((row: Record<string, unknown>) => [
    row.provider,
    row.model,
    row.inputTokens,
    row.outputTokens,
    row.cacheReadTokens,
  ]);
}

it('OpenInference: spans of kind LLM count, agents and chains do not', async () => {
  const llm = span('ChatAnthropic', {
    'openinference.span.kind': 'LLM',
    'llm.provider': 'anthropic',
    'llm.model_name': 'claude-sonnet-4-5',
    'llm.token_count.prompt': 1000,
    'llm.token_count.completion': 200,
    'llm.token_count.prompt_details.cache_read': 700,
    'input.value': 'a question',
  });
  const tool = span('search', { 'openinference.span.kind': 'TOOL', 'tool.name': 'search' });
  const agent = span(
    'Agent',
    {
      'openinference.span.kind': 'AGENT',
      'llm.token_count.prompt': 1000,
      'llm.token_count.completion': 200,
      'llm.model_name': 'x',
    },
    [llm, tool],
  );
  await send(world.url, spansOf(agent));
  expect(await calls()).toEqual([['anthropic', 'claude-sonnet-4-5', 300, 200, 700]]);
  expect((await world.learning('/traces')).body.traces[0].arms).toMatchObject([{ included: true, referenced: true }]);
});

it('Vercel AI SDK: doGenerate counts, its wrapper does not', async () => {
  const inner = span('ai.generateText.doGenerate', {
    'ai.operationId': 'ai.generateText.doGenerate',
    'ai.model.provider': 'openai.chat',
    'ai.model.id': 'gpt-4.1',
    'gen_ai.system': 'openai.chat',
    'gen_ai.request.model': 'gpt-4.1',
    'gen_ai.usage.input_tokens': 500,
    'gen_ai.usage.output_tokens': 60,
    'ai.usage.promptTokens': 500,
    'ai.usage.completionTokens': 60,
  });
  const tool = span('ai.toolCall', { 'ai.operationId': 'ai.toolCall', 'ai.toolCall.name': 'weather' });
  const outer = span(
    'ai.generateText',
    {
      'ai.operationId': 'ai.generateText',
      'ai.model.id': 'gpt-4.1',
      'ai.model.provider': 'openai.chat',
      'ai.usage.promptTokens': 500,
      'ai.usage.completionTokens': 60,
    },
    [inner, tool],
  );
  await send(world.url, spansOf(outer));
  expect(await calls()).toEqual([['openai.chat', 'gpt-4.1', 500, 60, 0]]);
  expect((await world.learning('/posteriors')).body[0].armId).toMatch(/:weather$/);
});

it('coding-agent logs: cached tokens stand apart, a replayed event changes nothing', async () => {
  const event = (id: string, input: number) => ({
    timeUnixNano: `${NOON}000000`,
    body: { stringValue: 'claude_code.api_request' },
    attributes: Object.entries({
      'event.name': 'api_request',
      'session.id': 's',
      model: 'claude-opus-4-5',
      input_tokens: String(input),
      output_tokens: '50',
      cache_read_tokens: '9000',
      cache_creation_tokens: '100',
      cost_usd: '0.1',
      duration_ms: '1200',
      request_id: id,
    }).map(([key, value]) => ({ key, value: { stringValue: value } })),
  });
  const other = {
    timeUnixNano: `${NOON}000000`,
    body: { stringValue: 'claude_code.user_prompt' },
    attributes: [{ key: 'prompt', value: { stringValue: 'secret' } }],
  };
  const body = {
    resourceLogs: [
      { scopeLogs: [{ logRecords: [event('req_1', 10), event('req_2', 20), other, event('req_1', 10)] }] },
    ],
  };
  expect((await world.call('/v1/logs', post(body))).body).toEqual({ partialSuccess: {} });
  await world.call('/v1/logs', post(body));
  expect((await calls()).sort()).toEqual([
    ['anthropic', 'claude-opus-4-5', 110, 50, 9000],
    ['anthropic', 'claude-opus-4-5', 120, 50, 9000],
  ]);
  expect((await world.green('/intake')).body).toMatchObject({ accepted: 2, duplicates: 4 });
});

it('LiteLLM payloads: prompt tokens include the cached ones, its own cache is no call', async () => {
  const payload = {
    id: 'chatcmpl-1',
    trace_id: 'tr-1',
    call_type: 'acompletion',
    status: 'success',
    custom_llm_provider: 'openai',
    model: 'gpt-4o',
    prompt_tokens: 800,
    completion_tokens: 100,
    total_tokens: 900,
    response_cost: 0.003,
    startTime: NOON / 1000,
    endTime: NOON / 1000 + 2.5,
    cache_hit: null,
    metadata: { usage_object: { prompt_tokens_details: { cached_tokens: 500 } } },
    messages: [{ role: 'user', content: 'secret' }],
  };
  await world.green('/ingest', post([payload, { ...payload, id: 'chatcmpl-2', cache_hit: true }]));
  await world.learning('/ingest', post(payload));
  expect(await calls()).toEqual([['openai', 'gpt-4o', 300, 100, 500]]);
  const [run] = (await world.learning('/traces')).body.traces;
  expect(run).toMatchObject({ traceId: 'tr-1', usage: { input: 300, output: 100, total: 900 }, durationMs: 2500 });
});

it('LiteLLM: a payload without times counts at the moment it arrives', async () => {
  const payload = {
    id: 'chatcmpl-3',
    call_type: 'acompletion',
    model: 'gpt-4o',
    prompt_tokens: 8,
    completion_tokens: 1,
  };
  await world.green('/ingest', post(payload));
  expect((await world.green('/traces')).body.traces).toMatchObject([{ traceId: 'chatcmpl-3', timestamp: NOON }]);
});

it('CSV: headers byte for byte, formulas stay text, numbers stay numbers', () => {
  expect(TRACES_HEADER).toBe(
    'traceId,runId,sessionId,timestamp,provider,model,channel,isBaseline,totalTokens,durationMs,aborted\n',
  );
  expect(POSTERIORS_HEADER).toBe('armId,alpha,beta,mean,pulls,lastUpdated\n');
  const run = {
    traceId: 't',
    runId: 'r',
    sessionId: 's',
    timestamp: 5,
    provider: null,
    model: '=1+1',
    channel: 'a,"b"',
    isBaseline: true,
    usage: null,
    durationMs: null,
    aborted: false,
  };
  expect(runLine(run)).toBe(`t,r,s,5,,'=1+1,"a,""b""",1,,,0\n`);
  expect(posteriorLine({ armId: '@x', alpha: 2, beta: 1, mean: 2 / 3, pulls: 1, lastUpdated: 9 })).toBe(
    `'@x,2.0000,1.0000,0.6667,1,9\n`,
  );
});
