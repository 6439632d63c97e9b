import { keyOf, MAX_KEY_TOKENS } from '../../core/text/keys.js';
import { tokenize } from '../../core/text/tokens.js';
import type { RankedAssertion } from './asserted.js';

/** What decides which concepts a rule touches: the endpoints given, as JSON, else (null) the words of its text. */
export interface RuleReading {
  readonly text: string;
  readonly concepts: string | null;
}

/** What one source asserts as a rule. */
export interface KnownRule extends RankedAssertion, RuleReading {
  readonly id: string;
  readonly category: string;
  readonly metadata: string;
}

/** Returns whether two assertions agree on everything about a rule. */
export function sameRule(a: KnownRule, b: KnownRule): boolean {
  return a.text === b.text && a.category === b.category && a.concepts === b.concepts && a.metadata === b.metadata;
}

/** Returns the keys of every name of up to eight tokens that occurs in a rule's text. */
export function ruleKeys(text: string): Set<string> {
  const tokens = tokenize(text);
  const keys = new Set<string>();
  for (let start = 0; start < tokens.length; start += 1) {
    const last = Math.min(tokens.length, start + MAX_KEY_TOKENS);
    for (let end = start + 1; end <= last; end += 1) keys.add(keyOf(tokens, start, end));
  }
  return keys;
}

/** Returns the words with which these keys begin. */
export function ruleWords(text: string): Set<string> {
  return new Set(tokenize(text).map((token) => token.norm));
}

/** Returns the word that a rule which may touch a key is filed under. */
export function firstWord(key: string): string {
  const space = key.indexOf(' ');
  return space < 0 ? key : key.slice(0, space);
}

/** Returns whether a rule filed under the right word or endpoint may touch a concept with one of these keys. */
export function mayTouch({ text, concepts }: RuleReading, keys: ReadonlySet<string>): boolean {
  return concepts !== null || [...ruleKeys(text)].some((key) => keys.has(key));
}
