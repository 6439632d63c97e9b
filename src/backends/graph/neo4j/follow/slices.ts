import { randomUUID } from 'node:crypto';
import type { EngineCursor } from '../../../../ledger/follower.js';
import { type HeldCursor, holdCursor, moveCursor, moveWithin, readPart } from '../../../neo4j-connection/cursor.js';
import { isTooLarge, tooLarge } from '../../../neo4j-connection/errors.js';
import type { Neo4jConnection, Neo4jTransaction } from '../../../neo4j-connection.js';
import { type LastNumbers, NOTHING_NEW, type Writing } from './rows.js';
import { countKeys } from './write-keys.js';

/** Name of the engine, in status and as the key of its cursor. */
export const NEO4J = 'neo4j';

/** Records of a slice: a statement. */
export const SLICE = 1000;
/** Passages of a slice that writes what they mention: each brings some twenty mentions. */
export const PASSAGES = 200;

/** A part of a step that can be done in a transaction of its own, and done again. */
export interface Slice {
  /** Roughly how many records it writes. */
  readonly weight: number;
  /** Reads what is to be written, while the server works on the slices before; returns what writes it. */
  prepare(): Promise<PreparedSlice>;
  /** Returns two slices that together do the same; null where it is one record. */
  halves(): readonly [Slice, Slice] | null;
}

export interface PreparedSlice {
  /** Bytes of text that it sends, roughly; default none. */
  readonly bytes?: number;
  write(tx: Neo4jTransaction, writing: Writing): Promise<void> | void;
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
  /** As in `Writing`; default true. */
  readonly whole?: boolean;
  readonly limits?: TransactionLimits | undefined;
  /** Returns the count of edges to keep with the cursor, from the one before; without that there is none any more. */
  readonly tally?: (before: number | null) => number | null;
}

/** Records and bytes of text that one transaction writes at most, unless a single slice or record is larger. */
export interface TransactionLimits {
  readonly records: number;
  readonly bytes: number;
}

const LIMITS: TransactionLimits = { records: 10_000, bytes: 16 * 2 ** 20 };

/**
 * Writes a step and moves the cursor in one transaction where the step is small. A large one is cut: each transaction
 * holds the cursor at `from` and notes how many are done, so that work resumes from there after a crash and replicas
 * alternate. Returns false where the cursor is elsewhere.
 */
export async function writeSliced(connection: Neo4jConnection, step: SlicedStep): Promise<boolean> {
  const groups = groupsOf(step.slices, step.limits ?? LIMITS);
  const before = new Before(isChange(step) && step.whole !== false);
  let part = groups.length > 1 && isChange(step) ? await readPart(connection, NEO4J, step.to.version) : 0;
  for (; part < groups.length; part += 1) {
    const group = { ...step, before, queue: [...groups[part]!], part, parts: groups.length };
    if (!(await writeGroup(connection, group))) return false;
  }
  return true;
}

/** Returns whether a step is a change: after a crash only a change has the same parts, a range is compared anew. */
function isChange({ from, to }: SlicedStep): boolean {
  return to.version !== from.version;
}

/** Knows what the engine had before a step. */
class Before {
  /** Name under which the transactions of the step hold the cursor. */
  readonly holder = randomUUID();
  private last = NOTHING_NEW;

  constructor(private readonly isKnown: boolean) {}

  /** Returns what the engine had: anew where somebody else held the cursor since, who may have written too. Hold it first. */
  async read(tx: Neo4jTransaction, { before }: HeldCursor): Promise<LastNumbers> {
    if (!this.isKnown || before === this.holder) return this.last;
    const [node, key] = await Promise.all([lastOf(tx, 'Node'), lastOf(tx, 'Key')]);
    this.last = { node, key };
    return this.last;
  }
}

/** Returns the largest number; the server takes it from the end of the index. */
async function lastOf(tx: Neo4jTransaction, label: 'Node' | 'Key'): Promise<number> {
  const [row] = await tx.run<{ last: number | null }>(`MATCH (x:${label}) WHERE x.ref > 0 RETURN max(x.ref) AS last`);
  return row?.last ?? 0;
}

interface GroupStep extends SlicedStep {
  readonly before: Before;
  /** Slices that are not written yet. */
  readonly queue: Slice[];
  readonly part: number;
  readonly parts: number;
}

/** Writes in as many transactions as the server's memory requires: each but the last leaves the cursor where it is. */
async function writeGroup(connection: Neo4jConnection, step: GroupStep): Promise<boolean> {
  const { queue } = step;
  let most = queue.length;
  for (;;) {
    let tried = 0;
    try {
      const written = await connection.transact((tx) =>
        writeSome(tx, step, { most, begun: (slices) => (tried = slices) }),
      );
      if (written === null) return false;
      if (written === queue.length) return true;
      queue.splice(0, written);
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      if (tried > 1) most = tried >> 1;
      else if (!halveFirst(queue)) throw tooLarge(error);
    }
  }
}

/** Writes the first slices, at most `most` and as many bytes as fit; returns how many, null where the cursor is elsewhere. */
async function writeSome(
  tx: Neo4jTransaction,
  step: GroupStep,
  { most, begun }: { readonly most: number; readonly begun: (slices: number) => void },
): Promise<number | null> {
  const { from, to, queue, part, parts } = step;
  const cursor = await holdCursor(tx, NEO4J, from, step.before.holder);
  if (cursor === null || (parts > 1 && isChange(step) && cursor.partOf(to.version) > part)) return null;
  const last = await step.before.read(tx, cursor);
  const writing = { whole: step.whole ?? true, touched: new Set<number>(), last };
  let written = 0;
  for (let bytes = 0; written < Math.min(most, queue.length); ) {
    const slice = await queue[written]!.prepare();
    const sum = bytes + (slice.bytes ?? 0);
    if (sum > (step.limits ?? LIMITS).bytes) {
      if (written > 0) break;
      if (halveFirst(queue)) continue;
    }
    bytes = sum;
    written += 1;
    begun(written);
    await slice.write(tx, writing);
  }
  countKeys(tx, writing.touched);
  if (written < queue.length) return written;
  if (part === parts - 1) moveCursor(tx, NEO4J, { to, tally: step.tally?.(cursor.tally) ?? null });
  else if (isChange(step)) moveWithin(tx, NEO4J, { version: to.version, part: part + 1 });
  return written;
}

function halveFirst(queue: Slice[]): boolean {
  const halves = queue[0]?.halves() ?? null;
  if (halves === null) return false;
  queue.splice(0, 1, ...halves);
  return true;
}

function groupsOf(slices: readonly Slice[], { records }: TransactionLimits): Slice[][] {
  const groups: Slice[][] = [[]];
  let weight = 0;
  for (const slice of slices) {
    if (weight > 0 && weight + slice.weight > records) {
      groups.push([]);
      weight = 0;
    }
    groups.at(-1)!.push(slice);
    weight += slice.weight;
  }
  return groups;
}
