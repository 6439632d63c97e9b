import { slicer } from '../../../../core/slices.js';
import { TopK } from '../../top-k.js';
import { CHUNK } from '../layout.js';
import { Ranker } from '../ranker.js';
import type { SearchRequest } from '../search-request.js';
import type { Arena } from './arena.js';
import type { CoarseRows } from './coarse-rows.js';

/** A query in 16-bit steps, as the kernel reads it, with what the rounding may cost. */
interface CoarseQuery {
  readonly levels: Int16Array;
  readonly step: number;
  /** Length of the query. */
  readonly norm: number;
  /** Bound on what the query's rounding changes, for a row of scale 1. */
  readonly slack: number;
}

/**
 * Returns the exact k best from a slot on, found with a first look at coarse rows: the true rank of a row lies within a known distance
 * of its coarse one, so only rows whose upper bound reaches the k-th lower bound need their vectors read. Returns them
 * in a `TopK` with everything that ties with its worst; undefined where coarse rows are missing, or rows were removed
 * meanwhile.
 */
export async function scanCoarsely(
  arena: Arena,
  spec: SearchRequest,
  { wanted, from }: { readonly wanted: number; readonly from: number },
): Promise<{ top: TopK; ties: number[] } | undefined> {
  const { coarse } = arena;
  if (coarse === undefined) return undefined;
  const query = coarseQuery(spec.query, coarse.stride);
  const lower = new TopK(wanted);
  const slots: number[] = [];
  const uppers: number[] = [];
  const { mask } = spec.candidates;
  const pause = slicer();
  const end = mask === undefined ? arena.size : Math.min(arena.size, mask.length);
  for (let start = from; start < end; ) {
    const stop = Math.min(end, (Math.floor(start / CHUNK) + 1) * CHUNK);
    const raw = ranksOf(coarse, { query, start, stop });
    if (raw === undefined) return undefined;
    const { alive } = arena;
    const { scales, errors } = coarse;
    for (let slot = start; slot < stop; slot += 1) {
      if (alive[slot] !== 1 || (mask !== undefined && mask[slot] !== 1)) continue;
      const scale = scales[slot]!;
      const rank = raw[slot - start]! * query.step * scale;
      const slack = query.norm * errors[slot]! + query.slack * scale;
      if (rank + slack < lower.floor) continue;
      slots.push(slot);
      uppers.push(rank + slack);
      lower.offer(slot, rank - slack);
    }
    start = stop;
    const waited = pause();
    if (waited !== undefined) await waited;
  }
  return exactly(arena, spec, { wanted, floor: lower.floor, slots, uppers });
}

/** Ranks the rows that may be among the best by their vectors. Without an await: slots do not move meanwhile. */
function exactly(
  arena: Arena,
  spec: SearchRequest,
  found: { wanted: number; floor: number; slots: readonly number[]; uppers: readonly number[] },
): { top: TopK; ties: number[] } | undefined {
  const ranker = new Ranker(arena, spec.query);
  ranker.begin();
  const top = new TopK(found.wanted);
  const ranked: Array<readonly [slot: number, rank: number]> = [];
  for (const [i, slot] of found.slots.entries()) {
    // A row that died since may have raised the bound that others were left out for.
    if (arena.alive[slot] !== 1) return undefined;
    if (found.uppers[i]! < found.floor) continue;
    const rank = ranker.rank(slot);
    ranked.push([slot, rank]);
    top.offer(slot, rank);
  }
  const ties = top.cutsTie ? ranked.flatMap(([slot, rank]) => (rank === top.floor ? [arena.refs[slot]!] : [])) : [];
  return { top, ties };
}

function coarseQuery(query: Float32Array, stride: number): CoarseQuery {
  let largest = 0;
  let squares = 0;
  for (const value of query) {
    squares += value * value;
    largest = Math.max(largest, Math.abs(value));
  }
  // So many steps that a sum over a whole row stays a 32-bit integer.
  const most = Math.min(32_767, Math.floor(2 ** 31 / (128 * stride)));
  const step = largest / most;
  const levels = new Int16Array(stride);
  let missed = 0;
  query.forEach((value, i) => {
    const level = step === 0 ? 0 : Math.round(value / step);
    levels[i] = level;
    missed += (value - level * step) ** 2;
  });
  const rowLength = 127 * Math.sqrt(query.length);
  return { levels, step, norm: Math.sqrt(squares), slack: (Math.sqrt(missed) + 1e-6 * Math.sqrt(squares)) * rowLength };
}

/**
 * Returns integer dot products of the slots from `start` to before `stop`, all in one chunk; valid until the next call.
 */
function ranksOf(
  coarse: CoarseRows,
  { query, start, stop }: { query: CoarseQuery; start: number; stop: number },
): Float32Array | undefined {
  const rows = coarse.rowsAt(start);
  if (rows === undefined) return undefined;
  const { memory, pointer } = rows;
  const area = memory.query.data;
  new Int16Array(area.buffer, area.byteOffset, coarse.stride).set(query.levels);
  memory.coarseDots(memory.query.pointer, pointer, stop - start, coarse.stride, memory.results.pointer);
  return memory.results.data;
}
