import { seededRandom } from '../../../core/random.js';

/** Emissions that share one factor, and so one error. */
export interface FactorShare {
  /** Grams. */
  readonly grams: number;
  /** Relative half-width of the factor's 95 % interval (`bandOf`). */
  readonly band: number;
}

export interface Interval {
  readonly p2_5: number;
  readonly p50: number;
  readonly p97_5: number;
}

/** Correlation of the errors of two factors: all rest on the same few studies. */
export const RHO = 0.5;
const DRAWS = 10_000;
const Z = 1.96;

/**
 * Returns the interval in closed form. All traces of one factor share its error: they are summed first. The errors are
 * lognormal, sigma = ln(1 + u)/1.96; their sum takes the shifted lognormal with the same mean, variance and skewness
 * (Johnson 1949, system S_L). For narrow bands the half-width is that of error propagation, U² = rho (Σ u E)² + (1 −
 * rho) Σ (u E)².
 */
export function closedInterval(shares: readonly FactorShare[], rho = RHO): Interval {
  const parts = shares.filter(({ grams }) => grams > 0).map(({ grams, band }) => ({ grams, sigma: sigmaOf(band) }));
  if (parts.length === 0) return { p2_5: 0, p50: 0, p97_5: 0 };
  const { mean, variance, skewness } = momentsOfSum(parts, rho);
  // Skewness determines w = exp(sigma²) by skewness = (w + 2) sqrt(w − 1).
  const root = Math.cbrt(1 + skewness ** 2 / 2 + skewness * Math.sqrt(1 + skewness ** 2 / 4));
  const w = root + 1 / root - 1;
  const sigma = Math.sqrt(Math.log(w));
  const scale = Math.sqrt(variance / (w * (w - 1)));
  const shift = mean - scale * Math.sqrt(w);
  const at = (z: number): number => shift + scale * Math.exp(z * sigma);
  return { p2_5: at(-Z), p50: at(0), p97_5: at(Z) };
}

interface LognormalPart {
  /** The median. */
  readonly grams: number;
  readonly sigma: number;
}

/** Returns mean, variance and skewness of a sum of lognormal values whose logarithms correlate with rho. */
function momentsOfSum(
  parts: readonly LognormalPart[],
  rho: number,
): { readonly mean: number; readonly variance: number; readonly skewness: number } {
  const means = parts.map(({ grams, sigma }) => grams * Math.exp(sigma ** 2 / 2));
  // exp(covariance of the logarithms) − 1: the covariance of two parts over the product of their means.
  const g = parts.map((a, i) => parts.map((b, j) => Math.expm1((i === j ? 1 : rho) * a.sigma * b.sigma)));
  let variance = 0;
  let third = 0;
  for (let i = 0; i < parts.length; i += 1) {
    for (let j = 0; j < parts.length; j += 1) {
      variance += means[i]! * means[j]! * g[i]![j]!;
      for (let k = 0; k < parts.length; k += 1) {
        const [ij, ik, jk] = [g[i]![j]!, g[i]![k]!, g[j]![k]!];
        third += means[i]! * means[j]! * means[k]! * (ij * ik + ij * jk + ik * jk + ij * ik * jk);
      }
    }
  }
  return { mean: means.reduce((sum, one) => sum + one, 0), variance, skewness: third / variance ** 1.5 };
}

/**
 * Simulates the interval with 10,000 seeded draws of the sum: each factor's error is lognormal, with a common and an
 * individual part.
 */
export function simulatedInterval(shares: readonly FactorShare[], rho = RHO): Interval {
  const total = shares.reduce((sum, { grams }) => sum + grams, 0);
  if (total <= 0) return { p2_5: 0, p50: 0, p97_5: 0 };
  const common = normals(0);
  const sums = new Float64Array(DRAWS);
  for (const [index, { grams, band }] of shares.entries()) {
    if (grams === 0) continue;
    const own = normals(index + 1);
    const sigma = sigmaOf(band);
    const withCommon = sigma * Math.sqrt(rho);
    const withOwn = sigma * Math.sqrt(1 - rho);
    for (let i = 0; i < DRAWS; i += 1) sums[i]! += grams * Math.exp(withCommon * common[i]! + withOwn * own[i]!);
  }
  sums.sort();
  return { p2_5: quantile(sums, 0.025), p50: quantile(sums, 0.5), p97_5: quantile(sums, 0.975) };
}

function sigmaOf(band: number): number {
  return Math.log1p(band) / Z;
}

/** Returns a quantile, linear between order statistics. */
function quantile(sorted: Float64Array, p: number): number {
  const at = p * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.min(sorted.length - 1, low + 1);
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (at - low);
}

const drawn = new Map<number, Float64Array>();

/** Returns standard normal draws of one stream (Box and Muller 1958); the same in every process, made once. */
function normals(stream: number): Float64Array {
  let values = drawn.get(stream);
  if (values === undefined) {
    const random = seededRandom(`green uncertainty ${stream}`);
    values = new Float64Array(DRAWS);
    for (let i = 0; i < DRAWS; i += 2) {
      const radius = Math.sqrt(-2 * Math.log(1 - random()));
      const angle = 2 * Math.PI * random();
      values[i] = radius * Math.cos(angle);
      values[i + 1] = radius * Math.sin(angle);
    }
    // One stream per factor of the table; more would only be reached by very many overrides.
    if (drawn.size < 256) drawn.set(stream, values);
  }
  return values;
}
