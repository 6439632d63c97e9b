import { keyOf, MAX_KEY_TOKENS } from '../../core/text/keys.js';
import { tokenize } from '../../core/text/tokens.js';

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
