import type { GraphNode } from '../../core/model.js';
import { type Word, wordsOf } from '../../core/text/words.js';
import type { Question } from '../seed/question.js';

/** Stem → items with a name that the question holds whole and that has this stem. */
export type AskedNames = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns the words of the question that are a name of an item, or a part of one that the question holds whole. Capitals do
 * not count: who asks for "backups" means the page of that name too.
 */
export function askedNames(
  nodes: Iterable<GraphNode>,
  { terms, language }: Pick<Question, 'terms' | 'language'>,
): AskedNames {
  const items = new Map<string, Set<string>>();
  const held = (text: string): boolean => holdsAll(terms, wordsOf(text, language));
  for (const { id, name, passage } of nodes) {
    if (passage?.message !== undefined) continue;
    for (const written of passage === undefined ? [name] : passage.about.map(({ key }) => key)) {
      // Nearly no name passes its first word.
      if (!held(firstWord(written)) || !held(written)) continue;
      for (const { stem, stop } of wordsOf(written, language))
        if (!stop) items.set(stem, (items.get(stem) ?? new Set()).add(id));
    }
  }
  return items;
}

/** Tells whether a question of these terms holds all words but stop words. */
export function holdsAll(terms: ReadonlyMap<string, number>, words: readonly Word[]): boolean {
  return words.every(({ stem, stop }) => stop || terms.has(stem));
}

function firstWord(name: string): string {
  const end = name.indexOf(' ');
  return end === -1 ? name : name.slice(0, end);
}

/** Returns the words of the question that are names of other items than these. */
export function namesOfOthers(names: AskedNames, own: readonly string[]): Set<string> {
  const others = [...names].filter(([, items]) => !own.some((id) => items.has(id)));
  return new Set(others.map(([stem]) => stem));
}

/**
 * Returns how much of what a sentence shares with the question are names of other items, by idf. A sentence that shares nothing
 * else, such as one of an index page, says where these are found and nothing about what else it mentions.
 */
export function shareOfOthers(
  terms: ReadonlyMap<string, number>,
  sentence: readonly Word[],
  others: ReadonlySet<string>,
): number {
  if (others.size === 0) return 0;
  let total = 0;
  let found = 0;
  for (const stem of new Set(sentence.map((word) => word.stem))) {
    const idf = terms.get(stem) ?? 0;
    total += idf;
    if (others.has(stem)) found += idf;
  }
  return total === 0 ? 0 : found / total;
}
