import { createRequire } from 'node:module';
import { type Attributes, context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { logs, tracing } from '@opentelemetry/sdk-node';

type ReadableSpan = tracing.ReadableSpan;

const require = createRequire(import.meta.url);
const { JsonLogsSerializer, JsonTraceSerializer, ProtobufLogsSerializer, ProtobufTraceSerializer } =
  require('@opentelemetry/otlp-transformer') as Record<
    string,
    { serializeRequest(records: readonly unknown[]): Uint8Array }
  >;

export interface SpanSpec {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly attributes?: Attributes;
  readonly error?: string;
  readonly children?: readonly SpanSpec[];
}

/** Spans of one trace as the official SDK makes them, children before their parents as they end. */
export function spansOf(root: SpanSpec): ReadableSpan[] {
  const ended: ReadableSpan[] = [];
  const provider = new tracing.BasicTracerProvider({
    spanProcessors: [
      {
        onStart: () => undefined,
        onEnd: (span) => void ended.push(span),
        forceFlush: () => Promise.resolve(),
        shutdown: () => Promise.resolve(),
      },
    ],
  });
  const tracer = provider.getTracer('test');
  const make = (spec: SpanSpec, parent: ReturnType<typeof context.active>): void => {
    const span = tracer.startSpan(
      spec.name,
      { kind: SpanKind.CLIENT, startTime: spec.start, attributes: spec.attributes ?? {} },
      parent,
    );
    for (const child of spec.children ?? []) make(child, trace.setSpan(parent, span));
    if (spec.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: spec.error });
    span.end(spec.end);
  };
  make(root, context.active());
  return ended;
}

/**
 * Sends spans with the official exporter: protobuf over HTTP, compressed. Throws where the service reports a failure.
 */
export async function send(url: string, spans: readonly ReadableSpan[]): Promise<void> {
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, compression: 'gzip' as never });
  await new Promise<void>((resolve, reject) => {
    exporter.export([...spans], ({ code, error }) => (code === 0 ? resolve() : reject(error ?? new Error('failed'))));
  });
  await exporter.shutdown();
}

/** The body that the exporter would send. */
export function protobufOf(spans: readonly ReadableSpan[]): Buffer {
  return Buffer.from(ProtobufTraceSerializer!.serializeRequest(spans));
}

/** The same as JSON. */
export function jsonOf(spans: readonly ReadableSpan[]): Buffer {
  return Buffer.from(JsonTraceSerializer!.serializeRequest(spans));
}

export interface LogSpec {
  readonly eventName?: string;
  readonly body?: string;
  /** Milliseconds. */
  readonly timestamp: number;
  readonly attributes: Attributes;
}

/** The bodies that the exporters of log records would send, as the official SDK makes the records. */
export function logBodiesOf(specs: readonly LogSpec[]): { readonly protobuf: Buffer; readonly json: Buffer } {
  const records: logs.SdkLogRecord[] = [];
  const provider = new logs.LoggerProvider({
    processors: [
      {
        onEmit: (record) => void records.push(record),
        forceFlush: () => Promise.resolve(),
        shutdown: () => Promise.resolve(),
      },
    ],
  });
  const logger = provider.getLogger('test');
  for (const spec of specs) logger.emit(spec as Parameters<typeof logger.emit>[0]);
  return {
    protobuf: Buffer.from(ProtobufLogsSerializer!.serializeRequest(records)),
    json: Buffer.from(JsonLogsSerializer!.serializeRequest(records)),
  };
}
