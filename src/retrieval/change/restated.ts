import type { GraphNode } from '../../core/model.js';
import { type Word, wordsOf } from '../../core/text/words.js';
import type { ItemTexts } from '../expand/item-words.js';
import { isVersion } from './change-words.js';
import { FIRST_PERSON } from './one-at-a-time.js';
import { asksWhere, directionOf, saysWhere } from './place-words.js';

const DIGIT = /\p{Nd}/u;
const QUESTION = /[?？]["'”’)]*\s*$/u;
/** Words on each side of a number that tell what it counts: "18 euros", "size 122", "the code is 4471". */
const AROUND = 3;
/** Words between a direction and where it leads, at most: "to the new office". */
const BETWEEN = 2;

/** What a turn says, as far as another one may say it anew. */
interface TurnStatement {
  /** Stems of the question that it holds. */
  readonly held: ReadonlySet<string>;
  /** Directions and such stems behind them: "to rome". */
  readonly directions: ReadonlySet<string>;
  /** Whether it tells what the speaker does: "I pay 900 euros rent", and not "My brother pays 600 euros rent". */
  readonly isOwn: boolean;
  /** Whether it may say where something is; never where the question does not ask for it. */
  readonly isPlaced: boolean;
  /** Stems beside its numbers; undefined where it has none. */
  readonly counted: ReadonlySet<string> | undefined;
}

/**
 * Returns whether a later turn says anew what an earlier one says of the question, without a word that tells of a change: "Lena wears
 * size 128" after "Lena wears size 122". It holds every word of the question that the earlier one holds, asks nothing itself, and has
 * a number of the same where that one has one, and a place where the question asks for one. What leads to a thing does not say anew
 * what leads from it, nor what others do what the speaker does.
 */
export function restates(
  question: { readonly text: string; readonly language: string },
  texts: ItemTexts,
): (earlier: GraphNode, later: GraphNode) => boolean {
  const { text, language } = question;
  const asked = new Set(
    wordsOf(text, language).flatMap(({ stem, stop, norm }) => (stop || isVersion(norm) ? [] : [stem])),
  );
  const wantsPlace = asksWhere(text);
  const known = new Map<GraphNode, TurnStatement>();
  const saidBy = (node: GraphNode): TurnStatement => {
    const said = known.get(node) ?? {
      ...saidIn(texts.of(node).sentences, asked),
      isPlaced: wantsPlace && saysWhere(node.description, language),
    };
    known.set(node, said);
    return said;
  };
  return (earlier, later) => {
    const first = saidBy(earlier);
    if (first.held.size === 0 || QUESTION.test(later.description)) return false;
    const second = saidBy(later);
    if (first.isPlaced && !second.isPlaced) return false;
    if (first.counted !== undefined && !shareAny(first.counted, second.counted)) return false;
    if (isOpposite(first, second) || (first.isOwn && !second.isOwn)) return false;
    return [...first.held].every((stem) => second.held.has(stem));
  };
}

function saidIn(
  sentences: ReadonlyArray<readonly Word[]>,
  asked: ReadonlySet<string>,
): Omit<TurnStatement, 'isPlaced'> {
  const held = new Set<string>();
  const directions = new Set<string>();
  const counted = new Set<string>();
  let hasNumber = false;
  let isOwn = false;
  for (const words of sentences) {
    for (const [i, { stem, norm }] of words.entries()) {
      isOwn ||= FIRST_PERSON.has(norm.split(/['’]/u, 1)[0]!);
      if (asked.has(stem)) {
        held.add(stem);
        const direction = words.slice(Math.max(0, i - BETWEEN - 1), i).findLast((word) => directionOf(word.norm));
        if (direction !== undefined) directions.add(`${directionOf(direction.norm)} ${stem}`);
      }
      if (!DIGIT.test(norm)) continue;
      hasNumber = true;
      for (const beside of words.slice(Math.max(0, i - AROUND), i + AROUND + 1))
        if (!DIGIT.test(beside.norm)) counted.add(beside.stem);
    }
  }
  return { held, directions, isOwn, counted: hasNumber ? counted : undefined };
}

function shareAny(first: ReadonlySet<string>, second: ReadonlySet<string> | undefined): boolean {
  if (second === undefined) return false;
  // A number alone counts whatever the other one does.
  return first.size === 0 || second.size === 0 || [...first].some((stem) => second.has(stem));
}

/** Returns whether a turn leads from something that another one leads to. */
function isOpposite({ directions: first }: TurnStatement, { directions: second }: TurnStatement): boolean {
  return [...first].some((one) => {
    const [direction, stem] = one.split(' ');
    return !second.has(one) && second.has(`${direction === 'to' ? 'from' : 'to'} ${stem}`);
  });
}
