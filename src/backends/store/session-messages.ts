import type { Kysely } from 'kysely';
import { lockDomain } from './locks.js';
import type { Database } from './schema.js';

export interface SessionMessage {
  /** Id of the source that the session is. */
  readonly source_id: string;
  /** What distinguishes the message from the others of its session. */
  readonly identity: string;
}

/** Returns the turn of a message in its session: 0-based; a known message keeps the turn it has. */
export async function takeTurn(db: Kysely<Database>, message: SessionMessage): Promise<number> {
  await lockSession(db, message);
  const known = await turnOf(db, message);
  if (known !== undefined) return known;
  const last = await db
    .selectFrom('session_message')
    .select((eb) => eb.fn.max('turn').as('turn'))
    .where('source_id', '=', message.source_id)
    .executeTakeFirst();
  const turn = last?.turn == null ? 0 : Number(last.turn) + 1;
  await db
    .insertInto('session_message')
    .values({ ...message, turn })
    .execute();
  return turn;
}

/**
 * Makes sure that a turn taken earlier is still this message's, inside the write that uses it. Its session may have been
 * forgotten meanwhile: a turn that is free is taken again. False where it is another message's now, or this one has another.
 */
export async function holdTurn(db: Kysely<Database>, message: SessionMessage, turn: number): Promise<boolean> {
  await lockSession(db, message);
  const known = await turnOf(db, message);
  if (known !== undefined) return known === turn;
  const other = await db
    .selectFrom('session_message')
    .select('identity')
    .where('source_id', '=', message.source_id)
    .where('turn', '=', turn)
    .executeTakeFirst();
  if (other !== undefined) return false;
  await db
    .insertInto('session_message')
    .values({ ...message, turn })
    .execute();
  return true;
}

/** Frees the turn of a message of a session, those of all its messages where none is named. */
export async function forgetTurns(db: Kysely<Database>, sourceId: string, identity?: string): Promise<void> {
  const all = db.deleteFrom('session_message').where('source_id', '=', sourceId);
  await (identity === undefined ? all : all.where('identity', '=', identity)).execute();
}

/** Locks a session. A caller that also locks the domain of the session locks the domain first. */
function lockSession(db: Kysely<Database>, { source_id }: SessionMessage): Promise<void> {
  return lockDomain(db, `session:${source_id}`);
}

async function turnOf(db: Kysely<Database>, message: SessionMessage): Promise<number | undefined> {
  const known = await db
    .selectFrom('session_message')
    .select('turn')
    .where('source_id', '=', message.source_id)
    .where('identity', '=', message.identity)
    .executeTakeFirst();
  return known?.turn;
}
