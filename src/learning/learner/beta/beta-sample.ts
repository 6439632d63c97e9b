import type { Random } from '../../../core/random.js';

/** Draws one value of Beta(alpha, beta), both > 0. */
export type BetaSampler = (alpha: number, beta: number) => number;

/**
 * Returns a sampler over one generator: two gamma variates (Marsaglia & Tsang 2000). Shapes under 1 are boosted in log
 * space (G(a) = G(a + 1)·U^(1/a)), so that nothing underflows to 0/0 down to shape 0.01.
 */
export function betaSampler(random: Random): BetaSampler {
  const normal = normalSampler(random);
  return (alpha, beta) => {
    if (alpha >= 1 && beta >= 1) {
      const x = gamma(alpha, random, normal);
      return x / (x + gamma(beta, random, normal));
    }
    const x = logGammaVariate(alpha, random, normal);
    const y = logGammaVariate(beta, random, normal);
    return 1 / (1 + Math.exp(y - x));
  };
}

/** Draws from Gamma(shape, 1) for shape ≥ 1. */
function gamma(shape: number, random: Random, normal: () => number): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal();
    const root = 1 + c * x;
    if (root <= 0) continue;
    const v = root * root * root;
    const u = 1 - random();
    const square = x * x;
    if (u < 1 - 0.0331 * square * square) return d * v;
    if (Math.log(u) < 0.5 * square + d * (1 - v + Math.log(v))) return d * v;
  }
}

function logGammaVariate(shape: number, random: Random, normal: () => number): number {
  if (shape >= 1) return Math.log(gamma(shape, random, normal));
  return Math.log(gamma(shape + 1, random, normal)) + Math.log(1 - random()) / shape;
}

/**
 * Returns a generator of standard normal variates by the polar method; every second one is the partner of the one
 * before.
 */
function normalSampler(random: Random): () => number {
  let spare = Number.NaN;
  return () => {
    if (!Number.isNaN(spare)) {
      const value = spare;
      spare = Number.NaN;
      return value;
    }
    for (;;) {
      const x = 2 * random() - 1;
      const y = 2 * random() - 1;
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(square)) / square);
      spare = y * scale;
      return x * scale;
    }
  };
}
