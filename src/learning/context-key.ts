import { SvcError } from '../core/errors.js';
import { hash20 } from '../core/ids.js';

/** A context as callers give it: any JSON object; equal content is one partition whatever the order of its members. */
export type LearningContext = Readonly<Record<string, unknown>>;

export interface ContextKey {
  /** `default` for none or an empty one, else 20 hex. */
  readonly key: string;
  /** Canonical JSON of the context. */
  readonly json: string;
}

export const DEFAULT_CONTEXT: ContextKey = { key: 'default', json: '{}' };
const MAX_CONTEXT = 16_384;

/** The partition of a context. Throws `invalid_input` for values that JSON cannot hold, or over 16 KiB. */
export function contextKey(context: LearningContext | null | undefined): ContextKey {
  if (context === undefined || context === null) return DEFAULT_CONTEXT;
  if (typeof context !== 'object' || Array.isArray(context)) {
    throw new SvcError('invalid_input', 'context must be a JSON object.', { member: 'context' });
  }
  if (Object.keys(context).length === 0) return DEFAULT_CONTEXT;
  const json = canonicalJson(context);
  if (json.length > MAX_CONTEXT) {
    throw new SvcError('invalid_input', `context must not be longer than ${MAX_CONTEXT} characters as JSON.`, {
      member: 'context',
    });
  }
  return { key: hash20(json), json };
}

/** JSON with sorted member names and no white space; members that are undefined are left out. */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > 32) throw new SvcError('invalid_input', 'context must not be nested deeper than 32 levels.');
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: unknown) => canonicalJson(item, depth + 1)).join(',')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member, depth + 1)}`).join(',')}}`;
  }
  throw new SvcError('invalid_input', 'context must hold JSON values only (no NaN, no functions).', {
    member: 'context',
  });
}
