import {
  type ArmRow,
  countArms,
  decayArm,
  deleteArms,
  shiftArms,
} from '../../backends/store/learning/learning-arms.js';
import { deleteObservations, lastObservation } from '../../backends/store/learning/learning-log.js';
import {
  finishDeletion,
  growPartition,
  startDeletion,
  touchPartition,
} from '../../backends/store/learning/learning-partitions.js';
import type { Store } from '../../backends/store/scope.js';
import { slicer } from '../../core/async/slices.js';
import type { Clock } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import type { Random } from '../../core/random.js';
import type { ArmCache } from './arm-cache.js';
import { armView, scoresById, stateOf } from './arm-views.js';
import { credibleInterval } from './beta/beta-quantile.js';
import { betaSampler } from './beta/beta-sample.js';
import { checkedCandidates } from './candidates.js';
import { checkedDeltas } from './check-deltas.js';
import { contextKey, type LearningContext } from './context-key.js';
import { checkedArm, FLOOR, type LearnerConfig, type Prior, priors } from './learner-config.js';
import type {
  ArmOutcome,
  ArmPosterior,
  ArmState,
  CreditDelta,
  LearnerMetrics,
  ObserveResult,
  ResetResult,
  SelectOptions,
  SelectResult,
  SessionSummary,
} from './learner-types.js';
import { learnerMetrics } from './metrics.js';
import { rewardOf } from './reward.js';
import { type Candidate, type Chances, chooseArms } from './select.js';
import { endLearningSession, startLearningSession } from './sessions.js';
import type { LearnerWrite, ObservedArm } from './write/learner-write.js';
import { recordWrites, tooManyArms } from './write/record.js';
import type { WriteBatcher } from './write/write-batcher.js';

/** Where the states of some learners live. */
export interface LearnerStore {
  readonly store: Store;
  readonly cache: ArmCache;
  readonly writes: WriteBatcher<LearnerWrite, readonly ArmRow[]>;
}

export interface LearnerOptions {
  readonly clock: Clock;
  /** Generator of this learner's draws; a seeded one makes every selection repeatable. */
  readonly random: Random;
  /** Rewards of custom outcomes. */
  readonly outcomes: Readonly<Record<string, number>>;
}

/**
 * One named learner: Thompson sampling over Beta posteriors, partitioned by context. Safe to share and to replicate.
 */
export class Learner {
  private readonly priorOf: (armId: string) => Prior;
  private readonly chances: Chances;

  constructor(
    readonly config: LearnerConfig,
    private readonly at: LearnerStore,
    private readonly options: LearnerOptions,
  ) {
    this.priorOf = priors(config);
    this.chances = { random: options.random, sample: betaSampler(options.random) };
  }

  /** Selects up to `k` candidates (0 or less: no cap). Throws `invalid_input` for empty or duplicate candidates. */
  async select(
    candidates: readonly Candidate[],
    context?: LearningContext | null,
    options: SelectOptions | number = {},
  ): Promise<SelectResult> {
    const { k = 1, token_budget = 0, min_pulls = 0 } = typeof options === 'number' ? { k: options } : options;
    checkedCandidates(candidates, { k, token_budget, min_pulls });
    const partition = contextKey(context);
    const arms = await this.at.cache.arms({ learner: this.config.name, key: partition.key });
    const choice = chooseArms(
      candidates,
      candidates.map(({ id }) => arms.get(id) ?? { ...this.priorOf(id), pulls: 0 }),
      {
        ...this.chances,
        k,
        tokenBudget: token_budget,
        minPulls: Math.max(min_pulls, this.config.min_pulls),
        baselineRate: this.config.baseline_rate,
      },
    );
    const ids = choice.selected.map((index) => candidates[index]!.id);
    // Counts of selections are statistics: they are written within milliseconds, and the answer does not wait for the disk.
    const selected = { arms: ids, isBaseline: choice.isBaseline };
    await this.at.writes.later(this.writeOf(partition, { observed: [], selected }));
    const taken = new Set(choice.selected);
    return {
      selected_arms: choice.selected.map((index) => armView(candidates[index]!, 0)),
      excluded_arms: candidates.filter((_, index) => !taken.has(index)).map((arm) => armView(arm, token_budget)),
      is_baseline: choice.isBaseline,
      scores: scoresById(candidates, choice.scores),
      token_budget,
      used_tokens: choice.usedTokens,
    };
  }

  /**
   * Records one observation; the answer is the arm right after it. `context` wins over the outcome's own. An
   * observation with a key that was recorded before changes nothing and is answered with the arm as it is.
   */
  async observe(
    outcome: ArmOutcome,
    context?: LearningContext | null,
    idempotencyKey?: string,
  ): Promise<ObserveResult> {
    const [result] = await this.observeAll([outcome], { context: context ?? outcome.context, idempotencyKey });
    return result!;
  }

  /** Records several observations together: all of them, or none. `context` wins over the outcomes' own. */
  async batchObserve(outcomes: readonly ArmOutcome[], context?: LearningContext | null): Promise<ObserveResult[]> {
    return this.observeAll(outcomes, { context });
  }

  private async observeAll(
    outcomes: readonly ArmOutcome[],
    { context, idempotencyKey }: { context?: LearningContext | null | undefined; idempotencyKey?: string | undefined },
  ): Promise<ObserveResult[]> {
    const rewarded = outcomes.map((outcome) => ({
      arm_id: checkedArm(outcome.arm_id),
      outcome: outcome.outcome || null,
      ...rewardOf(outcome, this.options.outcomes),
    }));
    if (rewarded.length === 0) return [];
    const partitions = outcomes.map((outcome) => contextKey(context ?? outcome.context));
    const writes = [...new Map(partitions.map((partition) => [partition.key, partition])).values()].map((partition) => {
      const mine = rewarded.filter((_, index) => partitions[index]!.key === partition.key);
      const observed: ObservedArm[] = mine.map(({ arm_id, outcome, reward }) => ({ arm_id, outcome, reward }));
      return this.writeOf(partition, { observed, idempotencyKey });
    });
    const rows = new Map((await this.recorded(writes)).map((answer, index) => [writes[index]!.key, [...answer]]));
    return rewarded.map(({ warning }, index) => {
      const row = rows.get(partitions[index]!.key)!.shift()!;
      return {
        arm_id: row.arm_id,
        alpha: row.alpha,
        beta: row.beta,
        mean: row.alpha / (row.alpha + row.beta),
        pulls: row.pulls,
        ...(warning === undefined ? {} : { warning }),
      };
    });
  }

  /** Returns the `k` arms with the highest posterior mean, descending; ties by id. */
  async topArms(context?: LearningContext | null, k = 10): Promise<Array<ArmState & { readonly arm_id: string }>> {
    const arms = await this.at.cache.arms({ learner: this.config.name, key: contextKey(context).key });
    return [...arms.values()]
      .map((row) => ({ arm_id: row.arm_id, ...stateOf(row) }))
      .sort((a, b) => b.mean - a.mean || (a.arm_id < b.arm_id ? -1 : 1))
      .slice(0, Math.max(0, k));
  }

  /** Sets alpha ← a0 + factor·(alpha − a0), beta alike: toward the prior. An arm never observed stays at its prior. */
  async decayArm(armId: string, decayFactor: number, context?: LearningContext | null): Promise<ArmState> {
    if (!(decayFactor >= 0 && decayFactor <= 1)) {
      throw new SvcError('invalid_input', 'decay_factor must be a number from 0 to 1.', { member: 'decay_factor' });
    }
    checkedArm(armId);
    const partition = contextKey(context);
    const ref = { learner: this.config.name, key: partition.key };
    const now = this.options.clock();
    const prior = this.priorOf(armId);
    const row = await this.at.store.write(async ({ db }) => {
      const { version } = await touchPartition(db, ref, { context: partition.json, arms: true });
      return decayArm(db, ref, { arm_id: armId, factor: decayFactor, prior, version, now });
    });
    return stateOf(row ?? { arm_id: armId, ...prior, pulls: 0, total_reward: 0, updated_at: now });
  }

  /**
   * Returns posteriors of all arms of a context, or of these (an unknown arm has its prior), with 95 % credible
   * intervals.
   */
  async posteriors(
    context?: LearningContext | null,
    armIds?: readonly string[],
  ): Promise<Record<string, ArmPosterior>> {
    const arms = await this.at.cache.arms({ learner: this.config.name, key: contextKey(context).key });
    const ids = armIds === undefined ? [...arms.keys()].sort() : armIds.map((id) => checkedArm(id, 'arm_ids'));
    const pause = slicer();
    const entries: Array<[string, ArmPosterior]> = [];
    for (const id of ids) {
      const row = arms.get(id) ?? { arm_id: id, ...this.priorOf(id), pulls: 0, total_reward: 0, updated_at: 0 };
      entries.push([id, { ...stateOf(row), credible_interval: credibleInterval(row.alpha, row.beta) }]);
      await pause();
    }
    return Object.fromEntries(entries);
  }

  /** Returns totals over all contexts; with `window` pulls, reward and accuracy of the last observations only. */
  async metrics(options: { readonly window?: number | undefined } = {}): Promise<LearnerMetrics> {
    await this.at.writes.flush();
    return learnerMetrics(this.at, this.config.name, options.window);
  }

  /** Adds credit to posteriors: alpha and beta deltas (never below 0.01), one pull per arm. All of them, or none. */
  async applyCreditDeltas(
    deltas: Readonly<Record<string, CreditDelta>>,
    context?: LearningContext | null,
  ): Promise<Record<string, ArmState>> {
    const shifts = checkedDeltas(deltas).map((delta) => ({ ...delta, prior: this.priorOf(delta.arm_id) }));
    if (shifts.length === 0) return {};
    const partition = contextKey(context);
    const ref = { learner: this.config.name, key: partition.key };
    const rows = await this.at.store.write(async ({ db }) => {
      const { version, arms } = await touchPartition(db, ref, { context: partition.json, arms: true });
      const changed = await shiftArms(db, ref, { shifts, version, now: this.options.clock(), floor: FLOOR });
      const fresh = changed.filter((row) => row.born === version).length;
      if (fresh > 0 && arms + fresh > this.config.max_arms) throw tooManyArms(ref.learner, this.config.max_arms);
      if (fresh > 0) await growPartition(db, ref, { arms: fresh });
      return changed;
    });
    return Object.fromEntries(rows.map((row) => [row.arm_id, stateOf(row)]));
  }

  /**
   * Deletes arm states: all; a context's; these of the default context; these of a context. Seed boosts apply again. A
   * dry run only counts them.
   */
  async reset(armIds?: readonly string[] | null, context?: LearningContext | null, dryRun?: boolean) {
    const learner = this.config.name;
    const ids = armIds ?? undefined;
    const everywhere = ids === undefined && (context === undefined || context === null);
    const key = everywhere ? undefined : contextKey(context).key;
    const status: ResetResult['status'] = dryRun === true ? 'dry_run' : 'reset';
    if (ids?.length === 0) return { learner, deleted: 0, status };
    await this.at.writes.flush();
    if (dryRun === true) return { learner, deleted: await countArms(this.at.store.db, { learner, key, ids }), status };
    const { deleted, upTo } = await this.at.store.write(async ({ db }) => {
      await startDeletion(db, learner, key);
      const count = await deleteArms(db, { learner, key, ids });
      await finishDeletion(db, learner, { key, everything: ids === undefined });
      return { deleted: count, upTo: await lastObservation(db) };
    });
    const scope = { learner, key, ids, upTo, limit: 5000 };
    while ((await this.at.store.write(({ db }) => deleteObservations(db, scope))) === scope.limit);
    return { learner, deleted, status };
  }

  /** Starts a session: until its end it records what this learner selects and observes. */
  async sessionStart(name: string): Promise<{ session_id: string; learner: string }> {
    await this.at.writes.flush();
    return startLearningSession(this.at.store, { learner: this.config.name, name, now: this.options.clock() });
  }

  /** Ends a session and sums it up; ending it again answers the same. Unknown: `session_not_found`. */
  async sessionEnd(sessionId: string): Promise<SessionSummary> {
    await this.at.writes.flush();
    return endLearningSession(this.at.store, sessionId, this.options.clock());
  }

  /**
   * Writes; one write shares a commit with others, those of several contexts have one of their own, so that all or none
   * count.
   */
  private async recorded(writes: readonly LearnerWrite[]): Promise<ReadonlyArray<readonly ArmRow[]>> {
    if (writes.length === 1) return [await this.at.writes.add(writes[0]!)];
    return this.at.store.write(async (scope) =>
      (await recordWrites(scope, writes)).map((outcome) => {
        if ('error' in outcome) throw outcome.error;
        return outcome.value;
      }),
    );
  }

  private writeOf(
    partition: { key: string; json: string },
    what: Pick<LearnerWrite, 'observed' | 'selected' | 'idempotencyKey'>,
  ): LearnerWrite {
    return {
      learner: this.config.name,
      key: partition.key,
      context: partition.json,
      config: this.config,
      priorOf: this.priorOf,
      now: this.options.clock(),
      ...what,
    };
  }
}
