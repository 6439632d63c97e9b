import { sql } from 'kysely';
import type { Db } from '../backends/store/schema.js';
import { slicer } from '../core/async/slices.js';
import type { LedgerChange } from './change.js';
import { packChange, unpackChange } from './packed-change.js';

/** What of the change log is kept: as many as this, and bodies of as many bytes together. */
export interface ChangeLimits {
  readonly changes: number;
  readonly bytes: number;
}

export const CHANGE_LIMITS: ChangeLimits = { changes: 20_000, bytes: 256 * 2 ** 20 };

/** Removed at once, so that a write which finds the log full does not pay for all of it. */
const PRUNED = 64;

/** Returns the ledger's version: the number of its last change. */
export async function ledgerVersion(db: Db): Promise<number> {
  const result = await sql<{ version: number }>`select version from graph_meta where id = 1`.execute(db);
  return result.rows[0]!.version;
}

/** Returns the id that distinguishes this ledger from any other one. */
export async function ledgerIdentity(db: Db): Promise<string> {
  const result = await sql<{ ledger: string }>`select ledger from graph_meta where id = 1`.execute(db);
  return result.rows[0]!.ledger;
}

/** Returns what reads the ledger's id, from the store the first time only: it never changes. */
export function identityOf(db: Db): () => Promise<string> {
  let identity: string | undefined;
  return async () => {
    identity ??= await ledgerIdentity(db);
    return identity;
  };
}

/** Writes a change as the next one and returns its number; the oldest are removed where the log is over its limits. */
export async function appendChange(
  db: Db,
  change: Omit<LedgerChange, 'from' | 'version'>,
  limits: ChangeLimits,
): Promise<number> {
  const body = Buffer.from(packChange(change));
  const result = await sql<{ version: number; change_bytes: number; change_count: number }>`
    update graph_meta set version = version + 1, change_bytes = change_bytes + ${body.length},
      change_count = change_count + 1 where id = 1 returning version, change_bytes, change_count`.execute(db);
  const { version, change_bytes, change_count } = result.rows[0]!;
  await sql`insert into graph_change (version, body) values (${version}, ${body})`.execute(db);
  if (change_count > limits.changes || change_bytes > limits.bytes) await prune(db, version, limits);
  return version;
}

/** Removes the oldest changes, never the newest one. */
async function prune(db: Db, newest: number, limits: ChangeLimits): Promise<void> {
  const { rows } = await sql<{ version: number; bytes: number; change_bytes: number; change_count: number }>`
    select c.version, length(c.body) as bytes, m.change_bytes, m.change_count from graph_change c
    join graph_meta m on m.id = 1 where c.version < ${newest} order by c.version limit ${PRUNED}`.execute(db);
  let { change_bytes: bytes, change_count: count } = rows[0] ?? { change_bytes: 0, change_count: 0 };
  let last = 0;
  for (const row of rows) {
    if (count <= limits.changes && bytes <= limits.bytes) break;
    bytes -= row.bytes;
    count -= 1;
    last = row.version;
  }
  if (last === 0) return;
  await sql`delete from graph_change where version <= ${last}`.execute(db);
  await sql`update graph_meta set change_bytes = ${bytes}, change_count = ${count} where id = 1`.execute(db);
}

const READ = 64;

/**
 * Returns the changes after a version, in order, at most `READ` of them; null where the next one is no longer kept (or
 * another release wrote it), so that the reader has to read everything anew. Empty: there is none after it. Gives way to
 * the event loop between changes.
 */
export async function changesAfter(db: Db, version: number): Promise<LedgerChange[] | null> {
  let rows = await rowsAfter(db, version);
  if (rows.length === 0) {
    if (version === (await ledgerVersion(db))) return [];
    // A change may have come between the two statements.
    rows = await rowsAfter(db, version);
  }
  const changes: LedgerChange[] = [];
  const pause = slicer();
  for (const row of rows) {
    await pause();
    if (row.version !== version + changes.length + 1) break;
    const change = unpackChange(row.body, row.version);
    if (change === undefined) break;
    changes.push(change);
  }
  return changes.length === 0 ? null : changes;
}

async function rowsAfter(db: Db, version: number): Promise<Array<{ version: number; body: Uint8Array }>> {
  const { rows } = await sql<{ version: number; body: Uint8Array }>`select version, body from graph_change
    where version > ${version} order by version limit ${READ}`.execute(db);
  return rows;
}

/** Returns the numbers of the nodes that changed after a version; null where that is not known: changes are no longer kept. */
export async function nodesChangedAfter(db: Db, after: number): Promise<number[] | null> {
  const refs = new Set<number>();
  for (let version = after; ; ) {
    const changes = await changesAfter(db, version);
    if (changes === null || changes.some((change) => change.everything)) return null;
    if (changes.length === 0) return [...refs];
    for (const { records } of changes) for (const ref of records) refs.add(ref);
    version = changes.at(-1)!.version;
  }
}
