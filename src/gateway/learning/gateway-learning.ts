import { saysClosed } from '../../backends/store/engine/storage-problem.js';
import { readMeans } from '../../backends/store/gateway/means.js';
import {
  countRuns,
  pruneRuns,
  type RunFilter,
  readRuns,
  runsAfter,
  runTotals,
  tokenBuckets,
} from '../../backends/store/gateway/runs.js';
import type { Store } from '../../backends/store/scope.js';
import { slicer } from '../../core/async/slices.js';
import type { Clock } from '../../core/clock.js';
import { SvcError, toSvcError } from '../../core/errors.js';
import type { Random } from '../../core/random.js';
import { type ConvergenceBucket, convergenceBuckets } from './convergence.js';
import type { GatewayLearner } from './gateway-learner.js';
import { GATEWAY_LEARNER, type GatewayLearningSettings } from './learning-settings.js';
import { byMean, type Posterior, posteriorOf } from './posteriors.js';
import { type ExportedTrace, exportedTrace, type LearningTrace, learningTrace } from './run-trace.js';
import { type PromptArm, type PromptSelection, selectPromptArms } from './select-arms.js';

export interface LearningSummary {
  readonly traceCount: number;
  readonly armCount: number;
  readonly minTimestamp: number | null;
  readonly maxTimestamp: number | null;
  readonly totalTokens: number;
  /** Of runs that have arms; `traceCount` counts the others too. */
  readonly baseline: {
    readonly baselineRuns: number;
    readonly selectedRuns: number;
    readonly baselineAvgTokens: number | null;
    readonly selectedAvgTokens: number | null;
    readonly tokenSavingsPercent: number | null;
    readonly baselineAvgDuration: number | null;
    readonly selectedAvgDuration: number | null;
  };
}

export interface LearningConfig {
  readonly enabled: boolean;
  readonly phase: string;
  readonly strategy: string;
  readonly tokenBudget: number;
  readonly baselineRate: number;
  readonly minPulls: number;
  readonly seedArmIds: readonly string[];
}

export const LEARNING_WINDOWS = { '1h': 3_600_000, '1d': 86_400_000 } as const;
export type LearningWindow = keyof typeof LEARNING_WINDOWS;

export type TimeBucket = { readonly t: number; readonly value: number };

const MAX_TRACES = 1000;
const HOUR_MS = 3_600_000;
const UNAVAILABLE = 'Learning backend (the service) not available';

/** Statistics of learning from agent runs, manual rewards, and the selection of prompt components. */
export class GatewayLearning {
  constructor(
    private readonly store: Store,
    private readonly learner: GatewayLearner,
    private readonly options: {
      readonly clock: Clock;
      readonly random: Random;
      readonly settings: GatewayLearningSettings;
    },
  ) {}

  config(): LearningConfig {
    const { settings } = this.options;
    return {
      enabled: settings.enabled,
      phase: settings.phase,
      strategy: settings.strategy,
      tokenBudget: settings.token_budget,
      baselineRate: settings.baseline_rate,
      minPulls: settings.min_pulls,
      seedArmIds: [...settings.seed_arm_ids],
    };
  }

  async summary(filter: RunFilter = {}): Promise<LearningSummary> {
    const [arms, totals] = await reachable(Promise.all([this.learner.arms(), runTotals(this.store.db, filter)]));
    const { baseline, selected } = totals;
    return {
      traceCount: totals.runs,
      armCount: arms.size,
      minTimestamp: totals.min,
      maxTimestamp: totals.max,
      totalTokens: totals.tokens,
      baseline: {
        baselineRuns: baseline.runs,
        selectedRuns: selected.runs,
        baselineAvgTokens: baseline.avgTokens,
        selectedAvgTokens: selected.avgTokens,
        tokenSavingsPercent: savings(baseline.avgTokens, selected.avgTokens),
        baselineAvgDuration: baseline.avgDuration,
        selectedAvgDuration: selected.avgDuration,
      },
    };
  }

  /** Returns the posteriors, highest mean first. */
  async posteriors(): Promise<Posterior[]> {
    const arms = await reachable(this.learner.arms());
    const pause = slicer();
    const posteriors: Posterior[] = [];
    for (const [armId, arm] of arms) {
      posteriors.push(posteriorOf(armId, arm, this.options.settings));
      await pause();
    }
    return posteriors.sort(byMean);
  }

  /** Returns a page, newest first; `limit` is capped at 1000. */
  async traces(
    query: RunFilter & { readonly limit: number; readonly offset: number },
  ): Promise<{ traces: LearningTrace[]; total: number }> {
    const limit = Math.min(query.limit, MAX_TRACES);
    const [rows, total] = await reachable(
      Promise.all([readRuns(this.store.db, { ...query, limit }), countRuns(this.store.db, query)]),
    );
    return { traces: rows.map(learningTrace), total };
  }

  /** Runs after a row, in the order in which they came, for exports; `next` is null at the end. */
  async tracesAfter(after: number, limit: number): Promise<{ traces: ExportedTrace[]; next: number | null }> {
    const rows = await reachable(runsAfter(this.store.db, after, limit));
    return { traces: rows.map(exportedTrace), next: rows.length < limit ? null : rows.at(-1)!.id };
  }

  async timeseries(
    metric: 'tokens' | 'convergence',
    window: LearningWindow,
    filter: RunFilter = {},
  ): Promise<{ buckets: TimeBucket[] | ConvergenceBucket[] }> {
    const width = LEARNING_WINDOWS[window];
    if (metric === 'convergence') {
      const until = filter.until === undefined ? undefined : Math.ceil(filter.until / HOUR_MS);
      const notes = await reachable(readMeans(this.store.db, { until }));
      return { buckets: convergenceBuckets(notes, width, filter.since) };
    }
    const buckets = await reachable(tokenBuckets(this.store.db, width, filter));
    return { buckets: buckets.map(({ bucket, value }) => ({ t: bucket * width, value })) };
  }

  /** Sets arms back to Beta(1, 1): these, or all. */
  async reset(armIds?: readonly string[]): Promise<{ learner: string; reset_count: number; arm_ids: string[] }> {
    try {
      const known = await this.learner.arms();
      const ids = armIds === undefined ? [...known.keys()].sort() : [...new Set(armIds)].filter((id) => known.has(id));
      await this.learner.reset(ids, this.options.clock());
      return { learner: GATEWAY_LEARNER, reset_count: ids.length, arm_ids: ids };
    } catch (error) {
      throw failed('Reset failed', error);
    }
  }

  /** Records a reward by hand; it always counts. */
  async reward(given: {
    readonly arm_id: string;
    readonly outcome: string;
    readonly reward?: number | undefined;
    readonly reason?: string | undefined;
  }): Promise<{ ok: boolean; arm_id: string }> {
    const { arm_id: armId, outcome, reason } = given;
    const reward = given.reward ?? (outcome === 'accepted' ? 1 : 0);
    try {
      await this.learner.reward({ armId, outcome, reward, reason: reason ?? null, at: this.options.clock() });
      return { ok: true, arm_id: armId };
    } catch (error) {
      throw failed('Reward observation failed', error);
    }
  }

  /** Selects the prompt components of the next run. */
  async select(candidates: readonly PromptArm[], tokenBudget?: number): Promise<PromptSelection> {
    const { settings, random } = this.options;
    const states = settings.phase === 'passive' ? new Map() : await reachable(this.learner.arms());
    return selectPromptArms(candidates, states, { settings, random, tokenBudget });
  }

  /** Passes lessons on to a remote learner. */
  async flush(): Promise<void> {
    for (;;) if ((await this.learner.flush(this.options.clock())) === 0) return;
  }

  /** Deletes runs received more than `days` ago; what they taught stays. Returns how many were deleted. */
  async prune(days: number): Promise<number> {
    const before = this.options.clock() - days * 86_400_000;
    let pruned = 0;
    for (;;) {
      const deleted = await this.store.write(({ db }) => pruneRuns(db, before, 1000));
      pruned += deleted;
      if (deleted < 1000) return pruned;
    }
  }
}

function savings(baseline: number | null, selected: number | null): number | null {
  return baseline === null || selected === null || baseline === 0 ? null : ((baseline - selected) / baseline) * 100;
}

/** Says in the specification's words that the learner, or the store, does not answer. */
async function reachable<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    const known = toSvcError(error);
    if (known.code !== 'unavailable' && !saysClosed(error)) throw known;
    throw new SvcError('unavailable', UNAVAILABLE, undefined, { cause: error, retriable: true });
  });
}

function failed(what: string, error: unknown): SvcError {
  const known = toSvcError(error);
  if (known.code === 'invalid_input') return known;
  return new SvcError(
    'unavailable',
    `${what}: ${known.code === 'internal' ? 'the store failed; see the log.' : known.message}`,
    undefined,
    {
      cause: error,
      retriable: true,
    },
  );
}
