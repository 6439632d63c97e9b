import type { CreditShares } from '../backends/store/interoception-credit.js';
import { addQueries, addToCounters, readCounters, readQuery } from '../backends/store/querylog.js';
import { type FeedbackRow, putFeedback, readFeedback } from '../backends/store/querylog-feedback.js';
import type { Store } from '../backends/store/scope.js';
import type { Clock } from '../core/clock.js';
import { SvcError } from '../core/errors.js';
import type { QueryRecord, QueryRecorder, RecordedItem } from './adjustments.js';
import type { Credit } from './credit.js';
import { exchangeCredit } from './credit-account.js';
import {
  INTEROCEPTION,
  type InteroceptionSettings,
  isOutcome,
  type Outcome,
  VERSION,
} from './interoception-settings.js';
import { pruneQueryLog } from './query-retention.js';
import { packVector, questionKey } from './question.js';
import { refoldFeedbackEdges, refoldItems } from './refold.js';
import { RETENTION, type Retention } from './retention.js';
import { WriteBatcher } from './write-batcher.js';

export interface FeedbackOptions {
  readonly clock: Clock;
  readonly interoception?: Partial<InteroceptionSettings> | undefined;
  /** Null, or absent, with `SVC_CREDIT` off. */
  readonly credit?: Credit | null | undefined;
  readonly retention?: Partial<Retention> | undefined;
}

export interface FeedbackResult {
  readonly status: 'recorded';
  readonly query_id: string;
  readonly outcome_count: number;
  readonly source: string;
  readonly credit?: { readonly concept_count: number; readonly direct_count: number; readonly ancestor_count: number };
}

export interface Activity {
  readonly queries_served: number;
  /** Feedbacks: one a query and source. */
  readonly feedback_given: number;
  /** Share of the queries that got any. */
  readonly feedback_rate: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
}

/** Edges kept for an item: enough to say what brought it up. */
const EDGES = 5;
const LEAST_SHARE = 0.1;
const MAX_TEXT = 8192;

/** The query log and what people say of its answers. */
export class Feedback implements QueryRecorder {
  private readonly settings: InteroceptionSettings;
  private readonly queries: WriteBatcher<QueryRecord, undefined>;

  constructor(
    private readonly store: Store,
    private readonly options: FeedbackOptions,
  ) {
    this.settings = { ...INTEROCEPTION, ...options.interoception };
    this.queries = new WriteBatcher(
      store,
      async ({ db }, records) => {
        await addQueries(
          db,
          records.map((record) => rowOf(record, options.clock())),
        );
        await addToCounters(db, { 'activity:queries_served': records.length });
        return records.map(() => ({ value: undefined }));
      },
      { durable: false },
    );
  }

  async recordQuery(record: QueryRecord): Promise<void> {
    await this.queries.add(record);
  }

  /**
   * Records outcomes of a query's items; the same query, item and source again replaces. Throws `query_not_found`, or
   * `invalid_input` for an item that the query did not return or an unknown outcome: then nothing is recorded.
   */
  async record(input: {
    readonly query_id: string;
    readonly outcomes: Readonly<Record<string, string>>;
    readonly source?: string | undefined;
  }): Promise<FeedbackResult> {
    const { query_id, source = 'unknown' } = input;
    if (source.length > 200) throw new SvcError('invalid_input', 'source must not be longer than 200 characters.');
    const outcomes = checkedOutcomes(input.outcomes);
    const query = await readQuery(this.store.db, query_id);
    if (query === undefined) {
      throw new SvcError(
        'query_not_found',
        `Query ${query_id.slice(0, 100)} is not in the query log; send the query_id that a query answered.`,
      );
    }
    const items = JSON.parse(query.items) as RecordedItem[];
    const returned = new Map(items.map((item) => [item.id, item]));
    const stranger = [...outcomes.keys()].find((id) => !returned.has(id));
    if (stranger !== undefined) {
      throw new SvcError(
        'invalid_input',
        `outcomes names ${stranger.slice(0, 200)}, which that query did not return.`,
        {
          member: `outcomes.${stranger}`,
        },
      );
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
    }));
    const shares = await this.creditOf(query_id, source, { rows, returned });
    await this.store.write(async ({ db }) => {
      // The version goes first: it holds other feedback off until this one is committed, so that folds never race.
      const { [VERSION]: version = 0 } = await addToCounters(db, { [VERSION]: 1 });
      const all = await readFeedback(db, query_id);
      await putFeedback(db, rows);
      await addToCounters(db, activityOf(rows, all));
      if (this.settings.enabled) {
        await refoldItems(db, query, { ids: [...outcomes.keys()], settings: this.settings, version });
        await refoldFeedbackEdges(db, { query_id, items }, { source, settings: this.settings, version });
      }
      if (shares !== undefined) await exchangeCredit(db, { query_id, source, shares: shares.shares, now: at });
    });
    return {
      status: 'recorded',
      query_id,
      outcome_count: outcomes.size,
      source,
      ...(shares === undefined ? {} : { credit: shares.counts }),
    };
  }

  /** The activity block of `svc_stats`; neither restart nor retention lowers it. */
  async activity(): Promise<Activity> {
    const counters = await readCounters(this.store.db, 'activity:');
    const of = (name: string): number => counters.get(`activity:${name}`) ?? 0;
    return {
      queries_served: of('queries_served'),
      feedback_given: of('feedback_given'),
      feedback_rate: of('queries_served') === 0 ? 0 : of('queries_rated') / of('queries_served'),
      outcomes: {
        accepted: of('outcome:accepted'),
        partial: of('outcome:partial'),
        rejected: of('outcome:rejected'),
      },
    };
  }

  /** Retention of the query log and its feedback; what feedback taught stays. Answers how many queries went. */
  prune(): Promise<number> {
    const retention = { ...RETENTION, ...this.options.retention };
    return pruneQueryLog(this.store, { now: this.options.clock(), retention, settings: this.settings });
  }

  /** Waits for queries that are being written. */
  close(): Promise<void> {
    return this.queries.flush();
  }

  /** What the whole feedback of this source on this query is worth in credit, with the new outcomes in. */
  private async creditOf(
    queryId: string,
    source: string,
    { rows, returned }: { rows: readonly FeedbackRow[]; returned: ReadonlyMap<string, RecordedItem> },
  ): Promise<{ shares: CreditShares; counts: NonNullable<FeedbackResult['credit']> } | undefined> {
    const { credit } = this.options;
    if (credit === undefined || credit === null) return undefined;
    const outcomes = new Map<string, FeedbackRow>();
    for (const row of await readFeedback(this.store.db, queryId, source)) outcomes.set(row.item_id, row);
    for (const row of rows) outcomes.set(row.item_id, row);
    const rated = [...outcomes.values()].flatMap(({ item_id, outcome }) => {
      const item = returned.get(item_id);
      return item === undefined || !isOutcome(outcome) ? [] : [{ id: item_id, domain: item.domain, outcome }];
    });
    return credit.shares(rated);
  }
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

/** What the totals gain: a replaced outcome moves from one total to the other. */
function activityOf(rows: readonly FeedbackRow[], before: readonly FeedbackRow[]): Record<string, number> {
  const source = rows[0]?.source;
  const amounts: Record<string, number> = {
    'activity:feedback_given': before.some((row) => row.source === source) ? 0 : 1,
    'activity:queries_rated': before.length > 0 ? 0 : 1,
  };
  const add = (outcome: string, by: number): void => {
    amounts[`activity:outcome:${outcome}`] = (amounts[`activity:outcome:${outcome}`] ?? 0) + by;
  };
  for (const row of rows) {
    const replaced = before.find((other) => other.item_id === row.item_id && other.source === source);
    if (replaced !== undefined) add(replaced.outcome, -1);
    add(row.outcome, 1);
  }
  return amounts;
}

function rowOf(record: QueryRecord, at: number) {
  const items: RecordedItem[] = record.items.map(({ id, score, domain, source_id, edges }) => ({
    id,
    score,
    domain,
    ...(source_id === undefined ? {} : { source_id }),
    ...(edges === undefined ? {} : { edges: strongest(edges) }),
  }));
  return {
    query_id: record.query_id,
    at,
    text: record.text.slice(0, MAX_TEXT),
    question: questionKey(record.text),
    domains: JSON.stringify(record.domains),
    mode: record.mode,
    model: record.model,
    vector: record.vector === null ? null : packVector(record.vector),
    items: JSON.stringify(items),
    paired: 0,
  };
}

function strongest(edges: NonNullable<RecordedItem['edges']>): NonNullable<RecordedItem['edges']> {
  return edges
    .filter(({ share }) => share >= LEAST_SHARE)
    .sort((a, b) => b.share - a.share || (a.id < b.id ? -1 : 1))
    .slice(0, EDGES);
}
