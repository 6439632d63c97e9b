import { SvcError } from '../../core/errors.js';
import { hasInvisible, isStorable, readableText, storableText } from '../../core/text/clean.js';

/** Members that are written to be read: stray characters are taken out of them. All others name something. */
export const PROSE: ReadonlySet<string> = new Set([
  'text',
  'context',
  'concepts',
  'edges',
  'rules',
  'comment',
  'description',
]);
/** Long lists of numbers, as their schema says. */
const NUMBERS = new Set(['vector', 'vectors', 'query_vector']);

/** Levels of objects and lists in one member. */
const MAX_DEPTH = 100;

/**
 * Cleans texts of NUL and half surrogate pairs, which not every engine can keep: in prose NUL goes and half a pair becomes
 * U+FFFD, elsewhere they are `invalid_input`, and so is absurd nesting. Prose loses invisible marks inside words too, so that
 * a question meets the words of documents. Changes `input`, which is a copy; returns true where it did.
 */
export function cleanText(input: Record<string, unknown>): boolean {
  let changed = false;
  for (const [name, value] of Object.entries(input)) {
    if (NUMBERS.has(name) || value instanceof Uint8Array) continue;
    const prose = PROSE.has(name);
    const state = stateOf(value, prose ? isCleanProse : isStorable, MAX_DEPTH);
    if (state === 'deep') {
      throw new SvcError('invalid_input', `${name} is nested deeper than ${MAX_DEPTH} levels; flatten it.`, {
        member: name,
      });
    }
    if (state === 'clean') continue;
    if (!prose) {
      throw new SvcError('invalid_input', `${name} holds NUL or half a surrogate pair; send well-formed text.`, {
        member: name,
      });
    }
    input[name] = cleaned(value);
    changed = true;
  }
  return changed;
}

type IsClean = (text: string) => boolean;

function isCleanProse(text: string): boolean {
  return isStorable(text) && !hasInvisible(text);
}

/** Tells in one pass, without copies, whether a value is nested deeper than `left` levels, or else holds unclean texts. */
function stateOf(value: unknown, isClean: IsClean, left: number): 'clean' | 'unclean' | 'deep' {
  if (typeof value === 'string') return isClean(value) ? 'clean' : 'unclean';
  if (typeof value !== 'object' || value === null) return 'clean';
  if (left === 0) return 'deep';
  let clean = true;
  if (Array.isArray(value)) {
    for (const inner of value) {
      const state = stateOf(inner, isClean, left - 1);
      if (state === 'deep') return state;
      clean &&= state === 'clean';
    }
  } else {
    for (const name in value) {
      const state = stateOf((value as Record<string, unknown>)[name], isClean, left - 1);
      if (state === 'deep') return state;
      clean &&= state === 'clean' && isStorable(name);
    }
  }
  return clean ? 'clean' : 'unclean';
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return readableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cleaned);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [storableText(name), cleaned(inner)]));
}
