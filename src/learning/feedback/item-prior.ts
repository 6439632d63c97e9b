import type { ItemPriorRow } from '../../backends/store/learning/interoception-factors.js';
import { decayed } from './factor.js';
import { packedCosine, questionKey, wordOverlap, wordsOf } from './question.js';

/** A question as it is compared with rated ones. */
export interface QuestionText {
  readonly text: string;
  /** Unit vector and its model; null without one. */
  readonly vector: Float32Array | null;
  readonly model: string | null;
}

export interface PriorRule {
  /** Added to the baseline score for a factor of e. */
  readonly weight: number;
  /** Cosine at which another question begins to count, and the power of what lies above. */
  readonly floor: number;
  readonly power: number;
  /** The same for the share of common words, where there is no vector. */
  readonly word_floor: number;
}

export const PRIOR_RULE: PriorRule = { weight: 2, floor: 0.55, power: 2, word_floor: 0.5 };

/** Returns how much a rating of one question counts for another: 1 for the same one, 0 for an unrelated one. */
function questionKernel(question: QuestionText, rule: PriorRule): (rated: ItemPriorRow) => number {
  const key = questionKey(question.text);
  let words: ReadonlySet<string> | undefined;
  const above = (value: number, floor: number): number =>
    value <= floor ? 0 : ((value - floor) / (1 - floor)) ** rule.power;
  return (rated) => {
    if (rated.question === key) return 1;
    if (question.vector !== null && rated.vector !== null && rated.model === question.model) {
      return Math.min(1, above(packedCosine(question.vector, rated.vector), rule.floor));
    }
    words ??= wordsOf(question.text);
    return Math.min(1, above(wordOverlap(words, wordsOf(rated.text)), rule.word_floor));
  };
}

/**
 * Returns amounts to add to baseline scores: weight · ln(factor), where an item's factor is the kernel-weighted mean of
 * what each rated question made of it (Nadaraya & Watson 1964, shrunk toward 1 while the weights sum to less than 1).
 */
export function priorAmounts(
  rows: readonly ItemPriorRow[],
  question: QuestionText,
  { rule, now, halfLifeMs }: { readonly rule: PriorRule; readonly now: number; readonly halfLifeMs: number },
): Map<string, number> {
  const kernel = questionKernel(question, rule);
  const sums = new Map<string, { moved: number; weights: number }>();
  for (const row of rows) {
    const weight = kernel(row);
    if (weight <= 0) continue;
    const sum = sums.get(row.item_id) ?? { moved: 0, weights: 0 };
    sum.moved += weight * (decayed(row, now, halfLifeMs) - 1);
    sum.weights += weight;
    sums.set(row.item_id, sum);
  }
  const amounts = new Map<string, number>();
  for (const [id, { moved, weights }] of sums)
    amounts.set(id, rule.weight * Math.log(1 + moved / Math.max(1, weights)));
  return amounts;
}

/** Returns the factors that ratings of the very same question gave items; items without any are left out. */
export function ownFactors(
  rows: readonly ItemPriorRow[],
  question: string,
  { now, halfLifeMs }: { readonly now: number; readonly halfLifeMs: number },
): Map<string, number> {
  const key = questionKey(question);
  return new Map(rows.filter((row) => row.question === key).map((row) => [row.item_id, decayed(row, now, halfLifeMs)]));
}
