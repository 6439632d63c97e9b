import { afterEach, expect, it } from '@jest/globals';
import { type GatewayWorld, gatewayWorld, NOON, post } from './world.js';

let world: GatewayWorld;
afterEach(() => world.close());

/** A span of OTLP in JSON with attributes that are texts. */
function jsonSpan(attributes: Record<string, string>, more: Record<string, unknown>) {
  const span = {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    name: 'x',
    startTimeUnixNano: `${NOON}000000`,
    endTimeUnixNano: `${NOON + 1000}000000`,
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
    ...more,
  };
  return { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans: [span] }] }] };
}

it('passes over times and counts of a million digits, and JSON in attributes that is too long or too deep', async () => {
  world = await gatewayWorld();
  const traces = async (attributes: Record<string, string>, more: Record<string, unknown> = {}) =>
    (await world.call('/v1/traces', post(jsonSpan(attributes, more)))).body.partialSuccess;
  const digits = '9'.repeat(1_000_000);
  const chatOf = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' };
  expect(await traces(chatOf, { startTimeUnixNano: digits, endTimeUnixNano: digits })).toEqual({});
  const count = { key: 'gen_ai.usage.input_tokens', value: { intValue: digits } };
  const kind = { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } };
  expect(await traces({}, { attributes: [count, kind] })).toMatchObject({ rejectedSpans: 1 });
  const long = JSON.stringify(Array.from({ length: 60_000 }, (_, i) => ({ armId: `arm number ${i}` })));
  expect(await traces({ 'svc.learning.arms': long })).toMatchObject({ rejectedSpans: 1 });
  const deep = `[{"name":"deep","parameters":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`;
  expect(await traces({ 'gen_ai.tool.definitions': deep })).toEqual({});
});

it('holds rows to the limits of JSON, wherever they stand, and to 50,000', async () => {
  world = await gatewayWorld();
  const take = (body: string) =>
    world.call('/__gateway__/api/green/ingest', post(body, { 'Content-Type': 'application/x-ndjson' }));
  const row = (i: number) => `{"traceId":"t${i}","model":"gpt-4o","inputTokens":1}`;
  expect((await take(`${row(1)}${'\n'.repeat(1_000_000)}${row(2)}\r\n`)).body).toEqual({ accepted: 2, duplicates: 0 });
  const members = Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join(',');
  expect((await take(`${row(3)}\n{"traceId":"t4",${members}}`)).status).toBe(413);
  expect((await take(` \n[{"traceId":"t4",${members}}]`)).status).toBe(413);
  const many = await take(Array.from({ length: 50_001 }, (_, i) => row(i)).join('\n'));
  expect([many.status, many.body.error]).toEqual([413, expect.stringContaining('50000 rows')]);
  expect((await take(`${row(5)}\nno row`)).status).toBe(400);
  // One object is held to them as a list is, on one line and on several.
  expect((await take(`{"traceId":"t4",${members}}`)).status).toBe(413);
  expect((await take(`{"traceId":"t4",\n${members}}`)).status).toBe(413);
  const open = await take(`{"traceId":${'['.repeat(1_000_000)}`);
  expect([open.status, open.body.error]).toEqual([400, expect.stringContaining('nested deeper')]);
  expect((await take('\ufeff{\n"traceId":"t9",\n"model":"gpt-4o","inputTokens":1}\n')).body).toMatchObject({
    accepted: 1,
  });
});
