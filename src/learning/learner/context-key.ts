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
  if (isEmpty(context)) return DEFAULT_CONTEXT;
  checkJson(context, { depth: 0, left: MAX_CONTEXT });
  const json = canonicalJson(context);
  if (json.length > MAX_CONTEXT) throw tooLong();
  return { key: hash20(json), json };
}

function isEmpty(context: LearningContext): boolean {
  for (const name in context) if (Object.hasOwn(context, name)) return false;
  return true;
}

/** How deep the walk is, and how many characters of JSON it may still meet at least. */
interface JsonBudget {
  readonly depth: number;
  left: number;
}

/**
 * Throws `invalid_input` for what JSON cannot hold, is nested too deep or is too long. Stops where the length is
 * exceeded, so that a huge context costs no more than one of the longest allowed.
 */
function checkJson(value: unknown, budget: JsonBudget): void {
  if (budget.depth > MAX_DEPTH) {
    throw new SvcError('invalid_input', `context must not be nested deeper than ${MAX_DEPTH} levels.`, {
      member: 'context',
    });
  }
  spend(budget, typeof value === 'string' ? value.length + 2 : 1);
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (typeof value !== 'object') {
    throw new SvcError('invalid_input', 'context must hold JSON values only (no NaN, no functions).', {
      member: 'context',
    });
  }
  const inner: JsonBudget = { depth: budget.depth + 1, left: budget.left };
  if (Array.isArray(value)) {
    for (const item of value) checkJson(item, inner);
  } else {
    for (const name in value) {
      if (!Object.hasOwn(value, name)) continue;
      spend(inner, name.length + 3);
      const member = (value as Record<string, unknown>)[name];
      if (member !== undefined) checkJson(member, inner);
    }
  }
  budget.left = inner.left;
}

function spend(budget: JsonBudget, characters: number): void {
  budget.left -= characters;
  if (budget.left < 0) throw tooLong();
}

function tooLong(): SvcError {
  return new SvcError('invalid_input', `context must not be longer than ${MAX_CONTEXT} characters as JSON.`, {
    member: 'context',
  });
}
