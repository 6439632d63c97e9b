import { PASSAGE } from '../../../ledger/tables.js';
import type { EdgeArc, Hop, HopOptions, Surroundings } from '../engine.js';
import type { MemoryView } from './memory-view.js';

const SHARED_MIN = 2;
const SHARED_MAX = 15;

/** Returns one hop around nodes. */
export function memoryHop(view: MemoryView, given: readonly number[], { domains, limit, factors }: HopOptions): Hop {
  const { nodes, edges } = view.graph;
  const known = given.filter((ref) => nodes.has(ref) && (domains === null || domains.has(nodes.get(ref)!.domain)));
  const bySample = (a: number, b: number): number => nodes.get(a)!.hash - nodes.get(b)!.hash || a - b;
  const passages = known.filter((ref) => nodes.get(ref)!.kind === PASSAGE);
  const out = new Map(passages.map((ref) => [ref, outOf(view, ref, { limit, bySample })]));
  const into = new Map(known.map((ref) => [ref, new Set([...view.sourcesOf(ref)].sort(bySample).slice(0, limit))]));
  const targets = new Map<number, readonly number[]>();
  for (const key of view.about.keys()) {
    const about = [...view.targetsOf(key)];
    if (about.length > 0) targets.set(key, about);
  }
  const inlinks = new Map<number, number>();
  for (const ref of [...known, ...[...out.values()].flatMap((set) => [...set])]) {
    inlinks.set(ref, view.sourcesOf(ref).size);
  }
  const entities = passages.flatMap((passage) => entitiesOf(view, passage));
  const shared = new Map<number, number[]>();
  for (const { key, node, documentFrequency } of entities) {
    if (documentFrequency >= SHARED_MIN && documentFrequency <= SHARED_MAX) shared.set(node, [...view.passagesOf(key)]);
  }
  const arcs = new Map(
    known.map((ref) => {
      const at: EdgeArc[] = [];
      for (const [edge, { src, dst, confidence }] of edges) {
        if (src !== ref && dst !== ref) continue;
        at.push({ ref: edge, other: src === ref ? dst : src, weight: confidence! * (factors.get(edge) ?? 1) });
      }
      at.sort((a, b) => b.weight - a.weight || bySample(a.other, b.other));
      const last = at[limit - 1];
      const kept = at.filter((arc, i) => i < limit || (last !== undefined && equal(arc, last)));
      return [ref, kept] as const;
    }),
  );
  const equal = (a: EdgeArc, b: EdgeArc): boolean =>
    a.weight === b.weight && nodes.get(a.other)!.hash === nodes.get(b.other)!.hash;
  return { out, into, targets, inlinks, entities, shared, edges: arcs };
}

/** Returns the targets of a passage's links: those over the rarest keys first. */
function outOf(
  view: MemoryView,
  passage: number,
  { limit, bySample }: { readonly limit: number; readonly bySample: (a: number, b: number) => number },
): Set<number> {
  const rarest = new Map<number, number>();
  for (const key of view.graph.mentions.get(passage)?.keys() ?? []) {
    const frequency = view.passagesOf(key).size;
    for (const to of view.targetsOf(key)) {
      if (to !== passage) rarest.set(to, Math.min(rarest.get(to) ?? frequency, frequency));
    }
  }
  const ordered = [...rarest].sort((a, b) => a[1] - b[1] || bySample(a[0], b[0]));
  return new Set(ordered.slice(0, limit).map(([to]) => to));
}

function entitiesOf(view: MemoryView, passage: number): Hop['entities'] {
  const mentioned = view.graph.mentions.get(passage);
  return [...view.graph.keyNodes].flatMap(([key, node]) => {
    const title = view.about.get(key)!.has(passage);
    if (!title && mentioned?.has(key) !== true) return [];
    return [{ passage, key, node, documentFrequency: view.passagesOf(key).size, title }];
  });
}

/** Returns nodes and typed edges around a node, by breadth; null where it is absent. */
export function memorySurroundings(
  view: MemoryView,
  node: number,
  { depth, limit }: { readonly depth: number; readonly limit: number },
): Surroundings | null {
  const { nodes, edges } = view.graph;
  if (!nodes.has(node)) return null;
  const distance = new Map([[node, 0]]);
  const hops: number[][] = [[node]];
  for (let hop = 1; hop <= depth; hop += 1) {
    const next = new Set<number>();
    for (const { src, dst } of edges.values()) {
      if (distance.get(src) === hop - 1 && !distance.has(dst)) next.add(dst);
      if (distance.get(dst) === hop - 1 && !distance.has(src)) next.add(src);
    }
    const kept = [...next].sort((a, b) => nodes.get(a)!.hash - nodes.get(b)!.hash).slice(0, limit - distance.size);
    for (const ref of kept) distance.set(ref, hop);
    hops.push(kept);
  }
  const within = (ref: number): number => distance.get(ref) ?? Number.POSITIVE_INFINITY;
  const found = [...edges].filter(([, { src, dst }]) => {
    return distance.has(src) && distance.has(dst) && Math.min(within(src), within(dst)) < depth;
  });
  return { hops, edges: found.map(([ref]) => ref) };
}
