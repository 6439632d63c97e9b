/** Lanczos coefficients for g = 7, n = 9 (Godfrey 2001): relative error under 1e-14. */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

/** Returns ln Γ(x) for x > 0. */
function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const z = x - 1;
  let sum: number = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i += 1) sum += LANCZOS[i]! / (z + i);
  const t = z + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Returns the distribution function of Beta(a, b) at x: the regularised incomplete beta function. */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

/**
 * Returns the continued fraction of the incomplete beta function by Lentz's method (Press et al., Numerical Recipes 3,
 * 6.4).
 */
function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 - ((a + b) * x) / (a + 1);
  d = 1 / (Math.abs(d) < tiny ? tiny : d);
  let h = d;
  for (let m = 1; m <= 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 + even * d;
    c = 1 + even / c;
    d = 1 / (Math.abs(d) < tiny ? tiny : d);
    c = Math.abs(c) < tiny ? tiny : c;
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 + odd * d;
    c = 1 + odd / c;
    d = 1 / (Math.abs(d) < tiny ? tiny : d);
    c = Math.abs(c) < tiny ? tiny : c;
    const step = d * c;
    h *= step;
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return h;
}

/**
 * Returns the x with betaCdf(x, a, b) = p. What lies above one half is found as its distance from 1, for doubles are too
 * coarse near 1 to stop at by a difference: for Beta(1457, 0.05) a step of 1e-13 is a probability of 6e-7.
 */
export function betaQuantile(p: number, a: number, b: number): number {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  return betaCdf(0.5, a, b) < p ? 1 - lowerQuantile(1 - p, b, a) : lowerQuantile(p, a, b);
}

/** Returns a quantile of at most one half: Newton's method, kept inside a bracket that bisection narrows. */
function lowerQuantile(p: number, a: number, b: number): number {
  const norm = logGamma(a + b) - logGamma(a) - logGamma(b);
  let low = 0;
  let high = 0.5;
  let x = Math.min(a / (a + b), high / 2);
  for (let i = 0; i < 200; i += 1) {
    const error = betaCdf(x, a, b) - p;
    if (error > 0) high = x;
    else low = x;
    const slope = Math.exp(norm + (a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x));
    let next = x - error / slope;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (Math.abs(next - x) <= 1e-13 * Math.max(x, 1e-3) || high - low < 1e-15) return next;
    x = next;
  }
  return x;
}

/** Returns the equal-tailed 95 % credible interval of Beta(alpha, beta). */
export function credibleInterval(alpha: number, beta: number): { readonly lower: number; readonly upper: number } {
  return { lower: betaQuantile(0.025, alpha, beta), upper: betaQuantile(0.975, alpha, beta) };
}
