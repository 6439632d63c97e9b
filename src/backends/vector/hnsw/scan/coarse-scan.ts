import { slicer } from '../../../../core/async/slices.js';
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
 * Rows of one chunk that pass the first look, with their upper bounds. Of rows nearly alike all pass; one list of them would be
 * a large object of the heap, and V8 gives those back while everything stands still.
 */
interface Stretch {
  readonly slots: readonly number[];
  readonly uppers: readonly number[];
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
  const found: Stretch[] = [];
  const { mask } = spec.candidates;
  const pause = slicer('urgent');
  const end = mask === undefined ? arena.size : Math.min(arena.size, mask.length);
  for (let start = from; start < end; ) {
    const stop = Math.min(end, (Math.floor(start / CHUNK) + 1) * CHUNK);
    const raw = ranksOf(coarse, { query, start, stop });
    if (raw === undefined) return undefined;
    const { alive } = arena;
    const { scales, errors } = coarse;
    const slots: number[] = [];
    const uppers: number[] = [];
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
    if (slots.length > 0) found.push({ slots, uppers });
    start = stop;
    const waited = pause();
    if (waited !== undefined) await waited;
  }
  return exactly(arena, spec, { wanted, floor: lower.floor, found });
}

/**
 * Ranks the rows that may be among the best by their vectors, giving way to the event loop: of rows nearly alike all pass the
 * first look. Slots do not move meanwhile, because compaction waits for searches.
 */
async function exactly(
  arena: Arena,
  spec: SearchRequest,
  { wanted, floor, found }: { readonly wanted: number; readonly floor: number; readonly found: readonly Stretch[] },
): Promise<{ top: TopK; ties: number[] } | undefined> {
  const ranker = new Ranker(arena, spec.query);
  const top = new TopK(wanted);
  const ranks: Float64Array[] = [];
  const pause = slicer('urgent');
  for (const { slots, uppers } of found) {
    const waited = pause();
    if (waited !== undefined) await waited;
    ranker.begin();
    const own = new Float64Array(slots.length).fill(Number.NaN);
    for (let i = 0; i < slots.length; i += 1) {
      const slot = slots[i]!;
      // A row that died since may have raised the bound that others were left out for.
      if (arena.alive[slot] !== 1) return undefined;
      if (uppers[i]! < floor) continue;
      const rank = ranker.rank(slot);
      own[i] = rank;
      top.offer(slot, rank);
    }
    ranks.push(own);
  }
  const refsOf = ({ slots }: Stretch, own: Float64Array): number[] =>
    slots.filter((_, i) => own[i] === top.floor).map((slot) => arena.refs[slot]!);
  return { top, ties: top.cutsTie ? found.flatMap((stretch, s) => refsOf(stretch, ranks[s]!)) : [] };
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
