import { type Kysely, sql } from 'kysely';
import type { Database } from '../backends/store/schema.js';
import { anyOf } from '../backends/store/sql.js';
import { isoTime } from '../core/clock.js';
import type { RecordedItem } from './feedback/adjustments.js';

/** A question that was asked, with what was returned and how it was rated. */
export interface RecentQuery {
  readonly query_id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly query: string;
  /** As requested; empty: all. */
  readonly domains: string[];
  readonly mode: string;
  readonly items: Array<{
    readonly id: string;
    readonly score: number;
    readonly domain: string;
    readonly ratings: Array<{ readonly source: string; readonly outcome: string }>;
  }>;
}

export interface RecentFilter {
  /** Only questions of this caller; those of all where absent. */
  readonly owner?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Returns questions of the log, the newest first, and how many there are. */
export async function recentQueries(
  db: Kysely<Database>,
  { owner, limit, offset }: RecentFilter,
): Promise<{ readonly queries: RecentQuery[]; readonly total: number }> {
  const where = owner === undefined ? sql`true` : sql`q.owner = ${owner}`;
  const { rows } = await sql<{
    query_id: string;
    at: number;
    text: string;
    domains: string;
    mode: string;
    items: string;
  }>`select q.query_id, q.at, q.text, q.domains, q.mode, q.items from query_log q where ${where}
    order by q.id desc limit ${limit} offset ${offset}`.execute(db);
  const counted = await sql<{ n: number }>`select count(*) as n from query_log q where ${where}`.execute(db);
  const ratings = await db
    .selectFrom('feedback')
    .select(['query_id', 'item_id', 'source', 'outcome'])
    .where(
      anyOf(
        db,
        'query_id',
        rows.map((row) => row.query_id),
      ),
    )
    .orderBy('source')
    .execute();
  return {
    queries: rows.map((row) => ({
      query_id: row.query_id,
      at: isoTime(row.at),
      query: row.text,
      domains: JSON.parse(row.domains) as string[],
      mode: row.mode,
      items: (JSON.parse(row.items) as RecordedItem[]).map(({ id, score, domain }) => ({
        id,
        score,
        domain,
        ratings: ratings
          .filter((rating) => rating.query_id === row.query_id && rating.item_id === id)
          .map(({ source, outcome }) => ({ source, outcome })),
      })),
    })),
    total: Number(counted.rows[0]?.n ?? 0),
  };
}
