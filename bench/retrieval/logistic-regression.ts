import type { LinearModel } from '../../src/learning/feedback/adjustments.js';
import { deviations, logistic, type Sign, solve } from '../../src/learning/ranker/solve.js';

/** One candidate of one question as numbers. */
export interface Row {
  readonly x: readonly number[];
  readonly gold: boolean;
  readonly weight: number;
}

/**
 * Fits a logistic regression by Newton's method with a Gaussian prior: minimises the weighted log loss plus
 * ridge/2 · Σ (scale · (w − prior))², scale being a feature's standard deviation. A weight whose sign is not allowed is 0. The same
 * rows in the same order give the same digits.
 */
export function fitLogisticRegression(
  rows: readonly Row[],
  options: { readonly ridge: number; readonly signs?: readonly Sign[]; readonly prior?: readonly number[] },
): LinearModel {
  const size = rows[0]?.x.length ?? 0;
  const scale = deviations(rows, size);
  const prior = Array.from({ length: size }, (_, j) => (options.prior?.[j] ?? 0) * scale[j]!);
  // On standardised features; the last entry is the intercept.
  let weights = [...prior, -2];
  const fixed = new Set<number>();
  for (;;) {
    weights = newton(rows, { weights, scale, prior, ridge: options.ridge, fixed });
    const wrong = weights.flatMap((w, j) => (j < size && w * (options.signs?.[j] ?? 0) < 0 ? [j] : []));
    if (wrong.length === 0) break;
    for (const j of wrong) {
      fixed.add(j);
      weights[j] = 0;
    }
  }
  return { intercept: weights[size]!, weights: weights.slice(0, size).map((w, j) => w / scale[j]!) };
}

/** Returns the log odds of a row. */
export function logOdds({ intercept, weights }: LinearModel, x: readonly number[]): number {
  let sum = intercept;
  for (let j = 0; j < weights.length; j += 1) sum += weights[j]! * x[j]!;
  return sum;
}

interface Problem {
  readonly weights: readonly number[];
  readonly scale: readonly number[];
  readonly prior: readonly number[];
  readonly ridge: number;
  readonly fixed: ReadonlySet<number>;
}

function newton(rows: readonly Row[], { weights: start, scale, prior, ridge, fixed }: Problem): number[] {
  let weights = [...start];
  const n = weights.length;
  for (let step = 0; step < 40; step += 1) {
    const gradient = new Float64Array(n);
    const hessian = Array.from({ length: n }, () => new Float64Array(n));
    const z = new Float64Array(n);
    for (const { x, gold, weight } of rows) {
      let sum = weights[n - 1]!;
      for (let j = 0; j < n - 1; j += 1) {
        z[j] = x[j]! / scale[j]!;
        sum += weights[j]! * z[j]!;
      }
      z[n - 1] = 1;
      const p = logistic(sum);
      const error = weight * (p - (gold ? 1 : 0));
      const curve = weight * Math.max(1e-9, p * (1 - p));
      for (let j = 0; j < n; j += 1) {
        const zj = z[j]!;
        if (zj === 0) continue;
        gradient[j]! += error * zj;
        const row = hessian[j]!;
        for (let k = 0; k <= j; k += 1) row[k]! += curve * zj * z[k]!;
      }
    }
    for (let j = 0; j < n - 1; j += 1) {
      gradient[j]! += ridge * (weights[j]! - prior[j]!);
      hessian[j]![j]! += ridge;
    }
    for (let j = 0; j < n; j += 1) for (let k = 0; k < j; k += 1) hessian[k]![j] = hessian[j]![k]!;
    for (const j of fixed) {
      for (let k = 0; k < n; k += 1) {
        hessian[j]![k] = 0;
        hessian[k]![j] = 0;
      }
      hessian[j]![j] = 1;
      gradient[j] = 0;
    }
    const change = solve(hessian, gradient);
    const before = loss(rows, { weights, scale, prior, ridge });
    let length = 1;
    let next = weights.map((w, j) => w - change[j]!);
    // A full step may overshoot where probabilities are near 0 or 1.
    while (length > 1e-6 && loss(rows, { weights: next, scale, prior, ridge }) > before) {
      length /= 2;
      next = weights.map((w, j) => w - length * change[j]!);
    }
    const largest = next.reduce((most, w, j) => Math.max(most, Math.abs(w - weights[j]!)), 0);
    weights = next;
    if (largest < 1e-9) break;
  }
  return weights;
}

function loss(rows: readonly Row[], { weights, scale, prior, ridge }: Omit<Problem, 'fixed'>): number {
  const n = weights.length - 1;
  let total = 0;
  for (const { x, gold, weight } of rows) {
    let sum = weights[n]!;
    for (let j = 0; j < n; j += 1) sum += (weights[j]! * x[j]!) / scale[j]!;
    const z = gold ? -sum : sum;
    total += weight * (z > 30 ? z : Math.log1p(Math.exp(z)));
  }
  for (let j = 0; j < n; j += 1) total += (ridge / 2) * (weights[j]! - prior[j]!) ** 2;
  return total;
}
