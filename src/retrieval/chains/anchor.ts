import type { ItemWords } from '../expand/item-words.js';
import type { QuestionWord } from '../seed/question-words.js';
import type { WordSpan } from './cuts.js';

/** What a word that the item lacks costs, as a share of the question's mean idf. */
const ABSENT = 0.6;

/** A question or a rewritten one. */
export interface Wording {
  readonly text: string;
  readonly words: readonly QuestionWord[];
  /** Names in it. */
  readonly names: readonly WordSpan[];
}

/**
 * Returns the words of the question that an item explains: the name whose stems all occur in the item, in its title if
 * possible, of the largest idf; without one the window with the largest sum of idf (word in the item) and −0.6 · mean
 * idf (word not in it). Undefined where the item explains nothing.
 */
export function anchorOf({ words, names }: Wording, item: ItemWords): WordSpan | undefined {
  let best: { span: WordSpan; weight: number } | undefined;
  for (const span of names) {
    const inside = words.slice(span.from, span.to).filter((word) => word.content);
    if (inside.length === 0 || !inside.every((word) => holds(item.all, word))) continue;
    const titled = inside.every((word) => holds(item.inTitle, word));
    const weight = inside.reduce((sum, word) => sum + word.idf, 0) + (titled ? 1000 : 0);
    if (best === undefined || weight > best.weight) best = { span, weight };
  }
  return best?.span ?? window(words, item);
}

function window(words: readonly QuestionWord[], item: ItemWords): WordSpan | undefined {
  const content = words.filter((word) => word.content);
  const mean = content.reduce((sum, word) => sum + word.idf, 0) / Math.max(1, content.length);
  let best: { span: WordSpan; weight: number } | undefined;
  let from = 0;
  let sum = 0;
  words.forEach((word, i) => {
    if (sum <= 0) {
      sum = 0;
      from = i;
    }
    if (word.content) sum += holds(item.all, word) ? word.idf : -ABSENT * mean;
    if (word.content && sum > (best?.weight ?? 0)) best = { span: { from, to: i + 1 }, weight: sum };
  });
  if (best === undefined) return undefined;
  let { from: start } = best.span;
  while (start < best.span.to && !words[start]!.content) start += 1;
  return { from: start, to: best.span.to };
}

function holds(stems: ReadonlySet<string>, word: QuestionWord): boolean {
  return stems.has(word.stem) || stems.has(word.stem.replace(/'s?$/u, ''));
}
