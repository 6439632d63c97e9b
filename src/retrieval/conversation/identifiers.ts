import type { GraphNode } from '../../core/model.js';
import { type Word, wordsOf } from '../../core/text/words.js';
import type { ItemTexts } from '../expand/item-words.js';

/** Shorter numbers count things rather than name one. */
const SHORTEST = 3;
const DIGIT = /\p{Nd}/u;
const LETTER = /\p{L}/u;

/**
 * Returns whether a turn is of a thing with another number than the one that the question names: "parcel 1233 was cancelled" is
 * no news of parcel 1206. Such a turn holds no number or code of the question, and one of the same kind after a word after which
 * the question, or a turn, has its own.
 */
export function ofAnotherNumber(
  question: { readonly text: string; readonly language: string },
  turns: readonly GraphNode[],
  texts: ItemTexts,
): (node: GraphNode) => boolean {
  const asked = wordsOf(question.text, question.language);
  const wanted = new Set(asked.filter(isIdentifier).map(({ norm }) => norm));
  if (wanted.size === 0) return () => false;
  const places = new Set<string>();
  const sentencesOf = (node: GraphNode) => texts.of(node).sentences;
  for (const words of [asked, ...turns.flatMap(sentencesOf)]) {
    for (const [place, { norm }] of identifiers(words)) if (wanted.has(norm)) places.add(place);
  }
  return (node) => {
    const sentences = sentencesOf(node);
    if (sentences.some((words) => words.some(({ norm }) => wanted.has(norm)))) return false;
    return sentences.some((words) => identifiers(words).some(([place]) => places.has(place)));
  };
}

/** Returns numbers and codes, each with its place: its kind and the word before it. */
function identifiers(words: readonly Word[]): Array<[place: string, word: Word]> {
  return words.flatMap((word, i) => {
    if (i === 0 || !isIdentifier(word)) return [];
    return [[`${words[i - 1]!.stem} ${LETTER.test(word.norm) ? 'code' : 'number'}`, word]];
  });
}

function isIdentifier({ norm }: Word): boolean {
  return norm.length >= SHORTEST && DIGIT.test(norm);
}
