import type { GraphEdge } from '../../core/model.js';

/** `from` is the cause: credit of `to` flows to it. */
export interface CausalEdge {
  readonly from: string;
  readonly to: string;
  /** Confidence × the relation's base strength, 0..1. */
  readonly strength: number;
}

interface Meaning {
  readonly forward: boolean;
  readonly base: number;
}

/** What relations mean causally. CONTRADICTS, SIMILAR_TO, ALTERNATIVE_TO and unknown relations mean nothing. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  REQUIRES: { forward: true, base: 0.9 },
  USES: { forward: true, base: 0.75 },
  SUPPORTS: { forward: true, base: 0.7 },
  CHALLENGES: { forward: true, base: 0.7 },
  IMPLEMENTS: { forward: false, base: 0.85 },
  REFINES: { forward: false, base: 0.8 },
  PART_OF: { forward: false, base: 0.8 },
};

type Typed = Pick<GraphEdge, 'id' | 'source_id' | 'target_id' | 'relation_type' | 'confidence'>;

interface Arc extends CausalEdge {
  readonly id: string;
}

/**
 * Returns the causal graph of typed edges without cycles: while one is left, the weakest edge that lies on a cycle is
 * removed (of equal ones the one with the lowest id). Of several edges between two nodes in one direction the strongest
 * counts.
 */
export function causalDag(edges: readonly Typed[]): CausalEdge[] {
  const arcs = strongestArcs(edges).sort((a, b) => (weaker(a, b) ? 1 : -1));
  const dropped = cycleClosers(arcs);
  return arcs
    .filter((_, index) => !dropped.has(index))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ from, to, strength }) => ({ from, to, strength }));
}

/**
 * Finds the edges to drop. An edge is dropped exactly if its endpoints are strongly connected by itself and the edges
 * stronger than it: a weaker edge that was kept lies on no cycle, so it never matters. The step at which that first
 * holds is found for all edges together by halving the order (offline incremental strong components), in O(E log E).
 * `arcs` is sorted, strongest first.
 */
function cycleClosers(arcs: readonly Arc[]): Set<number> {
  const merged = new Map<string, string>();
  const find = (node: string): string => {
    let root = node;
    for (let up = merged.get(root); up !== undefined; up = merged.get(root)) root = up;
    for (let at = node; at !== root; ) {
      const up = merged.get(at)!;
      merged.set(at, root);
      at = up;
    }
    return root;
  };
  const dropped = new Set<number>();
  const halve = (low: number, high: number, indexes: readonly number[]): void => {
    if (indexes.length === 0) return;
    if (low === high) {
      if (low === arcs.length) return;
      for (const index of indexes) {
        const [a, b] = [find(arcs[index]!.from), find(arcs[index]!.to)];
        if (a !== b) merged.set(a, b);
        if (index === low) dropped.add(index);
      }
      return;
    }
    const middle = (low + high) >> 1;
    const early = indexes.filter((index) => index <= middle);
    const component = components(early.map((index) => ({ from: find(arcs[index]!.from), to: find(arcs[index]!.to) })));
    const joined = new Set(
      early.filter((index) => component.get(find(arcs[index]!.from)) === component.get(find(arcs[index]!.to))),
    );
    const later = indexes.filter((index) => !joined.has(index));
    halve(low, middle, [...joined]);
    halve(middle + 1, high, later);
  };
  halve(0, arcs.length, [...arcs.keys()]);
  return dropped;
}

function weaker(a: Arc, b: Arc): boolean {
  return a.strength < b.strength || (a.strength === b.strength && a.id < b.id);
}

function strongestArcs(edges: readonly Typed[]): Arc[] {
  const arcs = new Map<string, Arc>();
  for (const edge of edges) {
    const type = edge.relation_type.toUpperCase();
    if (!Object.hasOwn(MEANINGS, type) || edge.source_id === edge.target_id) continue;
    const { forward, base } = MEANINGS[type]!;
    const [from, to] = forward ? [edge.source_id, edge.target_id] : [edge.target_id, edge.source_id];
    const arc: Arc = { id: edge.id, from, to, strength: edge.confidence * base };
    const name = `${from}\0${to}`;
    const other = arcs.get(name);
    if (other === undefined || weaker(other, arc)) arcs.set(name, arc);
  }
  return [...arcs.values()];
}

/** Returns the strongly connected component of every node (Tarjan 1972), without recursion. */
function components(arcs: ReadonlyArray<{ readonly from: string; readonly to: string }>): Map<string, number> {
  const next = new Map<string, string[]>();
  for (const { from, to } of arcs) {
    if (!next.has(to)) next.set(to, []);
    const list = next.get(from);
    if (list === undefined) next.set(from, [to]);
    else list.push(to);
  }
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const component = new Map<string, number>();
  const stack: string[] = [];
  for (const root of next.keys()) {
    if (index.has(root)) continue;
    const path: Array<{ node: string; at: number }> = [{ node: root, at: 0 }];
    while (path.length > 0) {
      const frame = path[path.length - 1]!;
      const { node } = frame;
      if (frame.at === 0) {
        index.set(node, index.size);
        low.set(node, index.get(node)!);
        stack.push(node);
      }
      const child = next.get(node)![frame.at];
      frame.at += 1;
      if (child !== undefined) {
        if (!index.has(child)) path.push({ node: child, at: 0 });
        else if (!component.has(child)) low.set(node, Math.min(low.get(node)!, index.get(child)!));
        continue;
      }
      if (low.get(node) === index.get(node)) {
        for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
          component.set(member, index.get(node)!);
          if (member === node) break;
        }
      }
      path.pop();
      const parent = path[path.length - 1];
      if (parent !== undefined) low.set(parent.node, Math.min(low.get(parent.node)!, low.get(node)!));
    }
  }
  return component;
}
