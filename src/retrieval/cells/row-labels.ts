import type { GraphNode } from '../../core/model.js';
import type { Word } from '../../core/text/words.js';
import type { RetrievalParts } from '../collaborators.js';
import type { ItemDays } from '../dates/item-days.js';
import type { ItemTexts, ItemWords, LikeWords } from '../expand/item-words.js';
import type { Question } from '../seed/question.js';

/** Characters of an item that are read for its labels. */
const READ = 4000;
/** "label: " at the start of a line or item, after "; ", and after "machines with" as rows of a database are told. */
const LABEL = /(?:(?:^|\n)(?:- )?|; | with )([^\s:;.,][^:;.,\n]{0,39}): /gu;

/** Characters of a value that are read. */
const VALUE = 80;

/** What tells whether a row lacks what is asked for. */
export interface LackContext {
  readonly question: Question;
  readonly texts: ItemTexts;
  readonly like: LikeWords;
  /** Whether English has a word; undefined where no table tells which words are alike. */
  readonly vocabulary: RetrievalParts['vocabulary'];
  /** Days that the question asks about. */
  readonly days: ItemDays | undefined;
}

/** Labels that are read of a row, and words of a question that they are compared with. */
const LABELS = 64;
const ASKED = 16;

/** A row with the labels of its cells: "member", "voice" of "member: Dora Pym; voice: soprano 1". */
export interface LabelledRow {
  readonly node: GraphNode;
  readonly labels: ReadonlySet<string>;
}

/** What a row lacks of what the question asks for. */
export interface Lack {
  /** The column that other rows of the table have: `weight kg`; without such a one the words of the question: `salary`. */
  readonly what: string;
  /** How much of the column's label the question asks for, 0..1. */
  readonly share: number;
  /**
   * `cell`: other rows of the table have it; `column`: none has; `wanted`: the question wants what lacks it; `held`: the question does, and
   * the row has it.
   */
  readonly kind: 'cell' | 'column' | 'wanted' | 'held';
  /** Stems of the question that the row is counted as holding: that it has nothing there is what they say. */
  readonly covered?: readonly string[];
}

const NONE: ReadonlySet<string> = new Set();
/** Labels of nodes, kept as long as the node is: a question meets many items of those before it. */
const known = new WeakMap<GraphNode, ReadonlySet<string>>();

/** Returns the items that are rows of two cells or more, or of `least`. Pure. */
export function rowsAmong(nodes: readonly GraphNode[], least = 2): LabelledRow[] {
  return nodes.flatMap((node) => {
    let labels = known.get(node);
    if (labels === undefined) {
      labels = labelsOf(node);
      known.set(node, labels);
    }
    return labels.size < least ? [] : [{ node, labels }];
  });
}

function labelsOf({ description, passage }: GraphNode): ReadonlySet<string> {
  if (passage?.message !== undefined) return NONE;
  const found = [...description.slice(0, READ).matchAll(LABEL)].slice(0, LABELS);
  return found.length === 0 ? NONE : new Set(found.map(([, label]) => label!));
}

/** Returns the beginning of what a row has under a label; empty where it has nothing. Pure. */
export function cellUnder({ description }: GraphNode, label: string): string {
  const text = description.slice(0, READ);
  const at = [...text.matchAll(LABEL)].find(([, one]) => one === label);
  const from = at === undefined ? text.length : at.index + at[0].length;
  const rest = text.slice(from, from + VALUE);
  return rest.slice(0, /; |\n|\.(?=\s|$)|$/u.exec(rest)!.index).trim();
}

/** Returns the stems of what the question asks about the things that it names. */
export function askedStems({ words, open }: Pick<Question, 'words' | 'open'>): ReadonlySet<string> {
  const asked = words.filter(({ stem, content, inName }) => content && !inName && open.has(stem));
  return new Set(asked.slice(0, ASKED).map(({ stem }) => stem));
}

/** Returns how far a word of an item stands for one of the question, 0..1. */
export function shareOf({ stem, norm }: Pick<Word, 'stem' | 'norm'>, asked: string, like: LikeWords): number {
  if (stem === asked) return 1;
  return like.get(norm)?.find((one) => one.stem === asked)?.share ?? 0;
}

/** Returns how far title and text of an item hold each of the words that are asked for, 0..1. */
export function heldBy(
  { title, sentences }: ItemWords,
  asked: ReadonlySet<string>,
  like: LikeWords,
): ReadonlyMap<string, number> {
  const held = new Map([...asked].map((stem) => [stem, 0]));
  for (const list of [title, ...sentences]) {
    for (const word of list) {
      if (held.has(word.stem)) held.set(word.stem, 1);
      for (const { stem, share } of like.get(word.norm) ?? []) if (share > (held.get(stem) ?? 1)) held.set(stem, share);
    }
  }
  return held;
}
