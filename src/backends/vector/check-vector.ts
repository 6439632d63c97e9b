import { SvcError } from '../../core/errors.js';
import type { Json, JsonObject } from '../../core/model.js';
import { isStorable } from '../../core/text/clean.js';
import type { Metric } from './port.js';
import { normOf } from './score.js';

/** The largest dimension an index may have. */
const MAX_DIMENSION = 8192;

/**
 * Returns a vector as float32 with its norm; `what` is the member that it came in. Throws `invalid_input` for a wrong dimension, NaN or an infinite
 * component.
 */
export function checkedVector(
  vector: Float32Array | readonly number[],
  dimension: number,
  what: string,
): { vector: Float32Array; norm: number } {
  if (vector.length !== dimension) {
    throw new SvcError(
      'invalid_input',
      `${what} has ${vector.length} components; the index has dimension ${dimension}.`,
      { member: what, expected: dimension, got: vector.length },
    );
  }
  const floats = vector instanceof Float32Array ? vector : Float32Array.from(vector);
  const norm = normOf(floats);
  if (!Number.isFinite(norm)) {
    const at = floats.findIndex((component) => !Number.isFinite(component));
    throw new SvcError('invalid_input', `${what} has a component that is not a finite 32-bit number (at ${at}).`, {
      member: what,
    });
  }
  return { vector: floats, norm };
}

/** Throws `invalid_input` unless the dimension is an integer from 1 to `MAX_DIMENSION`. */
export function checkDimension(dimension: number): void {
  if (!Number.isInteger(dimension) || dimension < 1 || dimension > MAX_DIMENSION) {
    throw new SvcError('invalid_input', `dimension must be an integer from 1 to ${MAX_DIMENSION}.`, {
      member: 'dimension',
    });
  }
}

/** Throws `conflict` when an index exists with another dimension, or another metric, than the requested one. */
export function checkSameShape(
  name: string,
  existing: { readonly dimension: number; readonly metric: Metric },
  wanted: { readonly dimension: number; readonly metric?: Metric | undefined },
): void {
  const { dimension, metric } = existing;
  if (dimension !== wanted.dimension) {
    throw new SvcError(
      'conflict',
      `Index ${name} exists with dimension ${dimension}; delete it first or use another name.`,
      {
        dimension,
      },
    );
  }
  if (wanted.metric !== undefined && metric !== wanted.metric) {
    throw new SvcError('conflict', `Index ${name} exists with metric ${metric}; delete it first or use another name.`, {
      metric,
    });
  }
}

export function indexNotFound(name: string, fix = 'create it first'): SvcError {
  return new SvcError('index_not_found', `There is no vector index ${name}; ${fix}.`, { index_name: name });
}

/** Throws `invalid_input` unless every engine can keep the id: 1 to 512 characters of well-formed text without NUL. */
export function checkId(id: string): void {
  if (id.length === 0 || id.length > 1024 || [...id].length > 512 || !isStorable(id)) {
    throw new SvcError('invalid_input', 'An id must be 1 to 512 characters of well-formed text without NUL.', {
      member: 'ids',
    });
  }
}

/** Returns metadata as JSON text. Throws `invalid_input` where it or the document has NUL or half a surrogate pair. */
export function checkedTexts(entry: { readonly metadata?: JsonObject; readonly document?: string }): string {
  const metadata = JSON.stringify(entry.metadata ?? {});
  if (entry.document !== undefined && !isStorable(entry.document)) throw unkeepable('documents');
  // The escapes only hint: a text may spell them out.
  if (/\\u(?:0000|d[89a-f])/.test(metadata) && !isStorableJson(entry.metadata)) throw unkeepable('metadata');
  return metadata;
}

function isStorableJson(value: Json | undefined): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (Array.isArray(value)) return value.every(isStorableJson);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isStorableJson(inner as Json));
}

function unkeepable(member: string): SvcError {
  return new SvcError('invalid_input', `${member} contains NUL or half a surrogate pair; send well-formed text.`, {
    member,
  });
}
