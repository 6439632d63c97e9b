import { LABELS } from '../text/connectors.js';
import { fold } from '../text/fold.js';

/** A line that opens with a word and a colon: the word, and what stands behind. */
const HEAD = /^[^\p{L}\p{N}\n]{0,6}(\p{Lu}[\p{L}\p{M}'’-]{1,30})[ \u00a0\u202f]?:[ \u00a0\u202f]+(\S[^\n]{0,80})/gmu;
/** A value: an address, or a number with at most two words, such as an amount or a day. */
const VALUE =
  /^(?:https?:\/\/\S+|www\.\S+|\S+@\S+\.\S+|[+(]?\d[\d\s.,:/()+-]*\p{Sc}?(?:\s?[\p{L}\p{M}.]+){0,2})[.;]?\s*$/u;
/** Characters of a text that are read. */
const READ = 20_000;

/**
 * Returns the words before a colon that are labels of what stands behind them, folded, and no names of who speaks: those with nothing but a value behind them
 * ("Portable : 06 12 34 56 78"), and those among more labels than others ("Date : 3 mai / Consigne : un pull"). What comes again, once with words, speaks. Pure.
 */
export function labelsIn(text: string): Set<string> {
  const heads = new Map<string, { count: number; values: number }>();
  for (const [, word, behind] of text.slice(0, READ).matchAll(HEAD)) {
    const key = fold(word!.toLowerCase());
    const head = heads.get(key) ?? { count: 0, values: 0 };
    heads.set(key, { count: head.count + 1, values: head.values + (VALUE.test(behind!) ? 1 : 0) });
  }
  const labels = new Set([...heads].flatMap(([key, { count, values }]) => (isLabel(key, count, values) ? [key] : [])));
  const others = [...heads].filter(([key]) => !labels.has(key));
  const speaks = others.some(([, { count }]) => count > 1);
  if (!speaks && labels.size > others.length) for (const [key] of others) labels.add(key);
  return labels;
}

function isLabel(key: string, count: number, values: number): boolean {
  return LABELS.has(key) || values === count;
}
