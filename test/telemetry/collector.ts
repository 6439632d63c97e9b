import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

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
}

export interface Collector {
  readonly url: string;
  readonly spans: CollectedSpan[];
  close(): void;
}

/** Takes OTLP over HTTP, as a collector does. */
export async function collector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const receiving = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as {
        resourceSpans: Array<{
          resource: { attributes: CollectedSpan['attributes'] };
          scopeSpans: Array<{ spans: CollectedSpan[] }>;
        }>;
      };
      for (const { resource, scopeSpans } of body.resourceSpans) {
        const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
        for (const scope of scopeSpans) spans.push(...scope.spans.map((span) => ({ ...span, service })));
      }
      response.setHeader('Content-Type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => receiving.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(receiving.address() as AddressInfo).port}`,
    spans,
    close: () => void receiving.close(),
  };
}

export function attributeOf(span: CollectedSpan, key: string): unknown {
  const value = span.attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
}
