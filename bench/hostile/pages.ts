import { deflateSync } from 'node:zlib';
import { HOSTILE_JSON } from './bodies.js';
import { listed } from './fill.js';
import type { Hostile } from './requests.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const RPC_HEADERS = { ...JSON_TYPE, Accept: 'application/json, text/event-stream' };
const GREEN = '/__gateway__/api/green/ingest';

const rpc = (kind: string, body: string): Hostile => ({ kind, variant: 'a', path: '/mcp', headers: RPC_HEADERS, body });

/** Messages of JSON-RPC: tool calls around hostile arguments, batches, long names and ids. */
export function* rpcRequests(size: number): Generator<Hostile> {
  const call = (name: string, input: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${input}}}`;
  yield rpc('a tool call', call('svc_query', `{"context":"${'why '.repeat(size / 4 - 40)}"}`));
  for (const kind of ['half surrogate pairs', 'escapes', 'a question', 'accents', 'keys of a learner context']) {
    yield rpc(`a tool call: ${kind}`, call('svc_query', HOSTILE_JSON[kind]!(size - 120)));
  }
  const batch = (message: string) => `[${Array.from({ length: 100 }, () => message).join(',')}]`;
  yield rpc('a batch of lists of tools', batch('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'));
  yield rpc('a batch of calls', batch(call('svc_query', `{"context":"${'why '.repeat(size / 410)}"}`)));
  yield rpc('a batch of pings', listed('[', (i) => `{"jsonrpc":"2.0","id":${i},"method":"ping"}`, ']')(size));
  yield rpc('a tool of a long name', call('x'.repeat(size - 120), '{}'));
  yield rpc('a long id', `{"jsonrpc":"2.0","id":"${'i'.repeat(size - 60)}","method":"tools/list"}`);
  yield rpc('a long method', `{"jsonrpc":"2.0","id":1,"method":"${'m'.repeat(size - 60)}"}`);
}

/** Spans, log records and rows of telemetry, in JSON, protobuf and NDJSON, compressed and not. */
export function* telemetryRequests(size: number): Generator<Hostile> {
  // Resources, spans of one scope and attributes of one span, in protobuf: empty ones, as many as there is room for.
  const empty = (before: readonly number[]) => {
    let bytes: Buffer = Buffer.alloc(size - (size % 2), Buffer.from([before.at(-1)!, 0]));
    for (const tag of before.slice(0, -1).reverse()) bytes = Buffer.concat([delimited(tag, bytes.length), bytes]);
    return bytes;
  };
  for (const [name, tags] of [
    ['resources', [0x0a]],
    ['spans', [0x0a, 0x12, 0x12]],
    ['attributes', [0x0a, 0x12, 0x12, 0x4a]],
  ] as const) {
    const headers = { 'Content-Type': 'application/x-protobuf' };
    yield { kind: `protobuf of ${name}`, variant: 'a', path: '/v1/traces', headers, body: empty(tags) };
  }
  const traces = (kind: string, spans: string): Hostile => {
    const body = `{"resourceSpans":[{"scopeSpans":[{"spans":[${spans}]}]}]}`;
    return { kind, variant: 'a', path: '/v1/traces', headers: JSON_TYPE, body };
  };
  const hex = (i: number, digits: number) => i.toString(16).padStart(digits, '0');
  const ids = (i: number) => `"traceId":"${hex(i + 1, 32)}","spanId":"${hex(i + 1, 16)}"`;
  const text = (key: string, value: string) => `{"key":"${key}","value":{"stringValue":"${value}"}}`;
  const inner = size - 200;
  yield traces('spans', listed('', (i) => `{${ids(i)},"name":"s"}`, '')(inner));
  const count = '{"key":"gen_ai.usage.input_tokens","value":{"intValue":5}}';
  const chat = `"attributes":[${text('gen_ai.operation.name', 'chat')},${text('gen_ai.request.model', 'm')},${count}]`;
  yield traces('spans of calls', listed('', (i) => `{${ids(i)},${chat}}`, '')(inner));
  yield traces('a time of very many digits', `{${ids(1)},"startTimeUnixNano":"${'9'.repeat(inner)}"}`);
  yield traces(
    'JSON in an attribute',
    `{${ids(1)},"attributes":[${text('svc.learning.arms', `[${'{},'.repeat(inner / 3)}`)}]}`,
  );
  const attributes = listed('', (i) => text(`gen_ai.k${i}`, 'v'), '')(Math.min(inner, 3_000_000));
  yield traces('attributes of one span', `{${ids(1)},"attributes":[${attributes}]}`);
  const records = listed('', (i) => `{"timeUnixNano":"${i}","body":{"stringValue":"api_request"}}`, '')(inner);
  const logs = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${records}]}]}]}`;
  yield { kind: 'log records', variant: 'a', path: '/v1/logs', headers: JSON_TYPE, body: logs };
  const rows = (kind: string, body: string): Hostile => {
    return { kind, variant: 'a', path: GREEN, headers: { 'Content-Type': 'application/x-ndjson' }, body };
  };
  const line = '{"model":"gpt-4o","prompt_tokens":1,"completion_tokens":1}\n';
  yield rows('rows of telemetry', line.repeat(size / line.length));
  const many = Array.from(
    { length: Math.min(49_000, size / 70) },
    (_, i) => `{"traceId":"t${i}","model":"gpt-4o","inputTokens":1}`,
  );
  yield rows('as many rows as there may be', many.join('\n'));
  const proxied = many.map((_, i) => `{"id":"p${i}","model":"gpt-4o","call_type":"c","prompt_tokens":1,"startTime":1}`);
  yield rows('rows of a proxy', proxied.join('\n'));
  yield rows('empty lines', `{"traceId":"a","model":"m"}${'\n'.repeat(size - 80)}{}`);
  yield rows('one long line', `{}\n{"traceId":"${'a'.repeat(size - 80)}"}`);
  yield rows('a line of very many keys', `{}\n${HOSTILE_JSON['keys of one object']!(size - 80)}`);
  yield {
    kind: 'a bomb of telemetry',
    variant: 'a',
    path: '/v1/traces',
    headers: { ...JSON_TYPE, 'Content-Encoding': 'deflate' },
    body: deflateSync(Buffer.alloc(100 * size, '[')),
  };
}

/** Tag and length before a member of a protobuf message. */
function delimited(tag: number, length: number): Buffer {
  const bytes = [tag];
  for (let rest = length; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) return Buffer.from(bytes);
  }
}
