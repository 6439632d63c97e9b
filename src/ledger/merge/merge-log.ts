import { sql } from 'kysely';
import { forValues, GIVEN } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import type { StandIn } from '../../core/errors.js';

/** Two concepts that are taken for one, as the log keeps it. */
export interface MergeRecord {
  readonly merge_id: string;
  readonly domain: string;
  /** The concept that is no longer seen, and the one that stands for it. */
  readonly from_id: string;
  readonly from_name: string;
  readonly into_id: string;
  readonly into_name: string;
  /** Why: `exact`, `alias`, `acronym`, `person`, `spelling` or `manual`. */
  readonly method: string;
  /** 0..1. */
  readonly score: number;
  /** ISO 8601. */
  readonly created_at: string;
  readonly undone_at: string | null;
}

export interface MergeFilter {
  readonly domain?: string | undefined;
  /** Only merges of these domains. */
  readonly domains?: readonly string[] | undefined;
  /** Continue after this merge. */
  readonly after?: string | undefined;
  readonly limit: number;
}

const RECORD = sql`m.id as merge_id, d.name as domain, m.from_id, m.from_name, m.into_id, m.into_name, m.method, m.score,
  m.created_at, m.undone_at`;

export async function listMerges(db: Db, filter: MergeFilter): Promise<MergeRecord[]> {
  const domain = filter.domain === undefined ? sql`` : sql`and d.name = ${filter.domain}`;
  const domains = filter.domains === undefined ? sql`` : sql`and d.name in (${sql.join(['', ...filter.domains])})`;
  const after =
    filter.after === undefined ? sql`` : sql`and m.ref > (select ref from entity_merge where id = ${filter.after})`;
  const { rows } = await sql<MergeRecord>`select ${RECORD} from entity_merge m join domain d on d.ref = m.domain
    where true ${domain} ${domains} ${after} order by m.ref limit ${filter.limit}`.execute(db);
  return rows;
}

export async function findMerge(db: Db, id: string): Promise<MergeRecord | undefined> {
  const { rows } = await sql<MergeRecord>`select ${RECORD} from entity_merge m join domain d on d.ref = m.domain
    where m.id = ${id}`.execute(db);
  return rows[0];
}

/** Returns the concept that stands for a merged one now; undefined for one that is not merged, or not of the domain given. */
export async function standInOf(db: Db, id: string, domain?: number): Promise<StandIn | undefined> {
  const within = domain === undefined ? sql`` : sql`and m.domain = ${domain}`;
  const { rows } = await sql<StandIn>`select n.id, n.name from merged_node m
    join node n on n.ref = m.target where m.id = ${id} ${within}`.execute(db);
  return rows[0];
}

export async function mergesByRef(db: Db, refs: readonly number[]): Promise<Map<number, MergeRecord>> {
  const rows = await forValues(db, refs)<MergeRecord & { ref: number }>`select m.ref, ${RECORD} from ${GIVEN}
    join entity_merge m on m.ref = given.v join domain d on d.ref = m.domain`;
  return new Map(rows.map(({ ref, ...merge }) => [ref, merge]));
}

/** Returns whether pairs of concepts were merged before and then undone: nobody wants these again. */
export async function undonePairs(db: Db, domain: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ from_id: string; into_id: string }>`select m.from_id, m.into_id from entity_merge m
    join domain d on d.ref = m.domain where d.name = ${domain} and m.undone_at is not null`.execute(db);
  return new Set(rows.map(({ from_id, into_id }) => pairOf(from_id, into_id)));
}

/** Returns what names a pair, whichever comes first. */
export function pairOf(a: string, b: string): string {
  return [a, b].sort().join('\0');
}
