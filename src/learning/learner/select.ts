import { type Random, shuffled } from '../../core/random.js';
import type { BetaSampler } from './beta/beta-sample.js';
import { fillBudget } from './budget.js';

/** What may be selected. */
export interface Candidate {
  readonly id: string;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Tokens it costs; 0 without. */
  readonly token_cost?: number | undefined;
}

export interface BetaPosterior {
  readonly alpha: number;
  readonly beta: number;
  readonly pulls: number;
}

export interface Chances {
  readonly random: Random;
  readonly sample: BetaSampler;
}

export interface Limits {
  /** 0 or less: no cap. */
  readonly k: number;
  /** 0: no cap. */
  readonly tokenBudget: number;
  readonly minPulls: number;
  readonly baselineRate: number;
}

export interface Choice {
  /** Indexes into the candidates, in the order they were taken. */
  readonly selected: readonly number[];
  readonly isBaseline: boolean;
  /** One sampled score per candidate. */
  readonly scores: Float64Array;
  readonly usedTokens: number;
}

/**
 * Chooses forced arms (pulls under `minPulls`, fewest first, then cheapest), then with probability `baselineRate` a
 * uniform shuffle, else the best sampled scores, all within k and budget. Ties are broken by a draw, never by input
 * order.
 */
export function chooseArms(
  candidates: readonly Candidate[],
  posteriors: readonly BetaPosterior[],
  limits: Chances & Limits,
): Choice {
  const { random, sample } = limits;
  const scores = new Float64Array(candidates.length);
  for (let i = 0; i < scores.length; i += 1) scores[i] = sample(posteriors[i]!.alpha, posteriors[i]!.beta);
  if (limits.k === 1 && limits.tokenBudget <= 0 && limits.minPulls <= 0) {
    return chooseOne(candidates, scores, limits);
  }
  const order = shuffled(candidates.length, random);
  const basket = new Basket(candidates, limits);
  if (limits.minPulls > 0) basket.takeWhileFits(forced(order, { candidates, posteriors, minPulls: limits.minPulls }));
  if (basket.slots <= 0) return { ...basket.result(), isBaseline: false, scores };
  const rest = basket.taken.size === 0 ? order : order.filter((index) => !basket.taken.has(index));
  const isBaseline = rest.length > 0 && limits.baselineRate > 0 && random() < limits.baselineRate;
  if (isBaseline) basket.takeWhileFits(rest);
  else basket.takeBest(rest, scores);
  return { ...basket.result(), isBaseline, scores };
}

/** Chooses one arm without limits, the commonest call: no order is needed, only the best. */
function chooseOne(
  candidates: readonly Candidate[],
  scores: Float64Array,
  { random, baselineRate }: Pick<Chances & Limits, 'random' | 'baselineRate'>,
): Choice {
  const isBaseline = baselineRate > 0 && random() < baselineRate;
  let chosen = isBaseline ? Math.floor(random() * scores.length) : 0;
  let equals = 1;
  for (let i = 1; !isBaseline && i < scores.length; i += 1) {
    if (scores[i]! < scores[chosen]!) continue;
    equals = scores[i]! > scores[chosen]! ? 1 : equals + 1;
    // Each of n equal ones stays with probability 1/n.
    if (equals === 1 || random() * equals < 1) chosen = i;
  }
  return { selected: [chosen], isBaseline, scores, usedTokens: candidates[chosen]!.token_cost ?? 0 };
}

class Basket {
  readonly taken = new Set<number>();
  slots: number;
  private used = 0;
  private readonly budget: number;

  constructor(
    private readonly candidates: readonly Candidate[],
    limits: Limits,
  ) {
    this.slots = limits.k > 0 ? limits.k : candidates.length;
    this.budget = limits.tokenBudget > 0 ? limits.tokenBudget : Number.POSITIVE_INFINITY;
  }

  result(): { selected: number[]; usedTokens: number } {
    return { selected: [...this.taken], usedTokens: this.used };
  }

  takeWhileFits(order: readonly number[]): void {
    for (const index of order) {
      if (this.slots <= 0) return;
      if (this.used + this.cost(index) <= this.budget) this.take(index);
    }
  }

  takeBest(rest: readonly number[], scores: Float64Array): void {
    const left = this.budget - this.used;
    if (left === Number.POSITIVE_INFINITY) {
      for (const index of best(rest, scores, this.slots)) this.take(index);
      return;
    }
    const items = rest.map((index) => ({ score: scores[index]!, cost: this.cost(index) }));
    const chosen = fillBudget(items, left, this.slots).map((item) => rest[item]!);
    for (const index of best(chosen, scores, chosen.length)) this.take(index);
  }

  private take(index: number): void {
    this.taken.add(index);
    this.used += this.cost(index);
    this.slots -= 1;
  }

  private cost(index: number): number {
    return this.candidates[index]!.token_cost ?? 0;
  }
}

function forced(
  order: readonly number[],
  given: { candidates: readonly Candidate[]; posteriors: readonly BetaPosterior[]; minPulls: number },
): number[] {
  const pulls = (index: number): number => given.posteriors[index]!.pulls;
  const cost = (index: number): number => given.candidates[index]!.token_cost ?? 0;
  return order
    .filter((index) => pulls(index) < given.minPulls)
    .sort((a, b) => pulls(a) - pulls(b) || cost(a) - cost(b));
}

/**
 * Returns the `count` best scores, best first; ties keep the order of the draw. A few are picked without sorting the
 * rest.
 */
function best(indexes: readonly number[], scores: Float64Array, count: number): number[] {
  if (count > 8 || count >= indexes.length) {
    return [...indexes].sort((a, b) => scores[b]! - scores[a]!).slice(0, count);
  }
  const top: number[] = [];
  for (const index of indexes) {
    const score = scores[index]!;
    if (top.length === count && scores[top[count - 1]!]! >= score) continue;
    let at = top.length;
    while (at > 0 && scores[top[at - 1]!]! < score) at -= 1;
    top.splice(at, 0, index);
    if (top.length > count) top.pop();
  }
  return top;
}
