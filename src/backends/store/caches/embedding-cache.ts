import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.js';
import { anyOf, chunks } from '../sql.js';

/** One text's vectors as they are kept. */
export interface CachedRow {
  readonly key: string;
  readonly vector: Uint8Array;
  readonly sentences: Uint8Array;
}

const KEYS = 500;
const ROWS = 100;

/** Returns the rows of these keys that are there, in any order. One statement for each 500 keys. */
export async function readCached(db: Kysely<Database>, model: string, keys: readonly string[]): Promise<CachedRow[]> {
  const rows: CachedRow[] = [];
  for (const part of chunks(keys, KEYS)) {
    rows.push(
      ...(await db
        .selectFrom('embedding_cache')
        .select(['key', 'vector', 'sentences'])
        .where('model', '=', model)
        .where(anyOf(db, 'key', part))
        .execute()),
    );
  }
  return rows;
}

/** Keeps rows (keys distinct) and drops the oldest beyond about `bound` rows. */
export async function keepCached(
  db: Kysely<Database>,
  model: string,
  { rows, bound }: { readonly rows: readonly CachedRow[]; readonly bound: number },
): Promise<void> {
  // One order of keys for all writers: two that hold rows of each other would wait for ever.
  const ordered = [...rows].sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const part of chunks(ordered, ROWS)) {
    await db
      .insertInto('embedding_cache')
      .values(part.map((row) => ({ model, ...row })))
      .onConflict((conflict) =>
        conflict
          .columns(['model', 'key'])
          .doUpdateSet((eb) => ({ vector: eb.ref('excluded.vector'), sentences: eb.ref('excluded.sentences') })),
      )
      .execute();
  }
  await db
    .deleteFrom('embedding_cache')
    .where('id', '<=', sql<number>`(select max(id) from embedding_cache) - ${bound}`)
    .execute();
}

/** Returns the dimension that a model answered with before. */
export async function knownDimension(db: Kysely<Database>, model: string): Promise<number | undefined> {
  const row = await db.selectFrom('embedding_model').select('dimension').where('name', '=', model).executeTakeFirst();
  return row?.dimension;
}

export async function rememberDimension(db: Kysely<Database>, model: string, dimension: number): Promise<void> {
  await db
    .insertInto('embedding_model')
    .values({ name: model, dimension })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ dimension }))
    .execute();
}
