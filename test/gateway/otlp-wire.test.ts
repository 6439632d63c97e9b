import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import protobuf from 'protobufjs';
import { packageRoot } from '../../src/core/package-root.js';
import { decodeInPieces } from '../../src/gateway/telemetry-intake/otlp/wire.js';
import { protobufOf, spansOf } from './otlp.js';

const file = join(packageRoot(), 'schemas/otlp/otlp.json');
const root = protobuf.Root.fromJSON(JSON.parse(readFileSync(file, 'utf8')) as protobuf.INamespace);
const REQUEST = root.lookupType('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest');

const encoded = (value: object): Uint8Array => REQUEST.encode(REQUEST.fromObject(value)).finish();
const delimited = (tag: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(protobuf.Writer.create().uint32(tag).bytes(bytes).finish());
const inScope = (spans: readonly object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
const attribute = (key: string, value: object = { intValue: 1 }) => ({ key, value });

describe('an OTLP request in protobuf', () => {
  it('is decoded record by record as it is decoded at once', async () => {
    const children = [{ name: 'step', start: 1000, end: 2000, attributes: { 'a.b': 'c', list: ['x', 'y'], n: 1.5 } }];
    const bytes = protobufOf(spansOf({ name: 'root', start: 0, end: 3000, error: 'failed', children }));
    const whole = REQUEST.decode(bytes);
    expect(REQUEST.toObject((await decodeInPieces(REQUEST, bytes)) as protobuf.Message)).toEqual(
      REQUEST.toObject(whole),
    );
  });

  it.each([
    ['groups', { resourceSpans: Array.from({ length: 200_001 }, () => ({})) }],
    ['spans', inScope(Array.from({ length: 200_001 }, () => ({})))],
    ['members of a span', inScope([{ attributes: Array.from({ length: 20_001 }, (_, i) => attribute(`k${i}`)) }])],
    [
      'members of a resource',
      { resourceSpans: [{ resource: { attributes: Array.from({ length: 20_001 }, (_, i) => attribute(`k${i}`)) } }] },
    ],
  ])('is too large with too many %s', async (_name, value) => {
    await expect(decodeInPieces(REQUEST, encoded(value))).rejects.toMatchObject({ code: 'too_large' });
  });

  it('is refused where a value is nested absurdly deep', async () => {
    // An int in lists of one value each, around it an attribute, a span, a scope and a resource.
    let bytes = Uint8Array.of(0x18, 1);
    for (let i = 0; i < 200; i += 1) bytes = delimited(0x2a, delimited(0x0a, bytes));
    for (const tag of [0x12, 0x4a, 0x12, 0x12, 0x0a]) bytes = delimited(tag, bytes);
    await expect(decodeInPieces(REQUEST, bytes)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('fails where it ends too early', async () => {
    const bytes = encoded(inScope([{ name: 'a span with a name' }]));
    await expect(decodeInPieces(REQUEST, bytes.subarray(0, bytes.length - 3))).rejects.toThrow();
  });
});
