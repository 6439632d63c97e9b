import type { LinearModel } from '../../learning/feedback/adjustments.js';
import type { Feature } from './document-features.js';

/** An answer of fewer candidates is filled up to so many with some that have nothing to do with the question. */
const FEWEST = 20;

/**
 * Returns what the candidates of an answer reach on average, in log odds without the group "answer". The value of each is
 * worth what it is above the others: where all of them match alike, none of them answers for sure.
 */
export function answerMean<T>(
  candidates: ReadonlyArray<readonly number[]>,
  features: ReadonlyArray<Pick<Feature<T>, 'group' | 'lacks' | 'nothing'>>,
  weights: readonly number[],
): number {
  const reached = candidates.map((x) => reachedBy(x, features, weights));
  return meanOf(reached, features, weights);
}

/** `reached`: what each candidate reaches. */
function meanOf<T>(
  reached: readonly number[],
  features: ReadonlyArray<Pick<Feature<T>, 'group' | 'lacks' | 'nothing'>>,
  weights: readonly number[],
): number {
  const filled = Math.max(0, FEWEST - reached.length);
  const none = (): number[] => features.map((feature) => feature.nothing ?? 0);
  const nothing = filled === 0 ? 0 : filled * reachedBy(none(), features, weights);
  return (reached.reduce((sum, one) => sum + one, 0) + nothing) / (reached.length + filled);
}

/** Returns what values of features reach, in log odds without the group "answer" and without what an item lacks. */
export function reachedBy(
  x: readonly number[],
  features: ReadonlyArray<Pick<Feature<never>, 'group' | 'lacks'>>,
  weights: readonly number[],
): number {
  return features.reduce((sum, feature, j) => (counts(feature) ? sum + weights[j]! * x[j]! : sum), 0);
}

function counts({ group, lacks }: Pick<Feature<never>, 'group' | 'lacks'>): boolean {
  return group !== 'answer' && lacks !== true;
}

/** Returns what an item reaches, as `reachedBy` says. */
export function worthOf<T>(item: T, features: ReadonlyArray<Feature<T>>, weights: readonly number[]): number {
  let sum = 0;
  for (let j = 0; j < features.length; j += 1) {
    const feature = features[j]!;
    if (counts(feature)) sum += weights[j]! * feature.value(item);
  }
  return sum;
}

/** Returns the log odds of an item by all features. */
export function logOdds<T>(
  item: T,
  features: ReadonlyArray<Pick<Feature<T>, 'value'>>,
  { intercept, weights }: LinearModel,
): number {
  return features.reduce((sum, { value }, j) => sum + weights[j]! * value(item), intercept);
}

/** Returns the items with the mean of their answer; `distinct`: those of them that count, each text once. */
export function withMean<T extends { readonly answer: { readonly mean: number } }>(
  items: readonly T[],
  {
    features,
    weights,
    distinct = items,
  }: {
    readonly features: ReadonlyArray<Feature<T>>;
    readonly weights: readonly number[];
    readonly distinct?: readonly T[];
  },
): T[] {
  const reached = distinct.map((item) => worthOf(item, features, weights));
  const mean = meanOf(reached, features, weights);
  return items.map((item) => ({ ...item, answer: { ...item.answer, mean } }));
}
