import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import protobuf from 'protobufjs';

export interface CollectedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: ReadonlyArray<{
    readonly key: string;
    readonly value: { readonly stringValue?: string; readonly intValue?: number };
  }>;
  readonly status: { readonly code?: number };
  /** Name of the service that sent it. */
  readonly service: string;
  /** Attributes of what sent it. */
  readonly resource: Readonly<Record<string, string | undefined>>;
}

export interface Collector {
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** Paths to which spans were sent. */
  readonly paths: string[];
  close(): void;
}

interface Export {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: CollectedSpan['attributes'] };
    readonly scopeSpans: ReadonlyArray<{ readonly spans: readonly CollectedSpan[] }>;
  }>;
}

/** Reads the body of an export in JSON, or in protobuf by the official messages. */
function decoded(request: IncomingMessage, body: Buffer): Export {
  if (request.headers['content-type'] === 'application/json') return JSON.parse(body.toString()) as Export;
  const descriptor = JSON.parse(readFileSync('schemas/otlp/otlp.json', 'utf8')) as protobuf.INamespace;
  const type = protobuf.Root.fromJSON(descriptor).lookupType(
    'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest',
  );
  const options = { longs: String, bytes: String, arrays: true, json: true };
  return JSON.parse(JSON.stringify(type.toObject(type.decode(body), options)), (key, value: unknown) =>
    /^(traceId|spanId|parentSpanId)$/.test(key) ? Buffer.from(String(value), 'base64').toString('hex') : value,
  ) as Export;
}

/** Takes OTLP over HTTP, as a collector does. */
export async function collector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const paths: string[] = [];
  const receiving = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = decoded(request, Buffer.concat(chunks));
      paths.push(request.url ?? '');
      for (const { resource, scopeSpans } of body.resourceSpans) {
        const attributes = Object.fromEntries(resource.attributes.map(({ key, value }) => [key, value.stringValue]));
        const more = { service: attributes['service.name'] ?? '', resource: attributes };
        for (const scope of scopeSpans) spans.push(...scope.spans.map((span) => ({ ...span, ...more })));
      }
      response.setHeader('Content-Type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => receiving.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(receiving.address() as AddressInfo).port}`,
    spans,
    paths,
    close: () => void receiving.close(),
  };
}

export function attributeOf(span: CollectedSpan, key: string): unknown {
  const value = span.attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
}
