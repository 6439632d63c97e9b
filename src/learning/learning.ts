import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { learnerTotals } from '../backends/store/learning/learning-partitions.js';
import type { Store } from '../backends/store/scope.js';
import type { Clock } from '../core/clock.js';
import { SvcError } from '../core/errors.js';
import { type Random, seededRandom, systemRandom } from '../core/random.js';
import { ArmCache } from './learner/arm-cache.js';
import type { LearningContext } from './learner/context-key.js';
import { Learner, type LearnerStore } from './learner/learner.js';
import { type LearnerConfig, learnerConfig } from './learner/learner-config.js';
import type {
  ArmPosterior,
  LearnerMetrics,
  ObserveResult,
  ResetResult,
  SelectOptions,
  SelectResult,
  SessionSummary,
} from './learner/learner-types.js';
import { pruneLearning, RETENTION, type Retention } from './learner/retention.js';
import { checkedOutcomes } from './learner/reward.js';
import type { Candidate } from './learner/select.js';
import { sessionLearner, unknownSession } from './learner/sessions.js';
import { recordWrites } from './learner/write/record.js';
import { WriteBatcher } from './learner/write/write-batcher.js';

export interface LearningOptions {
  readonly clock: Clock;
  /** Makes every learner repeatable; without it each is seeded from the operating system. */
  readonly seed?: number | string | undefined;
  /** Rewards of custom outcomes, 0..1. */
  readonly outcomes?: Readonly<Record<string, number>> | undefined;
  /** Settings by learner name. */
  readonly learners?: Readonly<Record<string, Partial<Omit<LearnerConfig, 'name'>>>> | undefined;
  readonly retention?: Partial<Retention> | undefined;
  /** Opens the SQLite file of a learner with `state_dir`. */
  readonly openStore: (file: string) => Promise<Store>;
}

/** The learner that holds credit; it always lives in the service's own store. */
const CREDIT_LEARNER = 'credit';

export interface LearningStats {
  readonly learners: number;
  readonly total_observations: number;
  readonly learner_breakdown: Readonly<Record<string, { observations: number; selections: number; contexts: number }>>;
}

/** Every learner of the service, created on first use; and the learning operations by name. */
export class Learning {
  private readonly main: LearnerStore;
  private readonly others = new Map<string, Promise<LearnerStore>>();
  private readonly learners = new Map<string, Promise<Learner>>();
  private readonly outcomes: Readonly<Record<string, number>>;

  constructor(
    store: Store,
    private readonly options: LearningOptions,
  ) {
    this.main = learnerStore(store);
    this.outcomes = checkedOutcomes(options.outcomes ?? {});
    for (const [name, settings] of Object.entries(options.learners ?? {})) {
      const { state_dir } = learnerConfig(name, settings);
      if (name === CREDIT_LEARNER && state_dir !== '') {
        throw new SvcError(
          'invalid_input',
          'learners.credit.state_dir must stay empty: credit lives with the feedback.',
        );
      }
    }
  }

  /** Returns the learner of that name. Throws `invalid_input` for a name that is not safe. */
  learner(name: string): Promise<Learner> {
    const known = this.learners.get(name);
    if (known !== undefined) return known;
    const config = learnerConfig(name, this.settingsOf(name));
    return this.remember(name, this.open(config));
  }

  /** Opens a learner with these settings instead of the configuration's; from now on it is the one of that name. */
  configure(settings: Partial<LearnerConfig> & { readonly name: string }): Promise<Learner> {
    const { name, ...rest } = settings;
    return this.remember(name, this.open(learnerConfig(name, { ...this.settingsOf(name), ...rest })));
  }

  async select(
    input: {
      readonly learner: string;
      readonly candidates: readonly Candidate[];
      readonly context?: LearningContext;
    } & SelectOptions,
  ): Promise<SelectResult> {
    const { learner, candidates, context, ...options } = input;
    return (await this.learner(learner)).select(candidates, context, options);
  }

  async observe(input: {
    readonly learner: string;
    readonly arm_id: string;
    readonly outcome?: string | undefined;
    readonly reward?: number | undefined;
    readonly context?: LearningContext | undefined;
    readonly idempotency_key?: string | undefined;
  }): Promise<ObserveResult> {
    const { learner, context, idempotency_key, ...outcome } = input;
    return (await this.learner(learner)).observe(outcome, context, idempotency_key);
  }

  async posteriors(input: {
    readonly learner: string;
    readonly context?: LearningContext | undefined;
    readonly arm_ids?: readonly string[] | undefined;
  }): Promise<{ learner: string; posteriors: Record<string, ArmPosterior> }> {
    const learner = await this.learner(input.learner);
    return { learner: input.learner, posteriors: await learner.posteriors(input.context, input.arm_ids) };
  }

  async metrics(input: { readonly learner: string; readonly window?: number | undefined }): Promise<LearnerMetrics> {
    return (await this.learner(input.learner)).metrics({ window: input.window });
  }

  async sessionStart(input: {
    readonly learner: string;
    readonly session_name: string;
  }): Promise<{ session_id: string; learner: string }> {
    return (await this.learner(input.learner)).sessionStart(input.session_name);
  }

  async sessionEnd(input: { readonly session_id: string }): Promise<SessionSummary> {
    const name = sessionLearner(input.session_id);
    if (name === undefined) throw unknownSession(input.session_id);
    return (await this.learner(name)).sessionEnd(input.session_id);
  }

  /** Deletes arm states as the specification's table says, and evicts the learner. */
  async reset(input: {
    readonly learner: string;
    readonly arm_ids?: readonly string[] | undefined;
    readonly context?: LearningContext | undefined;
    readonly dry_run?: boolean | undefined;
  }): Promise<ResetResult> {
    const { arm_ids, context, dry_run: dryRun } = input;
    return (await this.learner(input.learner)).reset(arm_ids, context, dryRun);
  }

  /** Returns the learning block of `svc_stats`; totals neither reset nor retention lowers. */
  async summary(): Promise<LearningStats> {
    const rows = [];
    for (const { store, writes } of await this.stores()) {
      await writes.flush();
      rows.push(...(await learnerTotals(store.db)));
    }
    return {
      learners: rows.length,
      total_observations: rows.reduce((sum, row) => sum + row.observations, 0),
      learner_breakdown: Object.fromEntries(
        rows.map(({ learner, observations, selections, contexts }) => [
          learner,
          { observations, selections, contexts },
        ]),
      ),
    };
  }

  /** Deletes expired observations and sessions; a periodic job calls it. Returns how many observations were deleted. */
  async prune(): Promise<number> {
    let pruned = 0;
    for (const { store } of await this.stores()) {
      pruned += await pruneLearning(store, this.options.clock(), { ...RETENTION, ...this.options.retention });
    }
    return pruned;
  }

  /** Waits for what is being written and closes the stores of learners with a `state_dir`. */
  async close(): Promise<void> {
    const others = await Promise.all([...this.others.values()]);
    for (const { writes } of [this.main, ...others]) await writes.flush();
    for (const { store } of others) await store.close();
    this.others.clear();
    this.learners.clear();
  }

  private settingsOf(name: string): Partial<Omit<LearnerConfig, 'name'>> {
    const { learners = {} } = this.options;
    return Object.hasOwn(learners, name) ? learners[name]! : {};
  }

  private remember(name: string, learner: Promise<Learner>): Promise<Learner> {
    this.learners.set(name, learner);
    learner.catch(() => this.learners.delete(name));
    return learner;
  }

  private async open(config: LearnerConfig): Promise<Learner> {
    const at = config.state_dir === '' ? this.main : await this.storeAt(config.state_dir);
    return new Learner(config, at, {
      clock: this.options.clock,
      random: this.randomOf(config.name),
      outcomes: this.outcomes,
    });
  }

  private randomOf(name: string): Random {
    return this.options.seed === undefined ? systemRandom() : seededRandom(`${this.options.seed}\0${name}`);
  }

  private storeAt(directory: string): Promise<LearnerStore> {
    let opened = this.others.get(directory);
    if (opened === undefined) {
      opened = mkdir(directory, { recursive: true })
        .then(() => this.options.openStore(join(directory, 'learning.db')))
        .then(learnerStore);
      this.others.set(directory, opened);
      opened.catch(() => this.others.delete(directory));
    }
    return opened;
  }

  /** Returns the main store and those of every configured directory. */
  private async stores(): Promise<LearnerStore[]> {
    const directories = Object.values(this.options.learners ?? {}).map(({ state_dir }) => state_dir ?? '');
    for (const directory of new Set(directories)) if (directory !== '') await this.storeAt(directory);
    return [this.main, ...(await Promise.all(this.others.values()))];
  }
}

/** Returns where learners of a store keep their states. */
export function learnerStore(store: Store): LearnerStore {
  return { store, cache: new ArmCache(store.db), writes: new WriteBatcher(store, recordWrites) };
}
