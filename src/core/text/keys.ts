import { normaliseName } from '../ids.js';
import { type Token, tokenize } from './tokens.js';

/** Longest key in tokens; a longer title is a key too, but text is not searched for it. */
export const MAX_KEY_TOKENS = 8;

/** Longest name in a question, in tokens: a question is short, and titles of songs and books are long. */
export const MAX_QUESTION_TOKENS = 16;

/**
 * Returns the key of a token sequence: norms joined by one space. About-keys, mention keys and the n-grams of a question all
 * have this form, so that "Jay-Z", "Jay – Z" and "jay z" meet while "C", "C++" and "C#" stay three.
 */
export function keyOf(tokens: readonly Token[], start = 0, end = tokens.length): string {
  if (end - start === 1) return tokens[start]!.norm;
  let key = '';
  for (let i = start; i < end; i += 1) key += i === start ? tokens[i]!.norm : ` ${tokens[i]!.norm}`;
  return key;
}

/** Returns the key of a name: a concept's, a title's, a caller's. A name without any word keeps its normalised form. */
export function nameKey(name: string): string {
  return keyOf(tokenize(name)) || normaliseName(name);
}

/** Returns a key as a text writes it; the key itself where the text does not hold it. */
export function writtenAs(key: string, text: string): string {
  const tokens = tokenize(text);
  const words = key.split(' ').length;
  for (let i = 0; i + words <= tokens.length; i += 1) {
    if (keyOf(tokens, i, i + words) === key) return text.slice(tokens[i]!.start, tokens[i + words - 1]!.end);
  }
  return key;
}

/** Returns true for a token written with a capital, or a number. Scripts without capitals count as capitalised. */
export function isCapitalised(token: Token): boolean {
  const code = token.text.charCodeAt(0);
  if (code < 128) return (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
  return /^[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u.test(token.text);
}

/** Returns true for a token with a capital letter in front: what a name found in text must start with. */
export function hasCapitalLetter(token: Token): boolean {
  const code = token.text.charCodeAt(0);
  if (code < 128) return code >= 65 && code <= 90;
  return /^[\p{Lu}\p{Lt}]/u.test(token.text);
}

/**
 * Returns true for a Roman numeral right after a word with a capital: "II" in "Johann Strauss II" belongs to that name and
 * is none itself.
 */
export function isNumeralOfName(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  const token = tokens[at]!;
  if (before === undefined || token.start - before.end !== 1 || !hasCapitalLetter(before)) return false;
  return /^X{0,3}(?:I[XV]|VI{0,3}|I{2,3})$|^X{1,3}I?$/u.test(token.text);
}

/** Returns a norm without the possessive 's. */
export function withoutPossessive(norm: string): string {
  return norm.endsWith("'s") ? norm.slice(0, -2) : norm;
}
