import { MAX_ABOUT, MAX_ALIASES } from '../../../ledger/key-limits.js';
import { PASSAGE } from '../../../ledger/tables.js';
import type { EdgeFactors } from '../engine.js';
import { entityWeight, LINK_WEIGHT, mentionWeight } from '../weights.js';
import type { MemoryFollower } from './memory-follower.js';

/** What follows from the maps, derived again for each version: simple and slow on purpose. */
export class MemoryView {
  /** Key → nodes that are about it now. */
  readonly about = new Map<number, ReadonlySet<number>>();
  /** Key → passages that mention it. */
  readonly mentioned = new Map<number, Map<number, number>>();
  private readonly passages = new Map<number, number>();

  constructor(readonly graph: MemoryFollower) {
    for (const { domain, kind } of graph.nodes.values()) {
      if (kind === PASSAGE) this.passages.set(domain, (this.passages.get(domain) ?? 0) + 1);
    }
    for (const key of graph.keyNodes.keys()) {
      this.about.set(key, aboutNow(graph.about.get(key)));
      this.mentioned.set(key, new Map());
    }
    for (const [passage, keys] of graph.mentions) {
      for (const [key, tf] of keys) this.mentioned.get(key)?.set(passage, tf);
    }
  }

  /** Returns the nodes that mentions of a key link to: none where too many are about it. */
  targetsOf(key: number): ReadonlySet<number> {
    const about = this.about.get(key) ?? new Set();
    return about.size <= MAX_ABOUT ? about : new Set();
  }

  /** Returns the passages that mention a key or are about it. */
  passagesOf(key: number): Set<number> {
    const all = new Set(this.mentioned.get(key)?.keys());
    for (const node of this.about.get(key) ?? []) if (this.graph.nodes.get(node)?.kind === PASSAGE) all.add(node);
    return all;
  }

  /** Returns the passages that link to a node. */
  sourcesOf(node: number): Set<number> {
    const sources = new Set<number>();
    for (const key of this.about.keys()) {
      if (!this.targetsOf(key).has(node)) continue;
      for (const from of this.mentioned.get(key)!.keys()) if (from !== node) sources.add(from);
    }
    return sources;
  }

  /** Returns node → neighbour → weight, both directions of every arc. */
  arcs(factors: EdgeFactors): Map<number, Map<number, number>> {
    const { graph } = this;
    const arcs = new Map([...graph.nodes.keys()].map((ref) => [ref, new Map<number, number>()]));
    const connect = (a: number, b: number, weight: number): void => {
      if (a === b || weight <= 0) return;
      arcs.get(a)?.set(b, (arcs.get(a)!.get(b) ?? 0) + weight);
      arcs.get(b)?.set(a, (arcs.get(b)!.get(a) ?? 0) + weight);
    };
    for (const [key, node] of graph.keyNodes) {
      const about = this.about.get(key)!;
      const passages = this.passagesOf(key);
      const weight = entityWeight(passages.size, this.passages.get(graph.nodes.get(node)?.domain ?? 0) ?? 0);
      const mentioned = this.mentioned.get(key)!;
      for (const passage of passages) {
        connect(node, passage, weight * mentionWeight(mentioned.get(passage) ?? 1, about.has(passage)));
      }
      const targets = this.targetsOf(key);
      for (const from of mentioned.keys()) for (const to of targets) connect(from, to, LINK_WEIGHT / targets.size);
    }
    for (const [ref, { src, dst, confidence }] of graph.edges) connect(src, dst, confidence! * (factors.get(ref) ?? 1));
    return arcs;
  }
}

/** Returns the nodes that are about a key now: titles win; aliases count while at most three share one. */
function aboutNow(arcs: ReadonlyMap<number, number> | undefined): ReadonlySet<number> {
  const all = [...(arcs ?? [])];
  const titles = all.filter(([, alias]) => alias === 0);
  const chosen = titles.length > 0 ? titles : all.length <= MAX_ALIASES ? all : [];
  return new Set(chosen.map(([node]) => node));
}
