import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.js';
import { anyOf, chunks } from '../sql.js';

export interface SessionRow {
  readonly session_id: string;
  readonly learner: string;
  readonly name: string;
  readonly started_at: number;
  readonly ended_at: number | null;
}

export interface SessionEvent {
  readonly session_id: string;
  readonly kind: 'select' | 'observe';
  readonly arm_id: string;
  /** JSON. */
  readonly payload: string;
}

export async function addSession(db: Kysely<Database>, session: SessionRow): Promise<void> {
  await db.insertInto('learning_session').values(session).execute();
}

/** Returns sessions of these learners that have not ended, by learner. */
export async function openSessions(db: Kysely<Database>, learners: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('learning_session')
    .select(['session_id', 'learner'])
    .where(anyOf(db, 'learner', learners))
    .where('ended_at', 'is', null)
    .execute();
  const open = new Map<string, string[]>();
  for (const { learner, session_id } of rows) open.set(learner, [...(open.get(learner) ?? []), session_id]);
  return open;
}

export async function addSessionEvents(db: Kysely<Database>, events: readonly SessionEvent[]): Promise<void> {
  for (const part of chunks(events, 1000)) await db.insertInto('learning_session_event').values(part).execute();
}

/** Ends the session; an ended one keeps its time. Undefined where there is none. */
export async function endSession(
  db: Kysely<Database>,
  sessionId: string,
  now: number,
): Promise<SessionRow | undefined> {
  return db
    .updateTable('learning_session')
    .set({ ended_at: sql`coalesce(ended_at, ${now})` })
    .where('session_id', '=', sessionId)
    .returningAll()
    .executeTakeFirst();
}

export async function sessionEvents(db: Kysely<Database>, sessionId: string): Promise<SessionEvent[]> {
  const rows = await db
    .selectFrom('learning_session_event')
    .select(['session_id', 'kind', 'arm_id', 'payload'])
    .where('session_id', '=', sessionId)
    .orderBy('id')
    .execute();
  return rows as SessionEvent[];
}

/** Deletes sessions that ended, or were left open, before `before`. At most `limit` per call. */
export async function pruneSessions(db: Kysely<Database>, before: number, limit: number): Promise<number> {
  const rows = await db
    .selectFrom('learning_session')
    .select('session_id')
    .where((eb) => eb(eb.fn.coalesce('ended_at', 'started_at'), '<', before))
    .limit(limit)
    .execute();
  if (rows.length === 0) return 0;
  const ids = rows.map((row) => row.session_id);
  await db
    .deleteFrom('learning_session_event')
    .where(anyOf(db, 'session_id', ids))
    .execute();
  await db
    .deleteFrom('learning_session')
    .where(anyOf(db, 'session_id', ids))
    .execute();
  return rows.length;
}
