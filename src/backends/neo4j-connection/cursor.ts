import { randomUUID } from 'node:crypto';
import type { EngineCursor, SyncPosition } from '../../ledger/follower.js';
import { int, type Neo4jConnection, type Neo4jTransaction } from '../neo4j-connection.js';

/** Where a step stands that needs several transactions. */
interface PartRow {
  /** To which version it leads, how it was cut, and how many of its transactions are done. */
  readonly part_to: number | null;
  readonly part_cut: string | null;
  readonly part: number | null;
  readonly [member: string]: unknown;
}

/** The row of a cursor: one `Cursor` node for each engine that lies in the database. */
interface CursorRow extends PartRow {
  readonly ledger: string | null;
  readonly version: number;
  readonly sync_kind: string | null;
  readonly sync_after: number | null;
}

interface HeldRow extends PartRow {
  /** Who held the cursor before. */
  readonly holder: string | null;
  /** While edges are resynced: how many were seen; null where that is not known. */
  readonly tally: number | null;
  readonly [member: string]: unknown;
}

/** What a transaction knows once it holds the cursor. */
export interface HeldCursor {
  /** Returns how many transactions of this step are done. */
  partOf(step: CutStep): number;
  readonly tally: number | null;
  /** Who held it before. */
  readonly before: string | null;
}

/** A step that needs several transactions. Where it is cut otherwise than it was, nothing of it counts as done. */
export interface CutStep {
  readonly version: number;
  /** The sizes by which it is cut. */
  readonly cut: string;
}

const READ = `MATCH (c:Cursor {engine: $engine}) WHERE c.ledger IS NOT NULL
  RETURN c.ledger AS ledger, c.version AS version, c.sync_kind AS sync_kind, c.sync_after AS sync_after,
    c.part_to AS part_to, c.part_cut AS part_cut, c.part AS part`;

/** Writing first takes the lock, so that what is read after it cannot change until the transaction ends. */
const HOLD = `MERGE (c:Cursor {engine: $engine}) SET c.updated_at = datetime()
  WITH c, c.holder AS holder SET c.holder = $holder
  WITH c, holder WHERE CASE WHEN $ledger IS NULL THEN c.ledger IS NULL ELSE c.ledger = $ledger AND c.version = $version
    AND coalesce(c.sync_kind, '') = $sync_kind AND coalesce(c.sync_after, 0) = $sync_after END
  RETURN c.part_to AS part_to, c.part_cut AS part_cut, c.part AS part, c.tally AS tally, holder`;

const MOVE = `MATCH (c:Cursor {engine: $engine})
  SET c.ledger = $ledger, c.version = $version, c.sync_kind = $kind, c.sync_after = $after, c.tally = $tally,
    c.part = null, c.part_to = null, c.part_cut = null`;

/** Returns how far an engine that lies in Neo4j followed the ledger; null where it never did. */
export async function readCursor(connection: Neo4jConnection, engine: string): Promise<EngineCursor | null> {
  const [row] = await connection.read<CursorRow>(READ, { engine });
  if (row === undefined || row.ledger === null) return null;
  return { ledger: row.ledger, version: row.version, sync: syncOf(row) };
}

/** Returns how many transactions of a step are done. */
export async function readPart(connection: Neo4jConnection, engine: string, step: CutStep): Promise<number> {
  const [row] = await connection.read<CursorRow>(READ, { engine });
  return row === undefined ? 0 : partOf(row, step);
}

function partOf({ part_to, part_cut, part }: PartRow, { version, cut }: CutStep): number {
  return part_to === version && part_cut === cut ? (part ?? 0) : 0;
}

/** Locks the cursor for this transaction, and writes the name of its holder; null where it does not stand at `from`. */
export async function holdCursor(
  tx: Neo4jTransaction,
  engine: string,
  from: EngineCursor | null,
  holder: string = randomUUID(),
): Promise<HeldCursor | null> {
  const [row] = await tx.run<HeldRow>(HOLD, {
    engine,
    holder,
    ledger: from?.ledger ?? null,
    version: int(from?.version ?? 0),
    sync_kind: from?.sync?.kind ?? '',
    sync_after: int(from?.sync?.after ?? 0),
  });
  if (row === undefined) return null;
  return { partOf: (step) => partOf(row, step), tally: row.tally, before: row.holder };
}

/** Moves a cursor that the transaction holds. */
export function moveCursor(
  tx: Neo4jTransaction,
  engine: string,
  { to, tally }: { readonly to: EngineCursor; readonly tally?: number | null },
): void {
  tx.send(MOVE, {
    engine,
    ledger: to.ledger,
    version: int(to.version),
    kind: to.sync?.kind ?? null,
    after: to.sync === null ? null : int(to.sync.after),
    tally: tally === undefined || tally === null ? null : int(tally),
  });
}

/** Notes how many transactions of a step are done. */
export function moveWithin(
  tx: Neo4jTransaction,
  engine: string,
  { version, cut, part }: CutStep & { readonly part: number },
): void {
  tx.send('MATCH (c:Cursor {engine: $engine}) SET c.part_to = $version, c.part_cut = $cut, c.part = $part', {
    engine,
    cut,
    version: int(version),
    part: int(part),
  });
}

function syncOf({ sync_kind, sync_after }: CursorRow): SyncPosition | null {
  return sync_kind === null ? null : { kind: sync_kind as SyncPosition['kind'], after: sync_after ?? 0 };
}
