import type { Kysely } from 'kysely';
import { markRated } from '../../backends/store/learning/domain-rankers.js';
import {
  addToCounters,
  markFirstRated,
  markUnpaired,
  type QueryRow,
  readQuery,
} from '../../backends/store/learning/querylog.js';
import { type FeedbackRow, putFeedback, readFeedback } from '../../backends/store/learning/querylog-feedback.js';
import type { Database } from '../../backends/store/schema.js';
import type { Store } from '../../backends/store/scope.js';
import type { Clock } from '../../core/clock.js';
import { SvcError } from '../../core/errors.js';
import { type Activity, activityChanges, readActivity, withOwn } from '../activity.js';
import type { Credit, CreditGiven, CreditPaths, RatedIn } from '../credit/credit.js';
import { replaceCredit } from '../credit/credit-account.js';
import { RETENTION, type Retention } from '../learner/retention.js';
import { type RecentFilter, type RecentQuery, recentQueries } from '../recent-queries.js';
import type { QueryRecord, QueryRecorder, RecordedItem } from './adjustments.js';
import {
  INTEROCEPTION,
  type InteroceptionSettings,
  isOutcome,
  type Outcome,
  VERSION,
} from './interoception-settings.js';
import { pruneQueryLog } from './query-retention.js';
import { QueryWriter } from './query-writer.js';
import { refoldFeedbackEdges, refoldItems } from './refold.js';

export interface FeedbackOptions {
  readonly clock: Clock;
  readonly interoception?: Partial<InteroceptionSettings> | undefined;
  /** How items read now (`textHash`), by id; without it, as they read when they were returned. */
  readonly textsOf?: ((ids: readonly string[]) => Promise<ReadonlyMap<string, string>>) | undefined;
  /** Null, or absent, with `SVC_CREDIT` off. */
  readonly credit?: Credit | null | undefined;
  readonly retention?: Partial<Retention> | undefined;
}

export interface FeedbackResult {
  readonly status: 'recorded';
  readonly query_id: string;
  readonly outcome_count: number;
  readonly source: string;
  readonly credit?: CreditGiven['counts'];
}

/** The query log and the feedback on its answers. */
export class Feedback implements QueryRecorder {
  private readonly settings: InteroceptionSettings;
  private readonly queries: QueryWriter;

  constructor(
    private readonly store: Store,
    private readonly options: FeedbackOptions,
  ) {
    this.settings = { ...INTEROCEPTION, ...options.interoception };
    this.queries = new QueryWriter(store, options.clock);
  }

  /** Takes a query into the log and returns at once: it is written behind the answer. */
  async recordQuery(record: QueryRecord): Promise<void> {
    this.queries.add(record);
  }

  /** Resolves when every query recorded before the call is in the store, or dropped. */
  flushed(): Promise<void> {
    return this.queries.flushed();
  }

  /** Returns the queries since the start whose log entry the store could not take; feedback on them is refused. */
  droppedQueries(): number {
    return this.queries.dropped;
  }

  /**
   * Records outcomes of a query's items; the same query, item and source again replaces. Throws `query_not_found`, or
   * `invalid_input` for an item that the query did not return or an unknown outcome: then nothing is recorded.
   */
  async record(input: {
    readonly query_id: string;
    readonly outcomes: Readonly<Record<string, string>>;
    readonly source?: string | undefined;
    /** Only the owner's queries exist for them; all do where nobody is named. */
    readonly owner?: string | undefined;
  }): Promise<FeedbackResult> {
    const { query_id, source = 'unknown' } = input;
    if (source.length > 200) throw new SvcError('invalid_input', 'source must not be longer than 200 characters.');
    const outcomes = checkedOutcomes(input.outcomes);
    await this.queries.written(query_id);
    const query = await readQuery(this.store.db, query_id);
    if (query === undefined || (input.owner !== undefined && query.owner !== input.owner)) {
      throw new SvcError(
        'query_not_found',
        `Query ${query_id.slice(0, 100)} is not in the query log; send the query_id that a query answered.`,
      );
    }
    const items = JSON.parse(query.items) as RecordedItem[];
    const returned = new Map(items.map((item) => [item.id, item]));
    const unknownItem = [...outcomes.keys()].find((id) => !returned.has(id));
    if (unknownItem !== undefined) {
      throw new SvcError('invalid_input', `outcomes names ${unknownItem.slice(0, 200)}, ${whatIsWrong(unknownItem)}.`, {
        member: `outcomes.${unknownItem}`,
      });
    }
    const at = this.options.clock();
    const rows: FeedbackRow[] = [...outcomes].map(([item_id, outcome]) => ({
      query_id,
      item_id,
      source,
      outcome,
      at,
      question: query.question,
      domain: returned.get(item_id)!.domain,
      source_id: returned.get(item_id)!.source_id ?? '',
      text_hash: returned.get(item_id)!.text_hash ?? null,
    }));
    const shares = await this.write({ query, items, rows, texts: await this.textsNow(rows) });
    return {
      status: 'recorded',
      query_id,
      outcome_count: outcomes.size,
      source,
      ...(shares === undefined ? {} : { credit: shares }),
    };
  }

  /** Returns questions of the log, the newest first, with their ratings. */
  async recent(filter: RecentFilter): Promise<{ readonly queries: RecentQuery[]; readonly total: number }> {
    await this.flushed();
    return recentQueries(this.store.db, filter);
  }

  /**
   * Returns the activity block of `svc_stats`, of everybody or of the owner's queries; neither restart, retention nor reset lowers
   * its totals. Those of owners begin with the release that counts them.
   */
  async activity(owner?: string): Promise<Activity> {
    await this.flushed();
    return readActivity(this.store.db, owner);
  }

  /**
   * Deletes expired queries and their feedback; the effects of feedback stay. Returns how many queries were deleted.
   */
  async prune(): Promise<number> {
    await this.flushed();
    const retention = { ...RETENTION, ...this.options.retention };
    return pruneQueryLog(this.store, { now: this.options.clock(), retention, settings: this.settings });
  }

  /** Waits for queries that are being written. */
  close(): Promise<void> {
    return this.queries.close();
  }

  /** Returns the hashes of the rated items' present texts; of removed items those of their last texts. */
  private async textsNow(rows: readonly FeedbackRow[]): Promise<ReadonlyMap<string, string>> {
    const then = rows.flatMap((row) => (row.text_hash === null ? [] : [[row.item_id, row.text_hash] as const]));
    const now = await this.options.textsOf?.(rows.map((row) => row.item_id));
    return new Map([...then, ...(now ?? [])]);
  }

  /**
   * Writes these rows and their effects; returns the counts of credit, if there is any. The paths to the items are read
   * from the graph before the transaction: where other feedback rated more of them meanwhile, once more.
   */
  private async write(given: CheckedFeedback): Promise<CreditGiven['counts'] | undefined> {
    const { credit } = this.options;
    if (credit === undefined || credit === null) {
      await this.store.write(({ db }) => this.writeWithin(db, given, null));
      return undefined;
    }
    const { query, items, rows } = given;
    const rated = new Set(rows.map((row) => row.item_id));
    for (;;) {
      const before = await readFeedback(this.store.db, query.query_id, rows[0]!.source);
      for (const { item_id } of before) rated.add(item_id);
      const paths = await credit.pathsTo(items.filter((item) => rated.has(item.id)));
      const done = await this.store.write(({ db }) => this.writeWithin(db, given, paths));
      if (done !== null) return done.counts;
    }
  }

  /**
   * Writes the feedback inside a transaction. Returns null, with nothing recorded, where the paths don't lead to all
   * that this source rated of the query.
   */
  private async writeWithin(
    db: Kysely<Database>,
    { query, items, rows, texts }: CheckedFeedback,
    paths: CreditPaths | null,
  ): Promise<CreditGiven | null> {
    const { settings } = this;
    const { query_id } = query;
    const { source, at } = rows[0]!;
    // The version is written first: that blocks other feedback until this one is committed, so that folds never race.
    const { [VERSION]: version = 0 } = await addToCounters(db, { [VERSION]: 1 });
    const all = await readFeedback(db, query_id);
    const own = all.filter((row) => row.source === source);
    if (paths !== null && !paths.cover(own.map((row) => row.item_id))) return null;
    await putFeedback(db, rows);
    if (settings.enabled) await markUnpaired(db, query_id);
    const changes = activityChanges(rows, all, await markFirstRated(db, query_id));
    await addToCounters(db, withOwn(changes, query.owner));
    if (settings.enabled) {
      await refoldItems(db, query, { ids: rows.map((row) => row.item_id), texts, settings, version });
      await refoldFeedbackEdges(db, { query_id, items }, { source, settings, version });
      await markRated(
        db,
        rows.map((row) => row.domain),
        version,
      );
    }
    if (paths === null) return null;
    const given = paths.shares(ratedItems(items, [...own, ...rows]));
    await replaceCredit(db, { query_id, source, shares: given.shares, now: at });
    return given;
  }
}

/** Returns the items as they were rated, the later row of an item before the earlier. */
function ratedItems(items: readonly RecordedItem[], feedback: readonly FeedbackRow[]): RatedIn[] {
  const outcomes = new Map(feedback.map((row) => [row.item_id, row.outcome]));
  return items.flatMap(({ id, domain }) => {
    const outcome = outcomes.get(id);
    return outcome === undefined || !isOutcome(outcome) ? [] : [{ id, domain, outcome }];
  });
}

/** A checked feedback: outcomes of one query by one source. */
interface CheckedFeedback {
  readonly query: QueryRow;
  readonly items: readonly RecordedItem[];
  readonly rows: readonly FeedbackRow[];
  readonly texts: ReadonlyMap<string, string>;
}

function checkedOutcomes(outcomes: Readonly<Record<string, string>>): Map<string, Outcome> {
  const checked = new Map<string, Outcome>();
  for (const [item, outcome] of Object.entries(outcomes)) {
    if (!isOutcome(outcome)) {
      throw new SvcError(
        'invalid_input',
        `outcomes.${item.slice(0, 200)} must be accepted, partial or rejected, not ${JSON.stringify(outcome)}.`,
        { member: `outcomes.${item}` },
      );
    }
    checked.set(item, outcome);
  }
  if (checked.size === 0) {
    throw new SvcError('invalid_input', 'outcomes must name at least one item.', { member: 'outcomes' });
  }
  return checked;
}

/** Returns why an id cannot be rated. Answers hold rules beside items. */
function whatIsWrong(id: string): string {
  return /^(?:rule|derived):/u.test(id)
    ? 'which is a rule; rate the items of the answer'
    : 'which that query did not return';
}
