import {
  changedEdgeFactors,
  changedItems,
  type ItemPriorRow,
  readItemPriors,
} from '../../backends/store/learning/interoception-factors.js';
import { pairCounts } from '../../backends/store/learning/interoception-pairs.js';
import { readCounters } from '../../backends/store/learning/querylog.js';
import type { Store } from '../../backends/store/scope.js';
import { SinceCommit } from '../../backends/store/since-commit.js';
import type { Clock } from '../../core/clock.js';
import { textHash } from '../../core/ids.js';
import type { GraphNode } from '../../core/model.js';
import { CREDIT } from '../credit/credit-account.js';
import { ArmCache } from '../learner/arm-cache.js';
import type { DomainRankers } from '../ranker/domain-rankers.js';
import type { DomainRanker, RankingAdjustments } from './adjustments.js';
import { decayed, type Factor } from './factor.js';
import { type InteroceptionReport, type InteroceptionStatus, interoceptionReport } from './interoception-report.js';
import { type InteroceptionReset, type ResetScope, resetInteroception } from './interoception-reset.js';
import {
  EPOCH,
  factorRule,
  INTEROCEPTION,
  type InteroceptionSettings,
  PROMOTED,
  RANKERS,
  VERSION,
} from './interoception-settings.js';
import { ownFactors, PRIOR_RULE, type PriorRule, priorAmounts, type QuestionText } from './item-prior.js';
import { sameText } from './same-text.js';

export interface InteroceptionOptions {
  readonly clock: Clock;
  readonly interoception?: Partial<InteroceptionSettings> | undefined;
  /** Name of the embedding model in use now: only vectors of the same one are compared. */
  readonly model?: (() => string | null) | undefined;
  /** Weight of the credit learner's means in ranking; 0 or absent with `SVC_CREDIT` off. */
  readonly creditWeight?: number | undefined;
  readonly prior?: Partial<PriorRule> | undefined;
  /** The weights that domains learned; without it all domains are ranked alike. */
  readonly rankers?: DomainRankers | undefined;
  /**
   * Ids of the concepts that an ingest source asserts, for a reset of that source; without it only its passages count.
   */
  readonly conceptsOf?: ((sourceId: string) => Promise<readonly string[]>) | undefined;
  /** Whether the domain or source of a reset exists; without it none is refused. */
  readonly exists?: ((scope: ResetScope) => Promise<boolean>) | undefined;
}

/** Factors are decayed in steps of six hours: half a percent of a half-life. */
const STEP_MS = 6 * 3_600_000;
const PAGE = 5000;
/** A factor this close to 1 is left out. */
const NEUTRAL = 0.002;

/**
 * The effects of feedback, as ranking uses them. Follows the store: feedback in any replica counts in the next query
 * here.
 */
export class Interoception implements RankingAdjustments {
  readonly settings: InteroceptionSettings;
  private readonly prior: PriorRule;
  private readonly credit: ArmCache;
  private readonly raw = new Map<string, Factor>();
  private readonly rated = new Set<string>();
  private seen = { version: -1, epoch: -1 };
  private rankersSeen = 0;
  private shown: { readonly version: number; readonly factors: ReadonlyMap<string, number> } | undefined;
  private loading: Promise<void> = Promise.resolve();
  private readonly refreshed: SinceCommit<void>;

  constructor(
    private readonly store: Store,
    private readonly options: InteroceptionOptions,
  ) {
    this.settings = { ...INTEROCEPTION, ...options.interoception };
    this.prior = { ...PRIOR_RULE, ...options.prior };
    this.credit = new ArmCache(store.db, 1);
    this.refreshed = new SinceCommit(store, () => this.loadNext(), { owner: this, name: 'counters' });
  }

  async version(): Promise<number> {
    if (!this.settings.enabled) return 0;
    await this.refreshed.current();
    return this.stamp();
  }

  async edgeFactors(): Promise<ReadonlyMap<string, number>> {
    const version = await this.version();
    if (this.shown !== undefined && this.shown.version === version) return this.shown.factors;
    const now = this.options.clock();
    const { halfLifeMs } = factorRule(this.settings);
    const factors = new Map<string, number>();
    for (const [id, factor] of this.raw) {
      const value = decayed(factor, now, halfLifeMs);
      if (Math.abs(value - 1) >= NEUTRAL) factors.set(id, value);
    }
    this.shown = { version, factors };
    return factors;
  }

  async itemPriors(
    question: string,
    queryVector: Float32Array | null,
    ids: readonly string[],
    present?: Promise<readonly GraphNode[]>,
  ): Promise<ReadonlyMap<string, number>> {
    const amounts = await this.ratedAmounts({ text: question, vector: queryVector }, ids, present);
    const { creditWeight = 0 } = this.options;
    if (creditWeight === 0) return amounts;
    const arms = await this.credit.arms(CREDIT);
    for (const id of ids) {
      const arm = arms.get(id);
      // Between -1 and 1: twice the distance of the mean from an arm's that never got credit.
      if (arm !== undefined) {
        const leaning = (2 * arm.alpha) / (arm.alpha + arm.beta) - 1;
        amounts.set(id, (amounts.get(id) ?? 0) + creditWeight * leaning);
      }
    }
    return amounts;
  }

  async ownRatings(
    question: string,
    ids: readonly string[],
    present?: Promise<readonly GraphNode[]>,
  ): Promise<ReadonlyMap<string, number>> {
    const rows = await this.ratedRows(ids, present);
    const { halfLifeMs } = factorRule(this.settings);
    return ownFactors(rows, question, { now: this.options.clock(), halfLifeMs });
  }

  async rankers(): Promise<ReadonlyMap<string, DomainRanker>> {
    const { rankers } = this.options;
    if (rankers === undefined || !this.settings.enabled) return new Map();
    return rankers.current(`${this.seen.epoch} ${this.rankersSeen}`);
  }

  /** Returns the block that `svc_status` shows. */
  async status(): Promise<InteroceptionStatus> {
    const factors = [...(await this.edgeFactors()).values()];
    const buffered = await pairCounts(this.store.db);
    const counters = await readCounters(this.store.db, PROMOTED);
    return {
      factors: {
        count: factors.length,
        mean: factors.length === 0 ? 1 : factors.reduce((sum, value) => sum + value, 0) / factors.length,
        min: factors.reduce((least, value) => Math.min(least, value), factors[0] ?? 1),
        max: factors.reduce((most, value) => Math.max(most, value), factors[0] ?? 1),
      },
      buffer: { buffered_edges: buffered, total_promoted: counters.get(PROMOTED) ?? 0 },
      backend: this.settings.enabled ? this.store.dialect : 'off',
    };
  }

  /** Returns the strongest factors and priors, each with the feedback that made it. */
  async report(options: { readonly limit?: number | undefined } = {}): Promise<InteroceptionReport> {
    const status = await this.status();
    return interoceptionReport(this.store.db, {
      status,
      enabled: this.settings.enabled,
      limit: options.limit ?? 20,
      domains: (await this.options.rankers?.report(options.limit ?? 20)) ?? [],
      now: this.options.clock(),
      halfLifeMs: factorRule(this.settings).halfLifeMs,
    });
  }

  /**
   * Deletes the effects of feedback: all of them, or those on the items of one domain or one ingest source. Throws
   * `domain_not_found` and `source_not_found` where there is none. A dry run only counts the feedback.
   */
  async reset(
    { domain, source_id }: ResetScope = {},
    { dryRun = false }: { readonly dryRun?: boolean | undefined } = {},
  ): Promise<InteroceptionReset> {
    const concepts = source_id === undefined ? [] : await this.options.conceptsOf?.(source_id);
    const { settings } = this;
    const { clock, exists } = this.options;
    return resetInteroception(this.store, { domain, source_id, concepts }, { settings, now: clock(), exists, dryRun });
  }

  private async ratedAmounts(
    question: Pick<QuestionText, 'text' | 'vector'>,
    ids: readonly string[],
    present: Promise<readonly GraphNode[]> | undefined,
  ): Promise<Map<string, number>> {
    const rows = await this.ratedRows(ids, present);
    return priorAmounts(
      rows,
      { ...question, model: this.options.model?.() ?? null },
      { rule: this.prior, now: this.options.clock(), halfLifeMs: factorRule(this.settings).halfLifeMs },
    );
  }

  /** Returns what feedback left on these items, as far as they still read as they were rated. */
  private async ratedRows(
    ids: readonly string[],
    present: Promise<readonly GraphNode[]> | undefined,
  ): Promise<ItemPriorRow[]> {
    if (!this.settings.enabled) return [];
    await this.refreshed.current();
    const known = ids.filter((id) => this.rated.has(id));
    if (known.length === 0) return [];
    const rows = await readItemPriors(this.store.db, known);
    return present === undefined ? rows : ofTexts(rows, await present);
  }

  /** Returns one number for the state of the rows and the step of time. */
  private stamp(): number {
    return this.seen.version * 4096 + (Math.floor(this.options.clock() / STEP_MS) % 4096);
  }

  /** Reads what changed since last time; calls that overlap wait for each other. */
  private loadNext(): Promise<void> {
    this.loading = this.loading.then(
      () => this.load(),
      () => this.load(),
    );
    return this.loading;
  }

  private async load(): Promise<void> {
    const { db } = this.store;
    const counters = await readCounters(db, 'interoception:');
    const now = { version: counters.get(VERSION) ?? 0, epoch: counters.get(EPOCH) ?? 0 };
    this.rankersSeen = counters.get(RANKERS) ?? 0;
    if (now.version === this.seen.version && now.epoch === this.seen.epoch) return;
    if (now.epoch !== this.seen.epoch) {
      this.raw.clear();
      this.rated.clear();
      this.seen = { version: -1, epoch: now.epoch };
    }
    const since = this.seen.version;
    for (let after = ''; ; ) {
      const rows = await changedEdgeFactors(db, { since, after, limit: PAGE });
      for (const { edge_id, factor, at } of rows) this.raw.set(edge_id, { factor, at });
      if (rows.length < PAGE) break;
      after = rows[rows.length - 1]!.edge_id;
    }
    for (let after = ''; ; ) {
      const ids = await changedItems(db, { since, after, limit: PAGE });
      for (const id of ids) this.rated.add(id);
      if (ids.length < PAGE) break;
      after = ids[ids.length - 1]!;
    }
    this.seen = now;
  }
}

/** Returns priors of texts that their items still have. */
function ofTexts(rows: readonly ItemPriorRow[], present: readonly GraphNode[]): ItemPriorRow[] {
  const rated = new Set(rows.map((row) => row.item_id));
  const texts = new Map(present.flatMap((node) => (rated.has(node.id) ? [[node.id, textHash(node)]] : [])));
  return rows.filter((row) => sameText(row.text_hash, texts.get(row.item_id) ?? null));
}
