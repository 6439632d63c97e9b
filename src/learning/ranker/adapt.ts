import { slicer } from '../../core/async/slices.js';
import type { FeatureTable, LinearModel } from '../feedback/adjustments.js';
import { type Choice, dot, fitOrder } from './fit-order.js';
import { logistic } from './solve.js';

/** How firmly weights stay where they are: about thirty questions move them as far as the evidence asks. */
const RIDGE = 30;
/** Below this the ratings say nothing about the order that they are asked about. */
const LEAST_TRUST = 0.2;
/** Halvings of the interval that the intercept is sought in. */
const HALVINGS = 40;
const WIDEST = 20;

/**
 * Returns weights that rank rated items better, near those that they begin from: the maximum a posteriori of a conditional logit
 * with a normal prior at these. Wrong ratings make all items look alike, so the prior is first scaled to be as sure as the ratings
 * are: what is learned then is a direction. In the end the scores of an answer's items have the spread that they had, and the
 * rated items their mean probability.
 */
export async function adapt(
  base: LinearModel,
  { signs }: Pick<FeatureTable, 'signs'>,
  choices: readonly Choice[],
): Promise<LinearModel> {
  const pause = slicer();
  const trust = await trustOf(base, choices);
  const fitted = await fitOrder(choices, {
    ridge: RIDGE / trust,
    signs: signsOf(base, signs),
    prior: base.weights.map((weight) => trust * weight),
  });
  const after = spread(fitted, choices);
  await pause();
  const stretch = after > 0 ? spread(base.weights, choices) / after : 1;
  const varies = signs.map((_, j) => choices.some(({ x }) => x.some((values) => values[j] !== x[0]![j])));
  const weights = fitted.map((weight, j) => (varies[j]! ? stretch * weight : base.weights[j]!));
  await pause();
  return { intercept: interceptFor(weights, base, choices), weights };
}

/** Returns what the scores have to be multiplied by to be as sure as the ratings are: 1, or less where many are wrong. */
async function trustOf({ weights }: LinearModel, choices: readonly Choice[]): Promise<number> {
  const scored = choices.map(({ x, gold }) => ({ gold, x: x.map((values) => [dot(weights, values)]) }));
  const [trust] = await fitOrder(scored, { ridge: 1e-3, signs: [1] });
  return Math.max(LEAST_TRUST, Math.min(1, trust!));
}

/** A weight that begins on the other side may stay there. */
function signsOf({ weights }: LinearModel, signs: FeatureTable['signs']): FeatureTable['signs'] {
  return signs.map((sign, j) => (weights[j]! * sign < 0 ? 0 : sign));
}

/** Returns how far the scores of one answer's items lie apart, as a standard deviation. */
function spread(weights: readonly number[], choices: readonly Choice[]): number {
  let squares = 0;
  for (const { x } of choices) {
    const scores = x.map((values) => dot(weights, values));
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    squares += scores.reduce((sum, score) => sum + (score - mean) ** 2, 0);
  }
  return Math.sqrt(squares);
}

/** Returns the intercept with which the items have the mean probability that they have before. */
function interceptFor(weights: readonly number[], base: LinearModel, choices: readonly Choice[]): number {
  const rated = choices.flatMap(({ x }) => x);
  const before = rated.reduce((sum, x) => sum + logistic(base.intercept + dot(base.weights, x)), 0);
  const scores = rated.map((x) => dot(weights, x));
  let [low, high] = [base.intercept - WIDEST, base.intercept + WIDEST];
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = (low + high) / 2;
    if (scores.reduce((sum, score) => sum + logistic(middle + score), 0) < before) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
