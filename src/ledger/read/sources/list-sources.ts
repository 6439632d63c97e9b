import { sql } from 'kysely';
import type { Db } from '../../../backends/store/schema.js';
import { mapInSlices, slicer } from '../../../core/async/slices.js';
import { sortInSlices } from '../../../core/async/sort-in-slices.js';
import type { SourceInfo, SourceKind } from '../../../core/model.js';
import type { Counts } from '../counts.js';
import type { SourceFilter } from '../filters.js';
import { labelsOfFiles } from './file-labels.js';
import { sourceCounts } from './source-counts.js';

interface SourceInfoRow extends Omit<SourceInfo, 'kind' | keyof Counts> {
  readonly ref: number;
  readonly kind: string;
}

/** Sources that one statement returns, at most: more would hold the event loop. */
const PAGE = 2000;

export async function listSources(db: Db, filter: SourceFilter): Promise<SourceInfo[]> {
  const { limit = Number.POSITIVE_INFINITY } = filter;
  const names = filter.domains ?? (filter.domain === undefined ? undefined : [filter.domain]);
  let rows: SourceInfoRow[] = [];
  for (const domain of names === undefined ? [undefined] : new Set(names)) {
    if (filter.domain !== undefined && domain !== filter.domain) continue;
    // Of further domains only what comes before the last of a full list.
    const before = rows.length >= limit ? rows.at(-1)?.source_id : undefined;
    for await (const page of pagesOf(db, filter, { domain, before })) for (const row of page) rows.push(row);
    if (domain !== undefined) rows = await sortInSlices(rows, (a, b) => (a.source_id < b.source_id ? -1 : 1));
    if (rows.length > limit) rows.length = limit;
  }
  const refs = rows.map((row) => row.ref);
  const counts = await sourceCounts(db, refs);
  const labels = filter.distinctLabels === true ? await labelsOfFiles(db, rows) : undefined;
  return mapInSlices(rows, ({ ref, kind, label, ...row }) => ({
    ...row,
    label: labels?.get(row.source_id) ?? label,
    kind: kind as SourceKind,
    ...counts.get(ref)!,
  }));
}

interface Stretch {
  /** Default: all domains. */
  readonly domain: string | undefined;
  /** Only ids below this one. */
  readonly before: string | undefined;
}

/** Reads the sources of a domain, or of all, in id order. */
async function* pagesOf(
  db: Db,
  { source_id, source_ids, kind, key, after, limit = Number.POSITIVE_INFINITY }: SourceFilter,
  { domain, before }: Stretch,
): AsyncGenerator<readonly SourceInfoRow[]> {
  const pause = slicer('urgent');
  const where = [sql`d.ref = s.domain`];
  if (source_id !== undefined) where.push(sql`s.id = ${source_id}`);
  if (source_ids !== undefined) where.push(sql`s.id in (${sql.join(source_ids)})`);
  if (domain !== undefined) where.push(sql`s.domain = (select ref from domain where name = ${domain})`);
  if (before !== undefined) where.push(sql`s.id < ${before}`);
  // Which index SQLite takes: that of kind and key where both are given, else one of the id; "|| ''" hides a column from it.
  const byKey = kind !== undefined && key !== undefined;
  if (kind !== undefined) where.push(byKey ? sql`s.kind = ${kind}` : sql`s.kind || '' = ${kind}`);
  if (key !== undefined) where.push(sql`s.key = ${key}`);
  const id = byKey ? sql`s.id || ''` : sql`s.id`;
  const tables = byKey ? sql`domain d cross join source s` : sql`source s cross join domain d`;
  let left = limit;
  for (let from = after ?? ''; left > 0; await pause()) {
    const wanted = Math.min(PAGE, left);
    const { rows } = await sql<SourceInfoRow>`
      select s.ref, s.id as source_id, d.name as domain, s.kind, s.key, s.label, s.content_hash, s.updated_at
      from ${tables} where ${sql.join(where, sql` and `)} and ${id} > ${from}
      order by s.id limit ${wanted}`.execute(db);
    yield rows;
    if (rows.length < wanted) return;
    left -= wanted;
    from = rows.at(-1)?.source_id ?? from;
  }
}
