import type { Kysely } from 'kysely';
import type { Database } from './schema.js';

export interface Turn {
  /** 0-based position in the session. */
  readonly turn: number;
  /** False where this message was there already. */
  readonly fresh: boolean;
}

/** The turn of a message in its session; a known identity keeps the turn it has. Without identity it is always new. */
export async function takeTurn(db: Kysely<Database>, sourceId: string, identity: string | undefined): Promise<Turn> {
  if (identity !== undefined) {
    const known = await db
      .selectFrom('session_message')
      .select('turn')
      .where('source_id', '=', sourceId)
      .where('identity', '=', identity)
      .executeTakeFirst();
    if (known !== undefined) return { turn: known.turn, fresh: false };
  }
  const last = await db
    .selectFrom('session_message')
    .select((eb) => eb.fn.max('turn').as('turn'))
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
  const turn = last?.turn == null ? 0 : Number(last.turn) + 1;
  await db
    .insertInto('session_message')
    .values({ source_id: sourceId, identity: identity ?? `turn:${turn}`, turn })
    .execute();
  return { turn, fresh: true };
}

export async function forgetTurns(db: Kysely<Database>, sourceId: string): Promise<void> {
  await db.deleteFrom('session_message').where('source_id', '=', sourceId).execute();
}
