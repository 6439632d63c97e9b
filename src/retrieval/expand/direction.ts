import type { Word } from '../../core/text/words.js';
import type { QuestionWord } from '../seed/question-words.js';
import { likeness } from './words-near.js';

export const RELATIVES = new Set(['that', 'which', 'who']);
const BE = new Set('is are was were be been being'.split(' '));
const AUXILIARIES = new Set(
  'is are was were do does did has have had can could will would shall should may might must'.split(' '),
);
const ARTICLES = new Set(['the', 'a', 'an']);
const PARTICIPLE = /(?:[^e]ed|en|wn)$/u;
/** Nouns for who or what does something: "owner", "suppliers", "dependents". */
const DOER = /(?:[eo]r|dependent)s?$/u;

interface RelationMention {
  /** Place of the word that means the relation. */
  readonly verb: number;
  /** Places of the item's own name. */
  readonly own: readonly number[];
  /** Words of the relation's name. */
  readonly named: readonly Word[];
}

/**
 * Returns true where the form of an English question asks for edges that leave the item that it names, false for edges that
 * arrive there, undefined where it does not tell: a noun ("the requirements of A") may stand for either.
 */
export function directionAsked(
  words: readonly QuestionWord[],
  { verb, own, named }: RelationMention,
): boolean | undefined {
  const [first] = own;
  if (first === undefined) return undefined;
  const relation = named.map(({ norm }) => norm);
  const before = placeBefore(words, first);
  if (words[before]?.norm === 'of' && !relation.includes('of')) return undefined;
  if (own.some((at) => words[at]!.possessive)) return undefined;
  const isPassive =
    words[verb + 1]?.norm === 'by' ||
    (PARTICIPLE.test(words[verb]!.norm) && words.slice(0, verb).some(({ norm }) => BE.has(norm)));
  if (!isPassive && isNounBefore(words, verb, first)) {
    const direction = directionOfNoun(words[verb]!, named);
    if (direction !== 'as a verb') return direction;
  }
  return first < verb !== (isPassive !== isNamePassive(relation, { words, verb, isPassive }));
}

/**
 * Returns whether a relation's name is in the passive: MAINTAINED_BY, IS_OWNED. A participle that ends the name is the past of
 * a verb (REPAIRED), and one before another preposition may be (LIVED_IN) or not (USED_IN): where the question has that
 * preposition too, or asks for a place, it speaks as the name does.
 */
function isNamePassive(
  relation: readonly string[],
  {
    words,
    verb,
    isPassive,
  }: { readonly words: readonly QuestionWord[]; readonly verb: number; readonly isPassive: boolean },
): boolean {
  const participle = relation.findIndex((norm) => PARTICIPLE.test(norm));
  if (relation.includes('by')) return true;
  if (participle === -1) return false;
  if (participle === relation.length - 1) return relation.some((norm) => BE.has(norm));
  const isAlike = [words[verb + 1], words[0]].some(
    (word) => word?.norm === 'where' || relation.indexOf(word?.norm ?? '') > participle,
  );
  return isAlike ? isPassive : true;
}

/** Returns the place before a name and its article. */
function placeBefore(words: readonly QuestionWord[], name: number): number {
  let before = name - 1;
  while (before >= 0 && ARTICLES.has(words[before]!.norm)) before -= 1;
  return before;
}

/**
 * Returns whether the word that means the relation is a noun before an auxiliary and the name: "requirements" in "What
 * requirements does A have?" and "Which requirements in production has A?".
 */
function isNounBefore(words: readonly QuestionWord[], noun: number, name: number): boolean {
  const isAuxiliary = (at: number): boolean => AUXILIARIES.has(words[at]?.norm ?? '');
  if (noun >= name) return false;
  if (isAuxiliary(noun + 1)) return true;
  const before = placeBefore(words, name);
  return before > noun && isAuxiliary(before) && !words.slice(noun, before).some(({ norm }) => RELATIVES.has(norm));
}

/**
 * What A has are the ends of edges that leave it: its requirements, its uses. Relations that end in "of" or "by" run the other
 * way, to the whole of which A has parts. Who does something is asked for as by the verb: "What owner does A have?" means "What
 * owns A?". Where a relation's name holds no word like such a noun, the noun may as well be the other end: "server" and RUNS_ON.
 */
function directionOfNoun(noun: QuestionWord, named: readonly Word[]): boolean | undefined | 'as a verb' {
  const isInverse = named.some(({ norm }) => norm === 'of' || norm === 'by');
  const isNamed = named.some(({ norm }) => singular(norm) === singular(noun.norm));
  if (!DOER.test(noun.norm) || isNamed) return !isInverse;
  const isLike = named.some((word) => !word.stop && likeness(noun.stem, word) > 0);
  return isLike || isInverse ? 'as a verb' : undefined;
}

function singular(noun: string): string {
  return noun.replace(/s$/u, '');
}
