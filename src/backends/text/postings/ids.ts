import type { Kysely } from 'kysely';
import type { RefIds } from '../../../core/ref-ids.js';
import type { Database } from '../../store/schema.js';
import { anyOf, chunks } from '../../store/sql.js';

const CHUNK = 2000;

/** Ids by ref; a document deleted meanwhile is missing. A ref stands for one document for ever. */
export async function idsOf(
  db: Kysely<Database>,
  cache: RefIds,
  refs: readonly number[],
): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  const missing: number[] = [];
  for (const ref of refs) {
    const id = cache.idOf(ref);
    if (id === undefined) missing.push(ref);
    else found.set(ref, id);
  }
  for (const row of await documents(db, 'ref', missing)) {
    found.set(row.ref, row.id);
    cache.set(row.ref, row.id);
  }
  return found;
}

/** Refs by id; documents that are not there are missing. A remembered ref may have died since: the reader knows. */
export async function refsOf(
  db: Kysely<Database>,
  cache: RefIds,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const missing: string[] = [];
  for (const id of ids) {
    const ref = cache.refOf(id);
    if (ref === undefined) missing.push(id);
    else found.set(id, ref);
  }
  for (const row of await documents(db, 'id', missing)) {
    found.set(row.id, row.ref);
    cache.set(row.ref, row.id);
  }
  return found;
}

async function documents(
  db: Kysely<Database>,
  column: 'ref' | 'id',
  values: ReadonlyArray<number | string>,
): Promise<Array<{ readonly ref: number; readonly id: string }>> {
  const rows: Array<{ readonly ref: number; readonly id: string }> = [];
  for (const part of chunks(values, CHUNK)) {
    const found = db
      .selectFrom('text_doc')
      .select(['ref', 'id'])
      .where(anyOf(db, column, part));
    rows.push(...(await found.execute()));
  }
  return rows;
}

const PAGE = 1000;

/**
 * The `count` lowest ids among the refs. Few refs are looked up; many are met sooner on a walk through the ids in order
 * (`count · documents / refs` rows).
 */
export async function lowestIds(
  db: Kysely<Database>,
  cache: RefIds,
  { refs, count, documents }: { readonly refs: readonly number[]; readonly count: number; readonly documents: number },
): Promise<Array<{ readonly ref: number; readonly id: string }>> {
  const unknown = refs.reduce((sum, ref) => sum + (cache.idOf(ref) === undefined ? 1 : 0), 0);
  if (unknown <= PAGE || (count * documents) / refs.length >= unknown) {
    const ids = await idsOf(db, cache, refs);
    return [...ids]
      .map(([ref, id]) => ({ ref, id }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, count);
  }
  const wanted = new Set(refs);
  const found: Array<{ ref: number; id: string }> = [];
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
    const end = rows[rows.length - 1];
    if (end === undefined || rows.length < PAGE) return found;
    last = end.id;
  }
}
