import type { Kysely } from 'kysely';
import { lockDomain } from './locks.js';
import type { Database } from './schema.js';
import { anyOf } from './sql.js';

export interface SessionMessage {
  /** Id of the source that the session is. */
  readonly source_id: string;
  /** What distinguishes the message from the others of its session. */
  readonly identity: string;
}

/** Returns the turn of a message in its session: 0-based; a known message keeps the turn it has. */
export async function takeTurn(db: Kysely<Database>, { source_id, identity }: SessionMessage): Promise<number> {
  return (await takeTurns(db, source_id, [identity]))[0]!;
}

/** Returns the turns of different messages of a session, in order: those that are not known get the next ones. */
export async function takeTurns(
  db: Kysely<Database>,
  source_id: string,
  identities: readonly string[],
): Promise<number[]> {
  await lockSession(db, source_id);
  const known = await turnsOf(db, source_id, identities);
  const fresh = identities.filter((identity) => !known.has(identity));
  if (fresh.length > 0) {
    const last = await db
      .selectFrom('session_message')
      .select((eb) => eb.fn.max('turn').as('turn'))
      .where('source_id', '=', source_id)
      .executeTakeFirst();
    const next = last?.turn == null ? 0 : Number(last.turn) + 1;
    for (const [i, identity] of fresh.entries()) known.set(identity, next + i);
    await addTurns(
      db,
      source_id,
      fresh.map((identity, i) => ({ identity, turn: next + i })),
    );
  }
  return identities.map((identity) => known.get(identity)!);
}

/** A message and the place that was taken for it. */
export interface TakenTurn {
  readonly identity: string;
  readonly turn: number;
}

/**
 * Makes sure that turns taken earlier are still those of these messages, inside the write that uses them. Their session may have
 * been forgotten meanwhile: a turn that is free is taken again. False where one is another message's now, or its own message has another.
 */
export async function holdTurns(
  db: Kysely<Database>,
  source_id: string,
  taken: readonly TakenTurn[],
): Promise<boolean> {
  await lockSession(db, source_id);
  const known = await turnsOf(
    db,
    source_id,
    taken.map(({ identity }) => identity),
  );
  const lost = taken.filter(({ identity, turn }) => known.get(identity) !== turn);
  if (lost.length === 0) return true;
  if (lost.some(({ identity }) => known.has(identity))) return false;
  const other = await db
    .selectFrom('session_message')
    .select('identity')
    .where('source_id', '=', source_id)
    .where(
      anyOf(
        db,
        'turn',
        lost.map(({ turn }) => turn),
      ),
    )
    .executeTakeFirst();
  if (other !== undefined) return false;
  await addTurns(db, source_id, lost);
  return true;
}

/** Frees the turn of a message of a session, those of all its messages where none is named. */
export async function forgetTurns(db: Kysely<Database>, sourceId: string, identity?: string): Promise<void> {
  const all = db.deleteFrom('session_message').where('source_id', '=', sourceId);
  await (identity === undefined ? all : all.where('identity', '=', identity)).execute();
}

/** Locks a session. A caller that also locks the domain of the session locks the domain first. */
function lockSession(db: Kysely<Database>, source_id: string): Promise<void> {
  return lockDomain(db, `session:${source_id}`);
}

/** Returns the turns of those messages of a session that are known, by their identities. */
export async function turnsOf(
  db: Kysely<Database>,
  source_id: string,
  identities: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('session_message')
    .select(['identity', 'turn'])
    .where('source_id', '=', source_id)
    .where(anyOf(db, 'identity', identities))
    .execute();
  return new Map(rows.map(({ identity, turn }) => [identity, Number(turn)]));
}

async function addTurns(db: Kysely<Database>, source_id: string, taken: readonly TakenTurn[]): Promise<void> {
  const rows = taken.map(({ identity, turn }) => ({ source_id, identity, turn }));
  await db.insertInto('session_message').values(rows).execute();
}
