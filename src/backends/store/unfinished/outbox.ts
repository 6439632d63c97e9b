import type { Kysely } from 'kysely';
import type { Database } from '../schema.js';

export type OutboxKind = 'load' | 'forget' | 'follow' | 'reindex';

export interface OutboxRow {
  readonly id: number;
  readonly kind: OutboxKind;
  readonly payload: string;
  /** ISO 8601. */
  readonly created_at: string;
}

/** Notes work that must be finished even if the process dies now; returns the row's id. */
export async function addOutbox(db: Kysely<Database>, kind: OutboxKind, payload: string, now: string): Promise<number> {
  const row = await db
    .insertInto('outbox')
    .values({ kind, payload, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Returns the unfinished work after a row, oldest first. */
export async function listOutbox(
  db: Kysely<Database>,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<OutboxRow[]> {
  const rows = await db
    .selectFrom('outbox')
    .select(['id', 'kind', 'payload', 'created_at'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows as OutboxRow[];
}

export async function deleteOutbox(db: Kysely<Database>, id: number): Promise<void> {
  await db.deleteFrom('outbox').where('id', '=', id).execute();
}
