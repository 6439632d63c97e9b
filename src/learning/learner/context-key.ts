import { canonicalJson } from '../../core/canonical-json.js';
import { SvcError } from '../../core/errors.js';
import { hash20 } from '../../core/ids.js';

/** A context as callers give it: any JSON object; equal content is one partition whatever the order of its members. */
export type LearningContext = Readonly<Record<string, unknown>>;

export interface ContextKey {
  /** `default` for none or an empty one, else 20 hex. */
  readonly key: string;
  /** Canonical JSON of the context. */
  readonly json: string;
}

const DEFAULT_CONTEXT: ContextKey = { key: 'default', json: '{}' };
const MAX_CONTEXT = 16_384;
const MAX_DEPTH = 32;

/** Returns the partition of a context. Throws `invalid_input` for values that JSON cannot hold, or over 16 KiB. */
export function contextKey(context: LearningContext | null | undefined): ContextKey {
  if (context === undefined || context === null) return DEFAULT_CONTEXT;
  if (typeof context !== 'object' || Array.isArray(context)) {
    throw new SvcError('invalid_input', 'context must be a JSON object.', { member: 'context' });
  }
  if (Object.keys(context).length === 0) return DEFAULT_CONTEXT;
  checkJson(context, 0);
  const json = canonicalJson(context);
  if (json.length > MAX_CONTEXT) {
    throw new SvcError('invalid_input', `context must not be longer than ${MAX_CONTEXT} characters as JSON.`, {
      member: 'context',
    });
  }
  return { key: hash20(json), json };
}

/** Throws `invalid_input` for what JSON cannot hold and for what is nested too deep. */
function checkJson(value: unknown, depth: number): void {
  if (depth > MAX_DEPTH) {
    throw new SvcError('invalid_input', `context must not be nested deeper than ${MAX_DEPTH} levels.`);
  }
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (typeof value === 'object') {
    for (const member of Object.values(value)) {
      if (member !== undefined || Array.isArray(value)) checkJson(member, depth + 1);
    }
    return;
  }
  throw new SvcError('invalid_input', 'context must hold JSON values only (no NaN, no functions).', {
    member: 'context',
  });
}
