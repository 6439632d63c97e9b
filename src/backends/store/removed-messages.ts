import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.js';

/** A message that is hidden, with what undoing writes again. */
export interface RemovedMessage {
  readonly source_id: string;
  /** As in `session_message`. */
  readonly identity: string;
  readonly turn: number;
  /** Name of the domain. */
  readonly domain: string;
  /** JSON of its passages. */
  readonly body: string;
}

/** Keeps messages that are hidden; one that is kept already gets its newest content. */
export async function keepRemoved(db: Kysely<Database>, messages: readonly RemovedMessage[]): Promise<void> {
  for (const message of messages) {
    await db
      .insertInto('removed_message')
      .values(message)
      .onConflict((oc) => oc.columns(['source_id', 'identity']).doUpdateSet({ turn: message.turn, body: message.body }))
      .execute();
  }
}

/** Returns the hidden messages of a session, in order. */
export function removedOf(db: Kysely<Database>, sourceId: string): Promise<RemovedMessage[]> {
  return db
    .selectFrom('removed_message')
    .select(['source_id', 'identity', 'turn', 'domain', 'body'])
    .where('source_id', '=', sourceId)
    .orderBy('turn')
    .execute();
}

/** Drops hidden messages of a session: those of `identities`, else all. Returns how many there were. */
export async function dropRemoved(
  db: Kysely<Database>,
  sourceId: string,
  identities?: readonly string[],
): Promise<number> {
  let dropped = 0;
  for (const identity of identities ?? [undefined]) {
    const all = db.deleteFrom('removed_message').where('source_id', '=', sourceId);
    const one = identity === undefined ? all : all.where('identity', '=', identity);
    dropped += Number((await one.executeTakeFirst()).numDeletedRows);
  }
  return dropped;
}

/** Returns whether messages of a session are hidden. */
export async function hasRemoved(db: Kysely<Database>, sourceId: string): Promise<boolean> {
  const found = db.selectFrom('removed_message').select('source_id').where('source_id', '=', sourceId).limit(1);
  return (await found.executeTakeFirst()) !== undefined;
}

/** Drops the hidden messages of a domain, with the turns of their sessions. */
export async function dropRemovedOfDomain(db: Kysely<Database>, domain: string): Promise<void> {
  await sql`delete from session_message
    where source_id in (select source_id from removed_message where domain = ${domain})`.execute(db);
  await db.deleteFrom('removed_message').where('domain', '=', domain).execute();
}

/** Returns the identities of a session's messages by turn. */
export async function identitiesOf(db: Kysely<Database>, sourceId: string): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('session_message')
    .select(['turn', 'identity'])
    .where('source_id', '=', sourceId)
    .execute();
  return new Map(rows.map(({ turn, identity }) => [turn, identity]));
}
