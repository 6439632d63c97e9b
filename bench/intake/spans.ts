import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import protobuf from 'protobufjs';

const root = protobuf.Root.fromJSON(JSON.parse(readFileSync('schemas/otlp/otlp.json', 'utf8')) as protobuf.INamespace);
const request = root.lookupType('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest');

/** Spans of one agent run: the agent, two model calls, two tools. */
const SPANS_PER_RUN = 5;
const ARMS = Array.from({ length: 40 }, (_, i) => `tool:bench:${i}`);
const PROMPT = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'lorem ipsum '.repeat(80) }] }]);

type Value = string | number;
const attributes = (given: Readonly<Record<string, Value>>) =>
  Object.entries(given).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: value } : { stringValue: value },
  }));

function runSpans(at: number): object[] {
  const traceId = randomBytes(16);
  const agent = randomBytes(8);
  const start = at * 1e6;
  const span = (name: string, more: Readonly<Record<string, Value>>, ids: object = { parentSpanId: agent }) => ({
    traceId,
    spanId: randomBytes(8),
    name,
    startTimeUnixNano: start,
    endTimeUnixNano: start + 4e8,
    attributes: attributes(more),
    ...ids,
  });
  const chat = () =>
    span('chat gpt-4o', {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.response.model': 'gpt-4o-2024-08-06',
      'gen_ai.usage.input_tokens': 1000 + (agent[0] ?? 0),
      'gen_ai.usage.output_tokens': 200,
      'gen_ai.input.messages': PROMPT,
    });
  const tool = (i: number) =>
    span(`execute_tool t${i}`, { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': `t${i}` });
  const arms = ARMS.map((armId, i) => ({
    armId,
    included: true,
    referenced: i % 3 === (agent[1] ?? 0) % 3,
    tokenCost: 50,
  }));
  return [
    chat(),
    tool(1),
    chat(),
    tool(2),
    span(
      'invoke_agent bench',
      { 'gen_ai.operation.name': 'invoke_agent', 'svc.learning.arms': JSON.stringify(arms) },
      { spanId: agent },
    ),
  ];
}

/** An OTLP request in protobuf, compressed, with `count` spans of runs that nobody saw before. */
export function otlpBody(count: number): Buffer {
  const now = Date.now();
  const spans = Array.from({ length: count / SPANS_PER_RUN }, () => runSpans(now)).flat();
  const message = request.fromObject({
    resourceSpans: [{ resource: { attributes: attributes({ 'service.name': 'bench' }) }, scopeSpans: [{ spans }] }],
  });
  return gzipSync(request.encode(message).finish(), { level: 1 });
}
