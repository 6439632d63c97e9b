import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '../../../core/model.js';
import type { Scalar } from '../filter.js';
import type { VectorEntry } from '../port.js';

/**
 * An entry as a point's payload. Qdrant's own matching is looser than our filters (it looks into lists, knows no order
 * of texts and no null), so the scalar members stand beside the metadata in a form that it matches exactly.
 */
export interface Payload {
  /** The real id; the point's is a UUID made of it. */
  readonly id: string;
  readonly partition: string;
  /** JSON text, as given. */
  readonly metadata: string;
  readonly document?: string;
  /** Float32, little-endian, base64: Qdrant itself keeps a normalised copy under cosine. */
  readonly vector: string;
  /** One token for each scalar member and its value, and one for each text member. */
  readonly terms: readonly string[];
  /** Numbers by path. */
  readonly numbers: Readonly<Record<string, number>>;
  /** New with every write, for writes that depend on what was read. */
  readonly revision: string;
}

/** Returns the token of a member with this value. */
export function termOf(path: readonly string[], value: Scalar): string {
  return digest(['=', ...path, JSON.stringify(value)]);
}

/** Returns the token of a member that is a text, whatever its value. */
export function textTermOf(path: readonly string[]): string {
  return digest(['text', ...path]);
}

/** Returns the name of a path under `numbers`: letters and digits only, as Qdrant's paths want. */
export function numberKey(path: readonly string[]): string {
  return `n${digest(['number', ...path])}`;
}

/** Returns a UUID (version 5 in form) from an id; equal ids, equal points. */
export function pointId(id: string): string {
  const hex = createHash('sha1').update('vector entry\0').update(id).digest('hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns the payload of a checked entry. */
export function payloadOf(entry: VectorEntry & { readonly vector: Float32Array }, revision: string): Payload {
  const terms: string[] = [];
  const numbers: Record<string, number> = {};
  collect(entry.metadata ?? {}, [], { terms, numbers });
  return {
    id: entry.id,
    partition: entry.partition ?? '',
    metadata: JSON.stringify(entry.metadata ?? {}),
    ...(entry.document === undefined ? {} : { document: entry.document }),
    vector: bytesOf(entry.vector).toString('base64'),
    terms,
    numbers,
    revision,
  };
}

/** Returns the entry of a payload. */
export function entryOf(
  payload: Payload,
): VectorEntry & { readonly vector: Float32Array; readonly metadata: JsonObject } {
  const { id, partition, document } = payload;
  return {
    id,
    partition,
    vector: vectorOf(payload.vector),
    metadata: JSON.parse(payload.metadata) as JsonObject,
    ...(document === undefined ? {} : { document }),
  };
}

function collect(
  members: JsonObject,
  path: readonly string[],
  into: { terms: string[]; numbers: Record<string, number> },
): void {
  for (const [name, value] of Object.entries(members)) {
    const at = [...path, name];
    if (isObject(value)) collect(value, at, into);
    if (typeof value === 'object' && value !== null) continue;
    into.terms.push(termOf(at, value));
    if (typeof value === 'string') into.terms.push(textTermOf(at));
    if (typeof value === 'number') into.numbers[numberKey(at)] = value;
  }
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}

function bytesOf(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

function vectorOf(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  const vector = new Float32Array(bytes.length / 4);
  new Uint8Array(vector.buffer).set(bytes);
  return vector;
}
