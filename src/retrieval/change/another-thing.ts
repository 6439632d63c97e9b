import { mapInSlices } from '../../core/async/slices.js';
import type { GraphNode } from '../../core/model.js';
import { type Word, wordsOf } from '../../core/text/words.js';
import type { ItemTexts } from '../expand/item-words.js';
import { isVersion } from './change-words.js';

/** Shorter numbers count things rather than name one. */
const SHORTEST = 3;
const DIGIT = /\p{Nd}/u;
const LETTER = /\p{L}/u;
/** Words that tie a noun to the one before it. Those of places and times are left out: "live in Berlin" says a value. */
const LINKS = new Set(
  'of for with von vom zum zur für fuer fur mit de du des pour avec del para con di per do da com van voor met'.split(
    ' ',
  ),
);
/** Words that ask how much of a thing there is, and tell no thing from another. */
const QUANTITIES = new Set(
  'many much more less few fewer several viel viele vieler mehr weniger wenige einige beaucoup plus moins mucho mucha muchos muchas más menos molto molta molti molte più meno muito muita muitos muitas mais menos veel meer minder weinig'.split(
    ' ',
  ),
);
/** Words between two tied nouns, at most: "of the", "von der neuen". */
const BETWEEN = 4;
const POSSESSIVE = /['’]s$/u;

/** A word where another one could stand. */
interface Placed {
  /** What is around it, and its kind. */
  readonly place: string;
  readonly word: Word;
  /** The noun that makes the place; null for the place of a number, after whatever word it stands. */
  readonly beside: string | null;
}

/**
 * Returns whether a turn is of another thing than the question: "parcel 1233 was cancelled" is no news of parcel 1206, nor "the
 * number of Karl changed" of Lisa's number, nor "the budget meeting was moved" of the team meeting. Such a turn lacks a word of
 * the question and has another one in its place, as the question or a turn with that word has it. Who speaks names himself by
 * speaking: "I stopped drinking coffee" is news of the coffee that Sam drinks.
 */
export async function ofAnotherThing(
  question: { readonly text: string; readonly language: string },
  turns: readonly GraphNode[],
  texts: ItemTexts,
): Promise<(node: GraphNode) => boolean> {
  const asked = wordsOf(question.text, question.language);
  const wanted = new Set(asked.filter(mayName).map(({ stem }) => stem));
  if (wanted.size === 0) return () => false;
  const known = new Map<readonly Word[], Placed[]>();
  const placesOf = (words: readonly Word[]): Placed[] => {
    const found = known.get(words) ?? placed(words).filter(({ beside }) => beside === null || wanted.has(beside));
    known.set(words, found);
    return found;
  };
  const placedIn = (sentences: readonly (readonly Word[])[]): Placed[] => sentences.flatMap(placesOf);
  /** Place → the words of the question that stand there. */
  const places = new Map<string, Set<string>>();
  const inTurns = await mapInSlices(turns, (node) => placedIn(texts.of(node).sentences), 'urgent');
  for (const { place, word } of [placedIn([asked]), ...inTurns].flat()) {
    if (wanted.has(word.stem)) places.set(place, (places.get(place) ?? new Set()).add(word.stem));
  }
  return (node) => {
    const { sentences } = texts.of(node);
    const speaker = wordsOf(node.passage?.message?.speaker ?? '', question.language);
    const own = new Set([speaker, ...sentences].flatMap((words) => words.map(({ stem }) => stem)));
    return placedIn(sentences).some(({ place, word }) => {
      if (wanted.has(word.stem)) return false;
      const there = places.get(place);
      return there !== undefined && ![...there].some((stem) => own.has(stem));
    });
  };
}

/** Returns words that tell one thing from another, with their places. */
function placed(words: readonly Word[]): Placed[] {
  return words.flatMap((word, i): Placed[] => {
    if (!mayName(word)) return [];
    if (isIdentifier(word)) {
      const before = words[i - 1]?.stem;
      const kind = LETTER.test(word.norm) ? 'code' : 'number';
      return before === undefined ? [] : [{ place: `${kind} after ${before}`, word, beside: null }];
    }
    return [besideNext(words, i), besideLast(words, i), besideOwner(words, i), besideOwned(words, i)].flatMap(
      (beside) => {
        return beside === null ? [] : [{ ...beside, word }];
      },
    );
  });
}

/** Returns the place before a noun: "team meeting", "Lisa's number". */
function besideNext(words: readonly Word[], i: number): Omit<Placed, 'word'> | null {
  const next = words[i + 1];
  return next === undefined || !mayName(next) ? null : { place: `before ${next.stem}`, beside: next.stem };
}

/** Returns the place after a noun that it is tied to: "number of Lisa". */
function besideLast(words: readonly Word[], i: number): Omit<Placed, 'word'> | null {
  let at = i - 1;
  while (at >= 0 && i - at <= BETWEEN && isBetween(words[at]!)) at -= 1;
  const [last, link] = [words[at], words[at + 1]!];
  if (last === undefined || !mayName(last) || !LINKS.has(link.norm)) return null;
  return { place: `after ${last.stem} ${link.norm}`, beside: last.stem };
}

/** Returns the place after an owner: "my wife's birthday". */
function besideOwner(words: readonly Word[], i: number): Omit<Placed, 'word'> | null {
  let at = i - 1;
  while (at >= 0 && isVersion(words[at]!.norm)) at -= 1;
  const owner = words[at];
  return owner === undefined || !POSSESSIVE.test(owner.norm) ? null : { place: `of ${owner.stem}`, beside: owner.stem };
}

/** Returns the same place before an owner: "the birthday of my wife". */
function besideOwned(words: readonly Word[], i: number): Omit<Placed, 'word'> | null {
  const link = words[i + 1];
  if (link === undefined || !LINKS.has(link.norm)) return null;
  let at = i + 2;
  while (at < words.length && at - i <= BETWEEN && isBetween(words[at]!)) at += 1;
  const owner = words[at];
  return owner === undefined || !mayName(owner) ? null : { place: `of ${owner.stem}`, beside: owner.stem };
}

function isBetween({ stop, norm }: Word): boolean {
  return stop || isVersion(norm);
}

/** The same word is the same object, mostly, and it is asked for each word beside it. */
const naming = new WeakMap<Word, boolean>();

/** Returns whether a word may tell one thing from another. */
function mayName(word: Word): boolean {
  const known = naming.get(word);
  if (known !== undefined) return known;
  const { stop, norm } = word;
  const isName = !stop && norm.length > 1 && !DIGIT.test(norm) && !isVersion(norm) && !QUANTITIES.has(norm);
  const may = isIdentifier(word) || isName;
  naming.set(word, may);
  return may;
}

function isIdentifier({ norm }: Word): boolean {
  return norm.length >= SHORTEST && DIGIT.test(norm);
}
