import { fold } from '../../../core/text/fold.js';

const LONGEST_NAME = 200;
const RELATION = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Returns a name on one line, without quotation marks around it and punctuation after it; null for none. */
export function cleanName(given: unknown): string | null {
  if (typeof given !== 'string') return null;
  if (given.length > 2 * LONGEST_NAME) return null;
  const line = given
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  const name = withoutPunctuation(withoutQuotes(withoutPunctuation(line)));
  return name === '' || name.length > LONGEST_NAME || !/[\p{L}\p{N}]/u.test(name) ? null : name;
}

function withoutQuotes(name: string): string {
  return name.replace(/^["“”«»'‘’`]+|["“”«»'‘’`]+$/gu, '').trim();
}

/** Leaves the full stop of an abbreviation. */
function withoutPunctuation(name: string): string {
  return name.replace(/[,;:]+$|(?<![.\s]\p{L}|\b\p{L}{1,3})\.$/u, '').trim();
}

/** Returns a relation as the graph stores it: "is published by" is IS_PUBLISHED_BY; null where nothing is left. */
export function relationName(given: unknown): string | null {
  if (typeof given !== 'string') return null;
  const name = fold(given)
    .toUpperCase()
    .replace(/[^A-Z0-9]+/gu, '_')
    .replace(/^[_0-9]+|_+$/gu, '')
    .slice(0, 64);
  return RELATION.test(name) ? name : null;
}

/** Returns a text on one line, cut to a length; null for none. */
export function cleanLine(given: unknown, longest: number): string | null {
  if (typeof given !== 'string') return null;
  const line = given.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line === '' ? null : line.slice(0, longest);
}
