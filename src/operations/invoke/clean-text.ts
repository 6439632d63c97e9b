import { SvcError } from '../../core/errors.js';
import { isStorable, storableText } from '../../core/text/storable.js';

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
 * Cleans texts of NUL and half surrogate pairs, which not every engine can keep: prose loses them, elsewhere they are
 * `invalid_input`, and so is absurd nesting. Changes `input`, which is a copy; returns true where it did.
 */
export function cleanText(input: Record<string, unknown>): boolean {
  let changed = false;
  for (const [name, value] of Object.entries(input)) {
    if (NUMBERS.has(name) || value instanceof Uint8Array) continue;
    if (!isShallow(value, MAX_DEPTH)) {
      throw new SvcError('invalid_input', `${name} is nested deeper than ${MAX_DEPTH} levels; flatten it.`, {
        member: name,
      });
    }
    if (isClean(value)) continue;
    if (!PROSE.has(name)) {
      throw new SvcError('invalid_input', `${name} holds NUL or half a surrogate pair; send well-formed text.`, {
        member: name,
      });
    }
    input[name] = cleaned(value);
    changed = true;
  }
  return changed;
}

function isShallow(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return left > 0 && inner.every((one) => isShallow(one, left - 1));
}

function isClean(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isClean);
  return Object.entries(value).every(([name, inner]) => isStorable(name) && isClean(inner));
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cleaned);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [storableText(name), cleaned(inner)]));
}
