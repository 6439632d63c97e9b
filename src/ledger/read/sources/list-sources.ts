import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../backends/store/schema.js';
import type { SourceInfo, SourceKind } from '../../../core/model.js';
import { mapInSlices, slicer } from '../../../core/slices.js';
import { sortInSlices } from '../../../core/sort-in-slices.js';
import type { Counts } from '../counts.js';
import type { SourceFilter } from '../filters.js';
import { sourceCounts } from './source-counts.js';

interface SourceInfoRow extends Omit<SourceInfo, 'kind' | keyof Counts> {
  readonly ref: number;
  readonly kind: string;
}

/** Sources that one statement reads, at most: more would hold the event loop. */
const PAGE = 1000;

/** Returns sources in id order. */
export async function listSources(db: Kysely<Database>, filter: SourceFilter): Promise<SourceInfo[]> {
  const names = filter.domains ?? (filter.domain === undefined ? undefined : [filter.domain]);
  const found: SourceInfoRow[] = [];
  for (const domain of names === undefined ? [undefined] : new Set(names)) {
    if (filter.domain !== undefined && domain !== filter.domain) continue;
    for await (const page of pagesOf(db, filter, domain)) for (const row of page) found.push(row);
  }
  const inOrder =
    names === undefined ? found : await sortInSlices(found, (a, b) => (a.source_id < b.source_id ? -1 : 1));
  const rows = inOrder.slice(0, filter.limit);
  const counts = await sourceCounts(
    db,
    rows.map((row) => row.ref),
  );
  return mapInSlices(rows, ({ ref, kind, ...row }) => ({ ...row, kind: kind as SourceKind, ...counts.get(ref)! }));
}

/** Reads the sources of a domain, or of all, in id order. */
async function* pagesOf(
  db: Kysely<Database>,
  { source_id, kind, key, after, limit = Number.POSITIVE_INFINITY }: SourceFilter,
  domain: string | undefined,
): AsyncGenerator<readonly SourceInfoRow[]> {
  const pause = slicer();
  const where = [sql`d.ref = s.domain`];
  if (source_id !== undefined) where.push(sql`s.id = ${source_id}`);
  if (domain !== undefined) where.push(sql`s.domain = (select ref from domain where name = ${domain})`);
  // Which index SQLite takes: that of kind and key where a key is given, else that of the id; "|| ''" hides a column from it.
  const byKey = key !== undefined;
  if (kind !== undefined) where.push(byKey ? sql`s.kind = ${kind}` : sql`s.kind || '' = ${kind}`);
  if (byKey) where.push(sql`s.key = ${key}`);
  const id = byKey ? sql`s.id || ''` : sql`s.id`;
  const tables = byKey ? sql`domain d cross join source s` : sql`source s cross join domain d`;
  let left = limit;
  for (let from = after ?? '', read = PAGE; read === PAGE && left > 0; left -= read) {
    const { rows } = await sql<SourceInfoRow>`
      select s.ref, s.id as source_id, d.name as domain, s.kind, s.key, s.label, s.content_hash, s.updated_at
      from ${tables} where ${sql.join(where, sql` and `)} and ${id} > ${from}
      order by s.id limit ${Math.min(PAGE, left)}`.execute(db);
    yield rows;
    read = rows.length;
    from = rows.at(-1)?.source_id ?? from;
    await pause();
  }
}
