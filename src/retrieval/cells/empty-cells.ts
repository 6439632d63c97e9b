import { type Word, wordsOf } from '../../core/text/words.js';
import type { LikeWords } from '../expand/item-words.js';
import { askedStems, heldBy, type LabelledRow, type Lack, type LackContext, shareOf } from './row-labels.js';

/** Part of a label that the question has to hold: of "weight kg" nobody says the unit. */
export const ASKED = 0.5;
/** A label's words of fewer letters are units and little words, where it has longer ones. */
const LONGER = 4;
/** Part of the labels of a row that another row of its table has too, at least. */
const ALIKE = 0.5;
/** Labels that a question asks for most. */
const MOST = 4;
/** A label as far as the question asks for it. */
export interface AskedLabel {
  readonly label: string;
  readonly words: readonly Word[];
  /** 0..1. */
  readonly match: number;
}

/**
 * Finds the rows whose cell is empty in the column that the question asks for: other rows of the table have it, and nothing that the
 * row itself tells means the same. Returns item → what it lacks. Pure.
 */
export function emptyCells(
  rows: readonly LabelledRow[],
  { question, texts, like }: LackContext,
): ReadonlyMap<string, Lack> {
  const found = new Map<string, Lack>();
  const asked = askedStems(question);
  if (asked.size === 0 || rows.length < 2) return found;
  const labels = askedLabels(rows, { asked, like, language: question.language });
  for (const row of rows) {
    const lacked = lackedBy(row, rows, labels);
    if (lacked.length === 0) continue;
    const held = heldBy(texts.of(row.node), asked, like);
    const lacks = lacked.map(({ label, words }) => ({
      what: label,
      share: matchOf(words, { asked, like, but: held }),
    }));
    const most = lacks.reduce((best, one) => (one.share > best.share ? one : best));
    if (most.share >= ASKED) found.set(row.node.id, { ...most, kind: 'cell' });
  }
  return found;
}

/** Returns the labels that a row lacks, that a like row has, and that the question asks for more than for any of the row's own. */
function lackedBy(
  { labels }: LabelledRow,
  rows: readonly LabelledRow[],
  asked: ReadonlyMap<string, AskedLabel>,
): AskedLabel[] {
  let own = 0;
  for (const label of labels) own = Math.max(own, asked.get(label)?.match ?? 0);
  return [...asked.values()].filter(
    ({ label, match }) =>
      match > own &&
      !labels.has(label) &&
      rows.some((other) => other.labels.has(label) && areAlike(labels, other.labels)),
  );
}

/** Returns the labels of the rows that the question asks for. */
export function askedLabels(
  rows: readonly LabelledRow[],
  { language, ...terms }: SoughtStems & { readonly language: string },
): ReadonlyMap<string, AskedLabel> {
  const all = new Set(rows.flatMap(({ labels }) => [...labels]));
  const found = [...all].map((label) => {
    const words = headOf(label, language);
    return { label, words, match: matchOf(words, terms) };
  });
  const asked = found.filter(({ match }) => match >= ASKED).sort((a, b) => b.match - a.match);
  return new Map(asked.slice(0, MOST).map((one) => [one.label, one]));
}

interface SoughtStems {
  /** Stems of the question. */
  readonly asked: ReadonlySet<string>;
  readonly like: LikeWords;
  /** How far each of them is held already. */
  readonly but?: ReadonlyMap<string, number>;
}

/** Returns how far the words of a label are asked for, 0..1. */
function matchOf(words: readonly Word[], { asked, like, but }: SoughtStems): number {
  let sum = 0;
  for (const word of words) {
    let most = 0;
    for (const stem of asked) most = Math.max(most, shareOf(word, stem, like) * (1 - (but?.get(stem) ?? 0)));
    sum += most;
  }
  return words.length === 0 ? 0 : sum / words.length;
}

function headOf(label: string, language: string): Word[] {
  const words = wordsOf(label, language).filter(({ stop }) => !stop);
  const longer = words.filter(({ norm }) => norm.length >= LONGER);
  return longer.length === 0 ? words : longer;
}

/** Returns whether two rows are of one table, by their labels. */
export function areAlike(labels: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  let common = 0;
  for (const label of labels) if (others.has(label)) common += 1;
  return common >= ALIKE * Math.min(labels.size, others.size);
}
