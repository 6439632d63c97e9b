import type { Kysely } from 'kysely';
import {
  edgeEvents,
  strongestEdgeFactors,
  strongestItemPriors,
} from '../../backends/store/learning/interoception-factors.js';
import { feedbackOf } from '../../backends/store/learning/querylog-feedback.js';
import type { Database } from '../../backends/store/schema.js';
import { anyOf } from '../../backends/store/sql.js';
import { isoTime } from '../../core/clock.js';
import type { DomainRankerReport } from '../ranker/domain-rankers.js';
import { decayed } from './factor.js';
import { sameText } from './same-text.js';

export interface InteroceptionStatus {
  readonly factors: { readonly count: number; readonly mean: number; readonly min: number; readonly max: number };
  readonly buffer: { readonly buffered_edges: number; readonly total_promoted: number };
  /** `sqlite`, `postgres`, or `off`. */
  readonly backend: string;
}

/** One feedback behind a factor. */
export interface Reason {
  readonly query_id: string;
  readonly query: string;
  readonly source: string;
  /** Outcome of an item; the mean target of the items that an edge brought up. */
  readonly outcome?: string;
  readonly target?: number;
  readonly at: string;
}

export interface EdgeReport {
  readonly edge_id: string;
  readonly source_id: string;
  readonly relation_type: string;
  readonly target_id: string;
  readonly domain: string;
  readonly factor: number;
  readonly events: number;
  readonly why: Reason[];
}

export interface ItemReport {
  readonly item_id: string;
  readonly query: string;
  readonly domain: string;
  readonly factor: number;
  readonly events: number;
  readonly why: Reason[];
}

export interface InteroceptionReport extends InteroceptionStatus {
  readonly enabled: boolean;
  readonly edges: EdgeReport[];
  readonly items: ItemReport[];
  /** Domains with weights of their own. */
  readonly domains: DomainReport[];
}

export interface DomainReport extends Omit<DomainRankerReport, 'fitted_at'> {
  readonly fitted_at: string;
}

const REASONS = 5;

/** Returns the strongest factors with the last feedback behind each. */
export async function interoceptionReport(
  db: Kysely<Database>,
  options: {
    status: InteroceptionStatus;
    enabled: boolean;
    limit: number;
    now: number;
    halfLifeMs: number;
    domains: readonly DomainRankerReport[];
  },
): Promise<InteroceptionReport> {
  const { now, halfLifeMs, limit } = options;
  const edgeRows = await strongestEdgeFactors(db, limit);
  const events = await edgeEvents(
    db,
    edgeRows.map((row) => row.edge_id),
  );
  const texts = await queryTexts(db, [...new Set(events.map((event) => event.query_id))]);
  const edges = edgeRows.map((row) => {
    const [source_id = '', relation_type = '', target_id = ''] = row.edge_id.split('|');
    const mine = events.filter((event) => event.edge_id === row.edge_id).slice(-REASONS);
    return {
      edge_id: row.edge_id,
      source_id,
      relation_type,
      target_id,
      domain: row.domain,
      factor: decayed(row, now, halfLifeMs),
      events: row.events,
      why: mine.map(({ query_id, source, target, at }) => ({
        query_id,
        query: texts.get(query_id) ?? '',
        source,
        target,
        at: isoTime(at),
      })),
    };
  });
  const items: ItemReport[] = [];
  for (const row of await strongestItemPriors(db, limit)) {
    const all = await feedbackOf(db, row.question, [row.item_id]);
    const feedback = all.filter((one) => sameText(one.text_hash, row.text_hash)).slice(-REASONS);
    items.push({
      item_id: row.item_id,
      query: row.text,
      domain: row.domain,
      factor: decayed(row, now, halfLifeMs),
      events: row.events,
      why: feedback.map(({ query_id, source, outcome, at }) => ({
        query_id,
        query: row.text,
        source,
        outcome,
        at: isoTime(at),
      })),
    });
  }
  const domains = options.domains.map((one) => ({ ...one, fitted_at: isoTime(one.fitted_at) }));
  return { enabled: options.enabled, ...options.status, edges, items, domains };
}

async function queryTexts(db: Kysely<Database>, queryIds: readonly string[]): Promise<Map<string, string>> {
  if (queryIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('query_log')
    .select(['query_id', 'text'])
    .where(anyOf(db, 'query_id', queryIds))
    .execute();
  return new Map(rows.map((row) => [row.query_id, row.text]));
}
