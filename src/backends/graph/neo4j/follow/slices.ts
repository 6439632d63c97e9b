import type { EngineCursor } from '../../../../ledger/follower.js';
import { holdCursor, moveCursor, moveWithin, readPart } from '../../../neo4j-connection/cursor.js';
import { isTooLarge, tooLarge } from '../../../neo4j-connection/errors.js';
import type { Neo4jConnection, Neo4jTransaction } from '../../../neo4j-connection.js';
import { countKeys } from './write-keys.js';

/** Name of the engine, in status and as the key of its cursor. */
export const NEO4J = 'neo4j';

/** Records of a slice. */
export const SLICE = 2000;
/** Passages of a slice that writes what they mention: each brings some twenty mentions. */
export const PASSAGES = 200;

/** A part of a step that can be done in a transaction of its own, and done again. */
export interface Slice {
  /** Roughly how many records it writes. */
  readonly weight: number;
  /** Reads what is to be written, outside the transaction; returns what writes it. */
  prepare(): Promise<PreparedSlice>;
  /** Returns two slices that together do the same; null where it is one record. */
  halves(): readonly [Slice, Slice] | null;
}

export interface PreparedSlice {
  /** Bytes of text that it sends, roughly; default none. */
  readonly bytes?: number;
  /** Writes, and adds the keys whose counts are to be made again. */
  write(tx: Neo4jTransaction, touched: Set<number>): Promise<void>;
}

/** Makes a slice over items that `prepare` makes into statements. */
function sliceOf<T>(items: readonly T[], prepare: (items: readonly T[]) => Promise<PreparedSlice>): Slice {
  return {
    weight: items.length,
    prepare: () => prepare(items),
    halves: () => {
      if (items.length < 2) return null;
      const middle = items.length >> 1;
      return [sliceOf(items.slice(0, middle), prepare), sliceOf(items.slice(middle), prepare)];
    },
  };
}

export function slicesOf<T>(
  items: Iterable<T>,
  size: number,
  prepare: (items: readonly T[]) => Promise<PreparedSlice>,
): Slice[] {
  const all = [...items];
  const slices: Slice[] = [];
  for (let start = 0; start < all.length; start += size) slices.push(sliceOf(all.slice(start, start + size), prepare));
  return slices;
}

export interface SlicedStep {
  readonly from: EngineCursor;
  readonly to: EngineCursor;
  readonly slices: readonly Slice[];
  /** Returns the count of edges to keep with the cursor, from the one before; without that there is none any more. */
  readonly tally?: (before: number | null) => number | null;
}

/** Records and bytes of text that one transaction writes at most, unless a single record is larger. */
const RECORDS = 10_000;
const BYTES = 16 * 2 ** 20;

/**
 * Writes a step and moves the cursor in one transaction where the step is small. A large one is cut: each transaction
 * holds the cursor at `from` and notes how many are done, so that work resumes from there after a crash and replicas
 * alternate. Returns false where the cursor is elsewhere.
 */
export async function writeSliced(connection: Neo4jConnection, step: SlicedStep): Promise<boolean> {
  const groups = groupsOf(step.slices);
  let part = groups.length > 1 && isChange(step) ? await readPart(connection, NEO4J, step.to.version) : 0;
  for (; part < groups.length; part += 1) {
    if (!(await writeGroup(connection, { ...step, group: groups[part]!, part, parts: groups.length }))) return false;
  }
  return true;
}

/** Returns whether a step is a change: after a crash only a change has the same parts, a range is compared anew. */
function isChange({ from, to }: SlicedStep): boolean {
  return to.version !== from.version;
}

interface GroupStep extends SlicedStep {
  readonly group: readonly Slice[];
  readonly part: number;
  readonly parts: number;
}

/** Writes in as many transactions as the server's memory requires: each but the last leaves the cursor where it is. */
async function writeGroup(connection: Neo4jConnection, step: GroupStep): Promise<boolean> {
  const queue = [...step.group];
  let most = queue.length;
  for (;;) {
    const prepared = await prepareSome(queue, most);
    const isLast = prepared.length === queue.length;
    try {
      if (!(await writeOnce(connection, step, { prepared, isLast }))) return false;
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      if (prepared.length > 1) most = prepared.length >> 1;
      else if (!halveFirst(queue)) throw tooLarge(error);
      continue;
    }
    if (isLast) return true;
    queue.splice(0, prepared.length);
  }
}

/** Prepares the first slices, at most `most`, whose bytes fit into one transaction; halves a first that does not. */
async function prepareSome(queue: Slice[], most: number): Promise<PreparedSlice[]> {
  const prepared: PreparedSlice[] = [];
  let bytes = 0;
  while (prepared.length < Math.min(most, queue.length)) {
    const one = await queue[prepared.length]!.prepare();
    const own = one.bytes ?? 0;
    if (bytes + own > BYTES) {
      if (prepared.length > 0) break;
      if (halveFirst(queue)) continue;
    }
    bytes += own;
    prepared.push(one);
  }
  return prepared;
}

function halveFirst(queue: Slice[]): boolean {
  const halves = queue[0]?.halves() ?? null;
  if (halves === null) return false;
  queue.splice(0, 1, ...halves);
  return true;
}

async function writeOnce(
  connection: Neo4jConnection,
  step: GroupStep,
  { prepared, isLast }: { readonly prepared: readonly PreparedSlice[]; readonly isLast: boolean },
): Promise<boolean> {
  const { from, to, part, parts } = step;
  return connection.transact(async (tx) => {
    const cursor = await holdCursor(tx, NEO4J, from);
    if (cursor === null || (parts > 1 && isChange(step) && cursor.partOf(to.version) > part)) return false;
    const touched = new Set<number>();
    for (const one of prepared) await one.write(tx, touched);
    await countKeys(tx, touched);
    if (!isLast) return true;
    if (part < parts - 1) {
      if (isChange(step)) await moveWithin(tx, NEO4J, { version: to.version, part: part + 1 });
    } else await moveCursor(tx, NEO4J, { to, tally: step.tally?.(cursor.tally) ?? null });
    return true;
  });
}

function groupsOf(slices: readonly Slice[]): Slice[][] {
  const groups: Slice[][] = [[]];
  let weight = 0;
  for (const slice of slices) {
    if (weight > 0 && weight + slice.weight > RECORDS) {
      groups.push([]);
      weight = 0;
    }
    groups.at(-1)!.push(slice);
    weight += slice.weight;
  }
  return groups;
}
