import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.js';
import { anyOf, chunks } from '../sql.js';

const KEYS = 500;
/** Answers that are kept, of all models together. */
export const KEPT_ANSWERS = 100_000;

/** Returns the kept answers (JSON) of these keys that are there, by key. */
export async function readAnswers(
  db: Kysely<Database>,
  model: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const part of chunks(keys, KEYS)) {
    const rows = await db
      .selectFrom('model_answer')
      .select(['key', 'answer'])
      .where('model', '=', model)
      .where(anyOf(db, 'key', part))
      .execute();
    for (const { key, answer } of rows) answers.set(key, answer);
  }
  return answers;
}

/** Keeps one answer and drops the oldest beyond about `bound` answers. */
export async function keepAnswer(
  db: Kysely<Database>,
  row: { readonly model: string; readonly key: string; readonly answer: string },
  bound: number,
): Promise<void> {
  await db
    .insertInto('model_answer')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['model', 'key']).doUpdateSet((eb) => ({ answer: eb.ref('excluded.answer') })),
    )
    .execute();
  await db
    .deleteFrom('model_answer')
    .where('id', '<=', sql<number>`(select max(id) from model_answer) - ${bound}`)
    .execute();
}
