import { slicer } from '../../../../core/async/slices.js';
import type { EngineCursor } from '../../../../ledger/follower.js';
import { holdCursor, moveCursor, moveWithin, readPart } from '../../../neo4j-connection/cursor.js';
import { isTooLarge, tooLarge } from '../../../neo4j-connection/errors.js';
import type { Neo4jConnection, Neo4jTransaction } from '../../../neo4j-connection.js';
import { Before } from './before.js';
import { Ahead, PASSAGES, SLICE, type Slice } from './slices.js';
import { countKeys } from './write-keys.js';

/** Name of the engine, in status and as the key of its cursor. */
export const NEO4J = 'neo4j';

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
  const limits = step.limits ?? LIMITS;
  const groups = groupsOf(step.slices, limits);
  const cut = `${SLICE} ${PASSAGES} ${limits.records}`;
  const before = new Before(isChange(step) && step.whole !== false);
  const isCut = groups.length > 1 && isChange(step);
  let part = isCut ? await readPart(connection, NEO4J, { version: step.to.version, cut }) : 0;
  const ahead = new Ahead(groups.slice(part).flat());
  for (; part < groups.length; part += 1) {
    const group = { ...step, limits, cut, before, ahead, queue: [...groups[part]!], part, parts: groups.length };
    if (!(await writeGroup(connection, group))) return false;
  }
  return true;
}

/** Returns whether a step is a change: after a crash only a change has the same parts, a range is compared anew. */
function isChange({ from, to }: SlicedStep): boolean {
  return to.version !== from.version;
}

interface GroupStep extends SlicedStep {
  readonly limits: TransactionLimits;
  /** The sizes by which the step is cut. */
  readonly cut: string;
  readonly before: Before;
  readonly ahead: Ahead;
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
      step.before.forget();
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
  const { from, to, cut, queue, part, parts } = step;
  const cursor = await holdCursor(tx, NEO4J, from, step.before.holder);
  if (cursor === null) return null;
  if (parts > 1 && isChange(step) && cursor.partOf({ version: to.version, cut }) > part) return null;
  const last = await step.before.read(tx, cursor);
  const writing = { whole: step.whole ?? true, touched: new Set<number>(), last };
  const pause = slicer();
  let written = 0;
  for (let bytes = 0; written < Math.min(most, queue.length); ) {
    const slice = await step.ahead.take(queue[written]!);
    const sum = bytes + (slice.bytes ?? 0);
    if (sum > step.limits.bytes) {
      if (written > 0) break;
      if (halveFirst(queue)) continue;
    }
    bytes = sum;
    written += 1;
    begun(written);
    await slice.write(tx, writing);
    await pause();
  }
  countKeys(tx, writing.touched);
  if (written < queue.length) return written;
  if (part === parts - 1) moveCursor(tx, NEO4J, { to, tally: step.tally?.(cursor.tally) ?? null });
  else if (isChange(step)) moveWithin(tx, NEO4J, { version: to.version, cut, part: part + 1 });
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
