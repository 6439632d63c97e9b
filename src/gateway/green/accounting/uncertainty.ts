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
 * The closed form. All traces of one factor share its error: they are summed first. Bands under 50 % combine as
 * U² = rho (Σ u E)² + (1 − rho) Σ (u E)²; with a wider band among them the errors are lognormal, sigma = ln(1 + u)/1.96, and
 * their sum takes the lognormal of the same mean and variance (Fenton and Wilkinson 1960).
 */
export function closedInterval(shares: readonly FactorShare[], rho = RHO): Interval {
  const total = shares.reduce((sum, { grams }) => sum + grams, 0);
  if (total <= 0) return { p2_5: 0, p50: 0, p97_5: 0 };
  if (shares.every(({ band }) => band < 0.5)) {
    const linear = shares.reduce((sum, { grams, band }) => sum + grams * band, 0);
    const squares = shares.reduce((sum, { grams, band }) => sum + (grams * band) ** 2, 0);
    const half = Math.sqrt(rho * linear ** 2 + (1 - rho) * squares);
    return { p2_5: Math.max(0, total - half), p50: total, p97_5: total + half };
  }
  const parts = shares.map(({ grams, band }) => ({ grams, sigma: sigmaOf(band) }));
  const mean = parts.reduce((sum, { grams, sigma }) => sum + grams * Math.exp(sigma ** 2 / 2), 0);
  let variance = 0;
  for (const [i, a] of parts.entries()) {
    for (const [j, b] of parts.entries()) {
      const covariance = (i === j ? 1 : rho) * a.sigma * b.sigma;
      variance += a.grams * b.grams * Math.exp((a.sigma ** 2 + b.sigma ** 2) / 2) * Math.expm1(covariance);
    }
  }
  const sigma = Math.sqrt(Math.log1p(variance / mean ** 2));
  const median = mean / Math.exp(sigma ** 2 / 2);
  return { p2_5: median * Math.exp(-Z * sigma), p50: median, p97_5: median * Math.exp(Z * sigma) };
}

/** 10,000 seeded draws of the sum: each factor's error is lognormal, with a common and an individual part. */
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

/** Linear between order statistics. */
function quantile(sorted: Float64Array, p: number): number {
  const at = p * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.min(sorted.length - 1, low + 1);
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (at - low);
}

const drawn = new Map<number, Float64Array>();

/** Standard normal draws of one stream (Box and Muller 1958); the same in every process, made once. */
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
    // A stream a factor of the table; more would only be reached by very many overrides.
    if (drawn.size < 256) drawn.set(stream, values);
  }
  return values;
}
