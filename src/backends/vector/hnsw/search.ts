import { slicer } from '../../../core/async/slices.js';
import { TopK } from '../top-k.js';
import type { Segments } from './graph/segments.js';
import { CHUNK } from './layout.js';
import { Ranker } from './ranker.js';
import type { Arena } from './scan/arena.js';
import { scanCoarsely } from './scan/coarse-scan.js';
import type { Candidates, SearchRequest } from './search-request.js';

export interface RankedRef {
  readonly ref: number;
  /** Single precision: good for order, not for showing. */
  readonly rank: number;
}

const MOST_FROM_GRAPH = 1000;
/** From this share of candidates on, ranking all rows of a chunk at once is faster than each alone. */
const DENSE = 0.2;
/** From this number of candidates on, a first look at coarse rows saves more than it costs. */
const COARSE_FROM = 1000;

/**
 * Returns the k best candidates, best first. Exact for few candidates and for rows that no graph has; otherwise each
 * graph gets a request for enough neighbours that k should pass, and an exact scan makes up for it when they do not.
 * `ties` are the refs that rank exactly like the last one found, where the cut went through them (else empty).
 */
export async function search(
  arena: Arena,
  graphs: Segments | undefined,
  spec: SearchRequest,
): Promise<{ found: RankedRef[]; ties: number[] }> {
  const { candidates, k, limits } = spec;
  const wanted = Math.min(k, candidates.count);
  if (wanted === 0) return { found: [], ties: [] };
  const requested = candidates.mask === undefined ? k : Math.ceil(((k * arena.live) / candidates.count) * 1.5) + 8;
  const rest = arena.slotAfter(graphs?.lastRef ?? 0);
  // Graphs that lack most are no help: one scan of everything costs little more than theirs and a scan of the rest.
  const help = graphs !== undefined && graphs.live > 0 && arena.size - rest <= Math.max(limits.exactBelow, rest);
  if (help && candidates.count >= limits.exactBelow && requested <= MOST_FROM_GRAPH) {
    const top = new TopK(wanted);
    offerFromGraphs(arena, top, { graphs, requested, ...spec });
    await offerRest(arena, top, { rest, wanted, ...spec });
    if (top.size >= wanted) return { found: collected(arena, top), ties: [] };
  }
  const coarse = isDense(arena, spec, 0) ? await scanCoarsely(arena, spec, { wanted, from: 0 }) : undefined;
  if (coarse !== undefined) return { found: collected(arena, coarse.top), ties: coarse.ties };
  const top = new TopK(wanted);
  await scan(arena, spec, { from: 0, visit: (slot, rank) => top.offer(slot, rank) });
  const ties: number[] = [];
  if (top.cutsTie) {
    await scan(arena, spec, { from: 0, visit: (slot, rank) => rank === top.floor && ties.push(arena.refs[slot]!) });
  }
  return { found: collected(arena, top), ties };
}

/** Returns whether so many slots from `from` on are candidates that a first look at coarse rows saves time. */
function isDense(arena: Arena, { candidates: { count } }: SearchRequest, from: number): boolean {
  return arena.size - from >= COARSE_FROM && count >= COARSE_FROM && count >= DENSE * arena.size;
}

function offerFromGraphs(arena: Arena, top: TopK, spec: SearchRequest & { graphs: Segments; requested: number }): void {
  const { query, candidates, requested, limits } = spec;
  const ranker = new Ranker(arena, query);
  ranker.begin();
  for (const ref of spec.graphs.search(query, requested, Math.max(limits.ef, Math.ceil(requested * 1.5)))) {
    const slot = arena.slotOf(ref);
    if (slot < 0 || (candidates.mask !== undefined && candidates.mask[slot] !== 1)) continue;
    top.offer(slot, ranker.rank(slot));
  }
}

/** Offers the best of the rows that no graph has. */
async function offerRest(arena: Arena, top: TopK, spec: SearchRequest & { rest: number; wanted: number }) {
  const { rest, wanted } = spec;
  const coarse = isDense(arena, spec, rest) ? await scanCoarsely(arena, spec, { wanted, from: rest }) : undefined;
  if (coarse === undefined) await scan(arena, spec, { from: rest, visit: (slot, rank) => top.offer(slot, rank) });
  else for (const { item, rank } of coarse.top.sorted()) top.offer(item, rank);
}

/** Ranks the candidates from a slot on, chunk by chunk, giving way to the event loop. */
async function scan(
  arena: Arena,
  spec: SearchRequest,
  options: { from: number; visit: (slot: number, rank: number) => unknown },
): Promise<void> {
  const { mask, count } = spec.candidates;
  const { visit } = options;
  const ranker = new Ranker(arena, spec.query);
  const pause = slicer('urgent');
  const end = mask === undefined ? arena.size : Math.min(arena.size, mask.length);
  const dense = mask === undefined || count >= DENSE * arena.size;
  for (let start = options.from; start < end; ) {
    const stop = Math.min(end, (Math.floor(start / CHUNK) + 1) * CHUNK);
    const { alive } = arena;
    ranker.begin();
    if (dense) {
      const ranks = ranker.ranks(start, stop);
      for (let slot = start; slot < stop; slot += 1) {
        if (alive[slot] === 1 && (mask === undefined || mask[slot] === 1)) visit(slot, ranks[slot - start]!);
      }
    } else {
      for (let slot = start; slot < stop; slot += 1) {
        if (mask[slot] === 1 && alive[slot] === 1) visit(slot, ranker.rank(slot));
      }
    }
    start = stop;
    const waited = pause();
    if (waited !== undefined) await waited;
  }
}

function collected(arena: Arena, top: TopK): RankedRef[] {
  return top.sorted().map(({ item, rank }) => ({ ref: arena.refs[item]!, rank }));
}

/** Returns the candidates of partitions and of a filter's mask (both optional). */
export function candidatesOf(
  arena: Arena,
  partitions: readonly string[] | undefined,
  mask: Uint8Array | undefined,
): Candidates {
  const codes = partitions === undefined ? undefined : codesOf(arena, partitions);
  if (codes === undefined && mask === undefined) return { count: arena.live, mask: undefined };
  const { alive, partitions: codeAt } = arena;
  if (codes !== undefined && mask === undefined) {
    const count = codes.list.reduce((sum, code) => sum + arena.partitionCount(code), 0);
    if (count === arena.live) return { count, mask: undefined };
  }
  const passes = mask ?? new Uint8Array(arena.size).fill(1);
  let count = 0;
  for (let slot = 0; slot < passes.length; slot += 1) {
    if (passes[slot] !== 1) continue;
    if (alive[slot] === 1 && (codes === undefined || codes.has[codeAt[slot]!] === 1)) count += 1;
    else passes[slot] = 0;
  }
  return { count, mask: passes };
}

function codesOf(arena: Arena, partitions: readonly string[]): { list: number[]; has: Uint8Array } {
  const list = [...new Set(partitions)].flatMap((name) => arena.partitionCode(name) ?? []);
  const has = new Uint8Array(list.reduce((most, code) => Math.max(most, code + 1), 1));
  for (const code of list) has[code] = 1;
  return { list, has };
}
