import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import { SvcError } from '../../../core/errors.js';
import type { Attributes, AttributeValue, OtlpLog, OtlpSpan } from './messages.js';
import { decodeInPieces } from './wire.js';

export type Signal = 'traces' | 'logs';

const REQUESTS: Readonly<Record<Signal, string>> = {
  traces: 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest',
  logs: 'opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest',
};
const RESPONSES: Readonly<Record<Signal, string>> = {
  traces: 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse',
  logs: 'opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse',
};

/** The official messages, from `schemas/otlp/otlp.json`. */
export class OtlpMessages {
  private readonly root: protobuf.Root;

  constructor(file: string) {
    this.root = protobuf.Root.fromJSON(JSON.parse(readFileSync(file, 'utf8')) as protobuf.INamespace);
  }

  /** Decodes a request. Throws `invalid_input` for what is no such message, `too_large` for one of too many members. */
  async fromProtobuf(signal: Signal, bytes: Uint8Array): Promise<unknown> {
    try {
      return await decodeInPieces(this.root.lookupType(REQUESTS[signal]), bytes);
    } catch (cause) {
      if (cause instanceof SvcError) throw cause;
      throw new SvcError('invalid_input', `The body is not an OTLP ${signal} message in protobuf.`, undefined, {
        cause,
      });
    }
  }

  response(signal: Signal, rejected: number, message: string): Uint8Array {
    const type = this.root.lookupType(RESPONSES[signal]);
    return Buffer.from(type.encode(type.fromObject(partialSuccess(signal, rejected, message))).finish());
  }
}

/** Returns the body of a success: empty, or what was rejected and why. */
export function partialSuccess(signal: Signal, rejected: number, message: string): Record<string, unknown> {
  if (rejected === 0) return { partialSuccess: {} };
  const name = signal === 'traces' ? 'rejectedSpans' : 'rejectedLogRecords';
  return { partialSuccess: { [name]: rejected, errorMessage: message } };
}

interface ResourceGroup {
  readonly resource?: { readonly attributes?: unknown } | null;
  readonly scopeSpans?: unknown;
  readonly scopeLogs?: unknown;
}

/** Yields the spans of a decoded request. Throws `invalid_input` where its shape is another one. */
export function* spansOf(request: unknown): Generator<OtlpSpan> {
  const names = { groups: 'resourceSpans', scopes: 'scopeSpans', items: 'spans' };
  for (const { item, resource } of records(request, names)) {
    const status = (item.status ?? {}) as { code?: unknown; message?: unknown };
    const events = listOf(item.events).map((event) => ({
      name: text(event.name),
      attributes: attributesOf(event.attributes),
    }));
    yield {
      traceId: hex(item.traceId),
      spanId: hex(item.spanId),
      parentSpanId: hex(item.parentSpanId),
      name: text(item.name),
      start: milliseconds(item.startTimeUnixNano),
      end: milliseconds(item.endTimeUnixNano),
      attributes: attributesOf(item.attributes),
      resource,
      events,
      failed: status.code === 2 || status.code === 'STATUS_CODE_ERROR',
      message: text(status.message),
    };
  }
}

/** Yields the log records of a decoded request. */
export function* logsOf(request: unknown): Generator<OtlpLog> {
  const names = { groups: 'resourceLogs', scopes: 'scopeLogs', items: 'logRecords' };
  for (const { item, resource } of records(request, names)) {
    const attributes = attributesOf(item.attributes);
    const body = anyValue(item.body);
    const named = [text(item.eventName), attributes['event.name'], body].find(
      (name) => typeof name === 'string' && name !== '',
    );
    const at = milliseconds(item.timeUnixNano) || milliseconds(item.observedTimeUnixNano);
    yield {
      traceId: hex(item.traceId),
      spanId: hex(item.spanId),
      timestamp: at || Date.parse(String(attributes['event.timestamp'] ?? '')) || 0,
      // The body of an event that has a name of its own may be anything, prompts included: it is not kept.
      eventName: typeof named === 'string' ? named.slice(0, 200) : '',
      attributes,
      resource,
    };
  }
}

type Fields = Readonly<Record<string, unknown>>;

function* records(
  request: unknown,
  names: { readonly groups: string; readonly scopes: string; readonly items: string },
): Generator<{ item: Fields; resource: Attributes }> {
  const groups = (request as Fields | null)?.[names.groups];
  if (typeof request !== 'object' || request === null || (groups !== undefined && !Array.isArray(groups))) {
    throw new SvcError('invalid_input', `The body must be an OTLP request with a list ${names.groups}.`);
  }
  for (const group of listOf(groups)) {
    const resource = attributesOf((group as ResourceGroup).resource?.attributes);
    for (const scope of listOf(group[names.scopes])) {
      for (const item of listOf(scope[names.items])) yield { item, resource };
    }
  }
}

function listOf(value: unknown): Fields[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is Fields => typeof item === 'object' && item !== null);
}

function attributesOf(value: unknown): Attributes {
  const attributes: Record<string, AttributeValue> = Object.create(null) as Record<string, AttributeValue>;
  for (const { key, value: given } of listOf(value)) {
    const read = typeof key === 'string' ? anyValue(given) : undefined;
    if (read !== undefined) attributes[key as string] = read;
  }
  return attributes;
}

const MAX_DEPTH = 16;

/** Reads an AnyValue. Bytes are left out. */
function anyValue(value: unknown, depth = 0): AttributeValue | undefined {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
  const any = value as Fields;
  if (typeof any.stringValue === 'string' && present(any, 'stringValue')) return any.stringValue;
  if (typeof any.boolValue === 'boolean' && present(any, 'boolValue')) return any.boolValue;
  if (any.intValue !== undefined && any.intValue !== null && present(any, 'intValue'))
    return Number(integerText(any.intValue));
  if (any.doubleValue !== undefined && any.doubleValue !== null && present(any, 'doubleValue'))
    return Number(any.doubleValue);
  if (typeof any.arrayValue === 'object' && any.arrayValue !== null) {
    return listOf((any.arrayValue as Fields).values).flatMap((item) => anyValue(item, depth + 1) ?? []);
  }
  if (typeof any.kvlistValue === 'object' && any.kvlistValue !== null) {
    const members = listOf((any.kvlistValue as Fields).values);
    return Object.fromEntries(
      members.flatMap(({ key, value: given }) => {
        const read = anyValue(given, depth + 1);
        return typeof key === 'string' && read !== undefined ? [[key, read]] : [];
      }),
    );
  }
  return undefined;
}

/** Returns whether a member was sent: decoded messages inherit the defaults of the others. */
function present(any: Fields, name: string): boolean {
  return Object.hasOwn(any, name);
}

function hex(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return typeof value === 'string' && /^[0-9a-f]*$/i.test(value) ? value.toLowerCase() : '';
}

/** Digits of 64 bits and a sign; ten million digits would take seconds to convert. */
const LONGEST_INTEGER = 20;

/** Returns an integer of 64 bits, given as a number, text or 64-bit pair, as text; a text that is none for anything longer. */
function integerText(value: unknown): string {
  if (typeof value === 'string') return value.length <= LONGEST_INTEGER ? value : 'too long';
  return Array.isArray(value) ? 'a list' : String(value);
}

/** Converts nanoseconds, given as a number, text or 64-bit pair, to milliseconds. */
function milliseconds(value: unknown): number {
  if (value === undefined || value === null || value === '') return 0;
  try {
    return Number(BigInt(integerText(value)) / 1_000_000n);
  } catch {
    return 0;
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
