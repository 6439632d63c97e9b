import { slicer } from '../../../core/slices.js';
import type { Metric } from '../port.js';
import { rankingOf } from '../score.js';
import { TopK } from '../top-k.js';
import type { Arena } from './arena.js';
import type { Graph } from './graph.js';

/** Which slots a search may return: `mask` by slot, or partition codes, or every live one. */
export interface Candidates {
  readonly count: number;
  readonly mask: Uint8Array | undefined;
}

export interface Found {
  readonly ref: number;
  readonly rank: number;
}

export interface SearchLimits {
  /** Fewer candidates than this are always scanned exactly. */
  readonly exactBelow: number;
  /** The least number of candidates that a graph search keeps in view. */
  readonly ef: number;
}

const SLICE = 4096;
const MOST_FROM_GRAPH = 1000;

/**
 * The k best candidates, best first. Exact for few candidates and for rows not yet in the graph; otherwise the graph
 * is asked for enough neighbours that k should pass, and an exact scan makes up for it when they do not.
 * `ties` are the refs that rank exactly like the last one found, where the cut went through them (else empty).
 */
export async function search(
  arena: Arena,
  graph: Graph | undefined,
  spec: { query: Float32Array; k: number; metric: Metric; candidates: Candidates; limits: SearchLimits },
): Promise<{ found: Found[]; ties: number[] }> {
  const { candidates, k, limits } = spec;
  const wanted = Math.min(k, candidates.count);
  if (wanted === 0) return { found: [], ties: [] };
  const asked = Math.ceil(((k * arena.live) / candidates.count) * 1.5) + 8;
  if (graph !== undefined && candidates.count >= limits.exactBelow && asked <= MOST_FROM_GRAPH && graph.live > 0) {
    const top = fromGraph(arena, graph, { ...spec, asked: candidates.mask === undefined ? k : asked });
    await scan(arena, top, { ...spec, from: arena.slotAfter(graph.lastRef) });
    if (top.size >= wanted) return { found: collected(arena, top), ties: [] };
  }
  const top = new TopK(wanted);
  await scan(arena, top, { ...spec, from: 0 });
  const ties = top.cutsTie ? await tied(arena, top.floor, spec) : [];
  return { found: collected(arena, top), ties };
}

function fromGraph(
  arena: Arena,
  graph: Graph,
  spec: { query: Float32Array; k: number; metric: Metric; candidates: Candidates; limits: SearchLimits; asked: number },
): TopK {
  const { query, candidates, asked, limits } = spec;
  const rank = rankingOf(spec.metric);
  const top = new TopK(Math.min(spec.k, candidates.count));
  for (const ref of graph.search(query, asked, Math.max(limits.ef, Math.ceil(asked * 1.5)))) {
    const slot = arena.slotOf(ref);
    if (slot < 0 || (candidates.mask !== undefined && candidates.mask[slot] !== 1)) continue;
    top.offer(slot, rank(query, arena.chunkAt(slot), arena.offsetAt(slot), arena.dimension));
  }
  return top;
}

async function scan(
  arena: Arena,
  top: TopK,
  spec: { query: Float32Array; metric: Metric; candidates: Candidates; from: number },
): Promise<void> {
  const rank = rankingOf(spec.metric);
  await each(arena, spec, (slot) => {
    top.offer(slot, rank(spec.query, arena.chunkAt(slot), arena.offsetAt(slot), arena.dimension));
  });
}

/** Refs of every candidate with exactly this rank. */
async function tied(
  arena: Arena,
  floor: number,
  spec: { query: Float32Array; metric: Metric; candidates: Candidates },
): Promise<number[]> {
  const rank = rankingOf(spec.metric);
  const refs: number[] = [];
  await each(arena, { ...spec, from: 0 }, (slot) => {
    const value = rank(spec.query, arena.chunkAt(slot), arena.offsetAt(slot), arena.dimension);
    if (value === floor) refs.push(arena.refs[slot]!);
  });
  return refs;
}

/** Visits the candidates from a slot on, giving way to the event loop every few thousand. */
async function each(
  arena: Arena,
  spec: { candidates: Candidates; from: number },
  visit: (slot: number) => void,
): Promise<void> {
  const pause = slicer(8);
  const { mask } = spec.candidates;
  const end = mask === undefined ? arena.size : Math.min(arena.size, mask.length);
  for (let start = spec.from; start < end; start += SLICE) {
    const stop = Math.min(end, start + SLICE);
    const { alive } = arena;
    if (mask === undefined) {
      for (let slot = start; slot < stop; slot += 1) if (alive[slot] === 1) visit(slot);
    } else {
      for (let slot = start; slot < stop; slot += 1) if (mask[slot] === 1 && alive[slot] === 1) visit(slot);
    }
    const waited = pause();
    if (waited !== undefined) await waited;
  }
}

function collected(arena: Arena, top: TopK): Found[] {
  return top.sorted().map(({ item, rank }) => ({ ref: arena.refs[item]!, rank }));
}

/** Candidates of partitions and of a filter's mask (both optional). */
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
