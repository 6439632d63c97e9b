import type { Kysely } from 'kysely';
import type { Database } from '../../store/schema.js';
import { anyOf, chunks } from '../../store/sql.js';

const CHUNK = 2000;

/** Ids of refs, remembered: a ref stands for one document for ever. Two generations bound what is kept. */
export class IdCache {
  private young = new Map<number, string>();
  private old = new Map<number, string>();

  constructor(private readonly limit = 100_000) {}

  get(ref: number): string | undefined {
    return this.young.get(ref) ?? this.old.get(ref);
  }

  set(ref: number, id: string): void {
    if (this.young.size >= this.limit) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(ref, id);
  }

  clear(): void {
    this.young.clear();
    this.old.clear();
  }

  /** Ids by ref; a document deleted meanwhile is missing. */
  async resolve(db: Kysely<Database>, refs: readonly number[]): Promise<Map<number, string>> {
    const found = new Map<number, string>();
    const missing: number[] = [];
    for (const ref of refs) {
      const id = this.get(ref);
      if (id === undefined) missing.push(ref);
      else found.set(ref, id);
    }
    for (const part of chunks(missing, CHUNK)) {
      const rows = await db
        .selectFrom('text_doc')
        .select(['ref', 'id'])
        .where(anyOf(db, 'ref', part))
        .execute();
      for (const { ref, id } of rows) {
        found.set(ref, id);
        this.set(ref, id);
      }
    }
    return found;
  }
}

const PAGE = 1000;

/**
 * The `count` lowest ids among the refs. Few refs are looked up; many are met sooner on a walk through the ids in order
 * (`count · documents / refs` rows).
 */
export async function lowestIds(
  db: Kysely<Database>,
  cache: IdCache,
  { refs, count, documents }: { readonly refs: readonly number[]; readonly count: number; readonly documents: number },
): Promise<Array<{ readonly ref: number; readonly id: string }>> {
  const unknown = refs.reduce((sum, ref) => sum + (cache.get(ref) === undefined ? 1 : 0), 0);
  if (unknown <= PAGE || (count * documents) / refs.length >= unknown) {
    const ids = await cache.resolve(db, refs);
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
