import type { GraphNode } from '../../core/model.js';
import { wordsOf } from '../../core/text/words.js';
import type { ItemTexts } from '../expand/item-words.js';
import { isVersion } from './change-words.js';

const DIGIT = /\p{Nd}/u;
const QUESTION = /[?？]["'”’)]*\s*$/u;

/**
 * Returns whether a later turn says anew what an earlier one says of the question, without a word that tells of a change: "Lena wears
 * size 128" after "Lena wears size 122". It holds every word of the question that the earlier one holds, asks nothing itself, and
 * has a number where that one has.
 */
export function restates(
  question: { readonly text: string; readonly language: string },
  texts: ItemTexts,
): (earlier: GraphNode, later: GraphNode) => boolean {
  const { text, language } = question;
  const asked = new Set(
    wordsOf(text, language).flatMap(({ stem, stop, norm }) => (stop || isVersion(norm) ? [] : [stem])),
  );
  const known = new Map<GraphNode, ReadonlySet<string>>();
  const held = (node: GraphNode): ReadonlySet<string> => {
    const stems = known.get(node) ?? heldBy(node, asked, texts);
    known.set(node, stems);
    return stems;
  };
  return (earlier, later) => {
    const first = held(earlier);
    if (first.size === 0 || QUESTION.test(later.description)) return false;
    if (DIGIT.test(earlier.description) && !DIGIT.test(later.description)) return false;
    const second = held(later);
    return [...first].every((stem) => second.has(stem));
  };
}

function heldBy(node: GraphNode, asked: ReadonlySet<string>, texts: ItemTexts): Set<string> {
  return new Set(
    texts.of(node).sentences.flatMap((words) => words.flatMap(({ stem }) => (asked.has(stem) ? [stem] : []))),
  );
}
