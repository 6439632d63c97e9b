import { slicer } from '../../../core/slices.js';
import { TopK } from '../top-k.js';
import type { Graph } from './graph.js';
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
 * Returns the k best candidates, best first. Exact for few candidates and for rows not yet in the graph; otherwise the
 * graph gets a request for enough neighbours that k should pass, and an exact scan makes up for it when they do not.
 * `ties` are the refs that rank exactly like the last one found, where the cut went through them (else empty).
 */
export async function search(
  arena: Arena,
  graph: Graph | undefined,
  spec: SearchRequest,
): Promise<{ found: RankedRef[]; ties: number[] }> {
  const { candidates, k, limits } = spec;
  const wanted = Math.min(k, candidates.count);
  if (wanted === 0) return { found: [], ties: [] };
  const requested = candidates.mask === undefined ? k : Math.ceil(((k * arena.live) / candidates.count) * 1.5) + 8;
  const rest = arena.slotAfter(graph?.lastRef ?? 0);
  // A graph that lacks much is no help yet: one scan of everything costs less than a search and a scan of the rest.
  const far = graph === undefined || graph.live === 0 || arena.size - rest > limits.exactBelow;
  if (!far && candidates.count >= limits.exactBelow && requested <= MOST_FROM_GRAPH) {
    const top = new TopK(wanted);
    offerFromGraph(arena, top, { graph, requested, ...spec });
    await scan(arena, spec, { from: rest, visit: (slot, rank) => top.offer(slot, rank) });
    if (top.size >= wanted) return { found: collected(arena, top), ties: [] };
  }
  const worth = candidates.count >= COARSE_FROM && candidates.count >= DENSE * arena.size;
  const coarse = worth ? await scanCoarsely(arena, spec, wanted) : undefined;
  if (coarse !== undefined) return { found: collected(arena, coarse.top), ties: coarse.ties };
  const top = new TopK(wanted);
  await scan(arena, spec, { from: 0, visit: (slot, rank) => top.offer(slot, rank) });
  const ties: number[] = [];
  if (top.cutsTie) {
    await scan(arena, spec, { from: 0, visit: (slot, rank) => rank === top.floor && ties.push(arena.refs[slot]!) });
  }
  return { found: collected(arena, top), ties };
}

function offerFromGraph(arena: Arena, top: TopK, spec: SearchRequest & { graph: Graph; requested: number }): void {
  const { query, candidates, requested, limits } = spec;
  const ranker = new Ranker(arena, query);
  ranker.begin();
  for (const ref of spec.graph.search(query, requested, Math.max(limits.ef, Math.ceil(requested * 1.5)))) {
    const slot = arena.slotOf(ref);
    if (slot < 0 || (candidates.mask !== undefined && candidates.mask[slot] !== 1)) continue;
    top.offer(slot, ranker.rank(slot));
  }
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
  const pause = slicer(8);
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
