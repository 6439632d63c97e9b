import { slicer } from '../../core/async/slices.js';
import { deviations, logistic, type Sign, solve } from './solve.js';

/** Candidates of one question, some of them right and some wrong. */
export interface Choice {
  readonly x: ReadonlyArray<readonly number[]>;
  readonly gold: readonly boolean[];
}

interface Problem {
  readonly choices: readonly Choice[];
  readonly ridge: number;
  readonly prior: readonly number[];
}

/**
 * Fits the weights of an order: a conditional logit (McFadden 1974) in which each right candidate competes with all wrong
 * ones of its question. Minimises Σ ln(1 + Σ_wrong exp(s_wrong − s_right)) plus ridge/2 · Σ (deviation · (weight − prior))² by
 * Newton's method. What is the same for all candidates of a question has no say. A weight whose sign is not allowed is 0. The
 * same choices in the same order give the same digits. Gives way to the event loop.
 */
export async function fitOrder(
  choices: readonly Choice[],
  {
    ridge,
    signs,
    prior,
  }: { readonly ridge: number; readonly signs: readonly Sign[]; readonly prior?: readonly number[] },
): Promise<number[]> {
  const pause = slicer();
  const size = signs.length;
  const scale = deviations(
    choices.flatMap(({ x }) => x.map((values) => ({ x: values }))),
    size,
  );
  await pause();
  const problem: Problem = {
    ridge,
    prior: signs.map((_, j) => (prior?.[j] ?? 0) * scale[j]!),
    choices: choices.map(({ x, gold }) => ({ gold, x: x.map((values) => values.map((v, j) => v / scale[j]!)) })),
  };
  await pause();
  let weights = [...problem.prior];
  const fixed = new Set<number>();
  for (;;) {
    weights = await newton(problem, weights, fixed);
    const wrong = weights.flatMap((w, j) => (w * signs[j]! < 0 ? [j] : []));
    if (wrong.length === 0) return weights.map((w, j) => w / scale[j]!);
    for (const j of wrong) {
      fixed.add(j);
      weights[j] = 0;
    }
  }
}

async function newton(problem: Problem, start: readonly number[], fixed: ReadonlySet<number>): Promise<number[]> {
  const pause = slicer();
  let weights = [...start];
  let current = loss(problem, weights);
  for (let step = 0; step < 40; step += 1) {
    const { gradient, hessian } = await derivatives(problem, weights);
    for (const j of fixed) {
      for (let k = 0; k < weights.length; k += 1) {
        hessian[j]![k] = 0;
        hessian[k]![j] = 0;
      }
      hessian[j]![j] = 1;
      gradient[j] = 0;
    }
    const change = solve(hessian, gradient);
    let length = 2;
    let next = weights;
    let reached = Number.POSITIVE_INFINITY;
    // A full step may overshoot where one candidate stands far above the others.
    while (!(reached <= current) && length > 1e-7) {
      length /= 2;
      next = weights.map((w, j) => w - length * change[j]!);
      reached = loss(problem, next);
      await pause();
    }
    if (!(reached <= current)) break;
    const gain = current - reached;
    weights = next;
    current = reached;
    if (gain < 1e-9 * Math.abs(current)) break;
  }
  return weights;
}

function loss({ choices, ridge, prior }: Problem, weights: readonly number[]): number {
  let total = 0;
  for (const { x, gold } of choices) {
    const scores = x.map((values) => dot(weights, values));
    const { log } = ofWrong(scores, gold);
    scores.forEach((score, i) => {
      if (gold[i]!) total += softplus(log - score);
    });
  }
  return weights.reduce((sum, w, j) => sum + (ridge / 2) * (w - prior[j]!) ** 2, total);
}

async function derivatives({ choices, ridge, prior }: Problem, weights: readonly number[]) {
  const pause = slicer();
  const n = weights.length;
  const gradient = new Float64Array(n);
  const hessian = Array.from({ length: n }, () => new Float64Array(n));
  const curve = (z: ArrayLike<number>, by: number): void => {
    for (let j = 0; j < n; j += 1) {
      const part = by * z[j]!;
      if (part !== 0) for (let k = 0; k <= j; k += 1) hessian[j]![k]! += part * z[k]!;
    }
  };
  for (const { x, gold } of choices) {
    await pause();
    const scores = x.map((values) => dot(weights, values));
    const { log, shares } = ofWrong(scores, gold);
    const mean = new Float64Array(n);
    shares.forEach((share, i) => {
      if (share > 1e-14) for (let j = 0; j < n; j += 1) mean[j]! += share * x[i]![j]!;
    });
    let total = 0;
    scores.forEach((score, i) => {
      if (!gold[i]!) return;
      const lost = logistic(log - score);
      total += lost;
      const apart = mean.map((value, j) => value - x[i]![j]!);
      for (let j = 0; j < n; j += 1) gradient[j]! += lost * apart[j]!;
      curve(apart, lost * (1 - lost));
    });
    if (total === 0) continue;
    shares.forEach((share, i) => {
      if (share * total > 1e-13) curve(x[i]!, share * total);
    });
    curve(mean, -total);
  }
  for (let j = 0; j < n; j += 1) {
    gradient[j]! += ridge * (weights[j]! - prior[j]!);
    hessian[j]![j]! += ridge;
    for (let k = 0; k < j; k += 1) hessian[k]![j] = hessian[j]![k]!;
  }
  return { gradient, hessian };
}

/** Returns the logarithm of the summed odds of the wrong candidates, and the share of each in it. */
function ofWrong(scores: readonly number[], gold: readonly boolean[]): { log: number; shares: number[] } {
  const most = scores.reduce((best, score, i) => (gold[i]! ? best : Math.max(best, score)), Number.NEGATIVE_INFINITY);
  const odds = scores.map((score, i) => (gold[i]! ? 0 : Math.exp(score - most)));
  const sum = odds.reduce((total, one) => total + one, 0);
  return { log: most + Math.log(sum), shares: odds.map((one) => one / sum) };
}

function softplus(z: number): number {
  return z > 30 ? z : Math.log1p(Math.exp(z));
}

/** Returns Σ weight · value. */
export function dot(weights: readonly number[], values: readonly number[]): number {
  let sum = 0;
  for (let j = 0; j < weights.length; j += 1) sum += weights[j]! * values[j]!;
  return sum;
}
