import type { Kysely } from 'kysely';
import { slicer } from '../../core/async/slices.js';
import type { Database } from './schema.js';
import { anyOf, chunks } from './sql.js';

/** Rows of one insert: two dialects' parameter limits are far above three columns times this. */
const ROWS = 200;

export interface SentenceRow {
  /** Node id of the passage. */
  readonly id: string;
  /** The packed sentence vectors, in sentence order. */
  readonly data: Uint8Array;
}

/** Replaces the packed sentence vectors of these passages for one model. */
export async function upsertSentences(
  db: Kysely<Database>,
  model: string,
  rows: readonly SentenceRow[],
): Promise<void> {
  const pause = slicer();
  for (const part of chunks(rows, ROWS)) {
    await pause();
    await db
      .insertInto('sentence_vector')
      .values(part.map(({ id, data }) => ({ id, model, data })))
      .onConflict((conflict) =>
        conflict.columns(['id', 'model']).doUpdateSet((eb) => ({ data: eb.ref('excluded.data') })),
      )
      .execute();
  }
}

/** Forgets these passages' sentence vectors, of every model. Unknown ids do no harm. */
export async function deleteSentences(db: Kysely<Database>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .deleteFrom('sentence_vector')
    .where(anyOf(db, 'id', ids))
    .execute();
}

/** Forgets the sentence vectors of every model that is not named. */
export async function deleteSentencesOfModel(
  db: Kysely<Database>,
  { except }: { readonly except: readonly string[] },
): Promise<void> {
  let query = db.deleteFrom('sentence_vector');
  for (const model of except) query = query.where('model', '!=', model);
  await query.execute();
}

/** Returns the packed sentence vectors of these passages; ids without any are left out. One statement. */
export async function readSentences(
  db: Kysely<Database>,
  model: string,
  ids: readonly string[],
): Promise<Map<string, Uint8Array>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('sentence_vector')
    .select(['id', 'data'])
    .where('model', '=', model)
    .where(anyOf(db, 'id', ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row.data]));
}
