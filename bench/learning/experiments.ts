import { type Random, seededRandom } from '../../src/core/random.js';
import { credibleInterval } from '../../src/learning/learner/beta/beta-quantile.js';
import { betaSampler } from '../../src/learning/learner/beta/beta-sample.js';
import { fillBudget } from '../../src/learning/learner/budget.js';
import { type BetaPosterior, type Candidate, chooseArms } from '../../src/learning/learner/select.js';

interface State extends BetaPosterior {
  alpha: number;
  beta: number;
  pulls: number;
}

const PRIOR = { alpha: 1, beta: 1, pulls: 0 } as const;

/** The service's own selection over arms with hidden success rates; `each` hears of every round. */
export class Bandit {
  readonly arms: State[];
  private readonly candidates: readonly Candidate[];
  private readonly random: Random;
  private readonly chances;

  constructor(
    readonly rates: readonly number[],
    { seed, costs }: { readonly seed: number; readonly costs?: readonly number[] },
  ) {
    this.arms = rates.map(() => ({ ...PRIOR }));
    this.candidates = rates.map((_, i) => ({ id: String(i), token_cost: costs?.[i] ?? 0 }));
    this.random = seededRandom(seed);
    this.chances = { random: this.random, sample: betaSampler(this.random) };
  }

  select(k: number, tokenBudget = 0): readonly number[] {
    const { random, sample } = this.chances;
    const limits = { random, sample, k, tokenBudget, minPulls: 0, baselineRate: 0 };
    return chooseArms(this.candidates, this.arms, limits).selected;
  }

  observe(arm: number): void {
    const state = this.arms[arm]!;
    const reward = this.random() < this.rates[arm]! ? 1 : 0;
    state.alpha += reward;
    state.beta += 1 - reward;
    state.pulls += 1;
  }
}

export interface Mean {
  readonly mean: number;
  /** Half width of the 95 % confidence interval. */
  readonly half: number;
}

export function meanOf(values: readonly number[]): Mean {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1);
  return { mean, half: 1.96 * Math.sqrt(variance / values.length) };
}

/** The success rates of trial `n`: the same for every implementation compared. */
export function uniformRates(trial: number, arms: number): number[] {
  const random = seededRandom(1_000_003 * (trial + 1));
  return Array.from({ length: arms }, random);
}

/** Cumulative expected regret of one trial. */
export function regretOf(
  rates: readonly number[],
  rounds: number,
  seed: number,
  at?: (round: number, regret: number) => void,
): number {
  const bandit = new Bandit(rates, { seed });
  const best = Math.max(...rates);
  let regret = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const [arm] = bandit.select(1);
    regret += best - rates[arm!]!;
    bandit.observe(arm!);
    at?.(round, regret);
  }
  return regret;
}

/** Russo & Van Roy 2018: 10 arms, rates uniform, 1,000 rounds. */
export function uniformRegret(trials: number): Mean {
  return meanOf(Array.from({ length: trials }, (_, trial) => regretOf(uniformRates(trial, 10), 1000, trial + 1)));
}

/** Slope of regret per e-fold of time over the bound of Lai & Robbins 1985, for rates .5 and nine times .4. */
export function laiRobbinsRatio(trials: number, [from, to]: readonly [number, number]): Mean {
  const rates = [0.5, ...Array.from({ length: 9 }, () => 0.4)];
  const divergence = 0.4 * Math.log(0.4 / 0.5) + 0.6 * Math.log(0.6 / 0.5);
  const bound = (9 * 0.1) / divergence;
  const ratios = Array.from({ length: trials }, (_, trial) => {
    let early = 0;
    const late = regretOf(rates, to, 500_000 + trial, (round, regret) => {
      if (round === from) early = regret;
    });
    return (late - early) / Math.log(to / from) / bound;
  });
  return meanOf(ratios);
}

/** 30 arms with costs of 100 to 2,000 tokens, skewed low, budget 8,000: loss against knowing every rate, in percent. */
export function budgetLoss(instances: number, rounds: number): Mean {
  const losses = Array.from({ length: instances }, (_, instance) => {
    const random = seededRandom(77_000 + instance);
    const rates = Array.from({ length: 30 }, random);
    const costs = rates.map(() => Math.round(100 + 1900 * random() ** 2));
    const items = rates.map((score, i) => ({ score, cost: costs[i]! }));
    const value = (chosen: readonly number[]): number => chosen.reduce((sum, i) => sum + rates[i]!, 0);
    const optimum = value(fillBudget(items, 8000, 30));
    const bandit = new Bandit(rates, { seed: instance + 1, costs });
    let got = 0;
    for (let round = 0; round < rounds; round += 1) {
      const chosen = bandit.select(0, 8000);
      got += value(chosen);
      for (const arm of chosen) bandit.observe(arm);
    }
    return 100 * (1 - got / (optimum * rounds));
  });
  return meanOf(losses);
}

/** Share of arms whose 95 % interval holds the true rate, in percent; rates uniform, 1 to 300 observations. */
export function coverage(arms: number): number {
  const random = seededRandom(4242);
  let covered = 0;
  for (let arm = 0; arm < arms; arm += 1) {
    const rate = random();
    const pulls = 1 + Math.floor(random() * 300);
    let successes = 0;
    for (let i = 0; i < pulls; i += 1) if (random() < rate) successes += 1;
    const { lower, upper } = credibleInterval(1 + successes, 1 + pulls - successes);
    if (lower <= rate && rate <= upper) covered += 1;
  }
  return (100 * covered) / arms;
}

/** Milliseconds for 1,000 rounds of select and observe over 10 arms. */
export function roundTime(): number {
  for (let warm = 0; warm < 20; warm += 1) regretOf(uniformRates(warm, 10), 1000, warm);
  const started = performance.now();
  for (let trial = 0; trial < 20; trial += 1) regretOf(uniformRates(trial, 10), 1000, trial);
  return (performance.now() - started) / 20;
}
