import type { Kysely } from 'kysely';
import { FirstInOrder } from '../../../core/async/first-in-order.js';
import type { RefId, RefIds } from '../../../core/ref-ids.js';
import type { Database } from '../../store/schema.js';
import { anyOf, chunks } from '../../store/sql.js';

/** Returns ids by ref; a document deleted meanwhile is missing. A ref stands for one document for ever. */
export async function idsOf(db: Kysely<Database>, cache: RefIds, refs: Iterable<number>): Promise<Map<number, string>> {
  return cache.idsOf(refs, (missing) => documents(db, 'ref', missing));
}

/**
 * Returns refs by id; documents that are not there are missing. A remembered ref may be of a document deleted since:
 * the reader knows.
 */
export async function refsOf(
  db: Kysely<Database>,
  cache: RefIds,
  ids: readonly string[],
): Promise<Map<string, number>> {
  return cache.refsOf(ids, (missing) => documents(db, 'id', missing));
}

async function documents(
  db: Kysely<Database>,
  column: 'ref' | 'id',
  values: ReadonlyArray<number | string>,
): Promise<RefId[]> {
  return db
    .selectFrom('text_doc')
    .select(['ref', 'id'])
    .where(anyOf(db, column, values))
    .execute();
}

const PAGE = 1000;

/**
 * Returns the `count` lowest ids among the refs. Few refs are looked up; many are met sooner on a walk through the ids
 * in order (`count · documents / refs` rows).
 */
export async function lowestIds(
  db: Kysely<Database>,
  cache: RefIds,
  { refs, count, documents }: { readonly refs: readonly number[]; readonly count: number; readonly documents: number },
): Promise<RefId[]> {
  const unknown = refs.reduce((sum, ref) => sum + (cache.idOf(ref) === undefined ? 1 : 0), 0);
  if (unknown <= PAGE || (count * documents) / refs.length >= unknown) {
    const lowest = new FirstInOrder<RefId>((a, b) => (a.id < b.id ? -1 : 1), count);
    const ids = Array.from(await idsOf(db, cache, refs), ([ref, id]) => ({ ref, id }));
    for (const some of chunks(ids, PAGE)) await lowest.add(some);
    return lowest.sorted();
  }
  const wanted = new Set(refs);
  const found: RefId[] = [];
  let last: string | undefined;
  for (;;) {
    let page = db.selectFrom('text_doc').select(['ref', 'id']).orderBy('id').limit(PAGE);
    if (last !== undefined) page = page.where('id', '>', last);
    const rows = await page.execute();
    for (const row of rows) {
      if (!wanted.has(row.ref)) continue;
      found.push(row);
      if (found.length === count) return found;
    }
    const lastRow = rows[rows.length - 1];
    if (lastRow === undefined || rows.length < PAGE) return found;
    last = lastRow.id;
  }
}
