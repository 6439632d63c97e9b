import { SvcError } from '../../../core/errors.js';
import { lockDomain } from '../locks.js';
import type { Db } from '../schema.js';
import { anyOf } from '../sql.js';

/** A source that is being written in steps. */
export interface PendingLoad {
  readonly source_id: string;
  readonly domain: string;
  readonly token: string;
  readonly complete: number;
  /** ISO 8601. */
  readonly created_at: string;
}

/**
 * Values of `complete`: pieces are missing; all are there; the source is to be forgotten, or the
 * domain to be removed, which needs none. */
export const INCOMPLETE = 0;
export const COMPLETE = 1;
export const FORGETTING = 2;
export const REMOVING = 3;

/** Returns what stands for a whole domain among the sources. */
export function removalOf(domain: string): string {
  return `domain ${domain}`;
}

/** Notes that a source is about to be written in steps; an earlier such write of it ends at its next step. */
export async function addPendingLoad(
  db: Db,
  load: Omit<PendingLoad, 'complete'>,
  complete: number = INCOMPLETE,
): Promise<void> {
  // A step of an earlier one, or a write that found no note, ends before.
  await lockDomain(db, load.domain);
  await deletePendingLoads(db, [load.source_id]);
  await db
    .insertInto('pending_load')
    .values({ ...load, complete })
    .execute();
}

/** Notes pieces of a source, `from` being the number of the first one. */
export async function addPieces(
  db: Db,
  token: string,
  { from, bodies }: { readonly from: number; readonly bodies: readonly string[] },
): Promise<void> {
  const rows = bodies.map((body, i) => ({ token, part: from + i, body }));
  if (rows.length > 0) await db.insertInto('pending_piece').values(rows).execute();
}

/** Notes that all pieces are there. */
export async function completePendingLoad(db: Db, token: string): Promise<void> {
  await db.updateTable('pending_load').set({ complete: COMPLETE }).where('token', '=', token).execute();
}

/** Notes that the call is still there, though it waits: nobody finishes it as that of a process that died. */
export async function renewPendingLoad(db: Db, { token, created_at }: Pick<PendingLoad, 'token' | 'created_at'>) {
  await db.updateTable('pending_load').set({ created_at }).where('token', '=', token).execute();
}

/** Returns whether this call still writes its source. */
export async function isPending(db: Db, token: string): Promise<boolean> {
  return (await findPendingLoad(db, token)) !== undefined;
}

export function findPendingLoad(db: Db, token: string): Promise<PendingLoad | undefined> {
  return db.selectFrom('pending_load').selectAll().where('token', '=', token).executeTakeFirst();
}

/**
 * Locks a domain for a write of a caller, until its transaction ends; `sources` are those that it adds to. Throws as
 * `checkWritable` does.
 */
export async function lockForWriting(db: Db, domain: string, sources: readonly string[] = []): Promise<void> {
  await lockDomain(db, domain);
  await checkWritable(db, domain, sources);
}

/**
 * Throws `unavailable` (retriable) while the domain is being removed in steps, or while a source that is added to is
 * being written or forgotten: whoever finishes that, maybe after a crash, would take away what was answered meanwhile.
 */
export async function checkWritable(db: Db, domain: string, sources: readonly string[] = []): Promise<void> {
  const row = await db
    .selectFrom('pending_load')
    .select('source_id')
    .where(anyOf(db, 'source_id', [removalOf(domain), ...sources]))
    .executeTakeFirst();
  if (row === undefined) return;
  const what =
    row.source_id === removalOf(domain) ? `Domain ${domain} is being removed` : 'The source is being changed';
  throw new SvcError('unavailable', `${what} by another call; try again in a moment.`, undefined, {
    retryAfter: 5,
    retriable: true,
  });
}

export function listPendingLoads(db: Db): Promise<PendingLoad[]> {
  return db.selectFrom('pending_load').selectAll().orderBy('created_at').execute();
}

/** Returns the body of a piece; undefined after the last one. */
export async function readPiece(db: Db, token: string, part: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('pending_piece')
    .select('body')
    .where('token', '=', token)
    .where('part', '=', part)
    .executeTakeFirst();
  return row?.body;
}

/** Takes the sources from whoever writes them in steps: to be called by every write that replaces or forgets them. */
export async function deletePendingLoads(db: Db, sources: readonly string[]): Promise<void> {
  const rows = await db
    .selectFrom('pending_load')
    .select('token')
    .where(anyOf(db, 'source_id', sources))
    .execute();
  await deleteTokens(
    db,
    rows.map((row) => row.token),
  );
}

/** Does so for all sources of a domain; for all there are without one. */
export async function deleteAllPendingLoads(db: Db, domain?: string): Promise<void> {
  const all = db.selectFrom('pending_load').select('token');
  const rows = await (domain === undefined ? all : all.where('domain', '=', domain)).execute();
  await deleteTokens(
    db,
    rows.map((row) => row.token),
  );
}

/** Takes noted writes from whoever is at them. */
export async function deleteTokens(db: Db, tokens: readonly string[]): Promise<void> {
  if (tokens.length === 0) return;
  await db
    .deleteFrom('pending_load')
    .where(anyOf(db, 'token', tokens))
    .execute();
  await db
    .deleteFrom('pending_piece')
    .where(anyOf(db, 'token', tokens))
    .execute();
}
