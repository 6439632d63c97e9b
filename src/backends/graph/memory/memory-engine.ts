import { systemClock } from '../../../core/clock.js';
import { SvcError } from '../../../core/errors.js';
import type { Json } from '../../../core/model.js';
import { FollowerRunner } from '../../../ledger/followers/runner.js';
import type { Store } from '../../store/scope.js';
import type {
  EnginePprOptions,
  GraphEngine,
  Hop,
  HopOptions,
  NumberedScores,
  NumberedSeed,
  Surroundings,
} from '../engine.js';
import { scaled } from '../ppr.js';
import { MemoryFollower } from './memory-follower.js';
import { memoryHop, memorySurroundings } from './memory-hop.js';
import { MemoryView } from './memory-view.js';

/** The reference engine: the shape of the graph in maps, answers written down as they are defined. For tests. */
export class MemoryEngine implements GraphEngine {
  readonly kind = 'memory';
  readonly ppr = 'push';
  readonly follower = null;
  private readonly runner: FollowerRunner;
  private readonly graph = new MemoryFollower();
  private view: { readonly of: number; readonly view: MemoryView } | undefined;

  constructor(store: Store) {
    this.runner = new FollowerRunner(this.graph, store, systemClock);
  }

  async connect(): Promise<void> {
    await this.runner.catchUp();
  }

  async disconnect(): Promise<void> {}

  async health(): Promise<void> {}

  async expand(nodes: readonly number[], options: HopOptions): Promise<Hop> {
    return memoryHop(await this.current(), nodes, options);
  }

  async neighbourhood(
    node: number,
    options: { readonly depth: number; readonly limit: number },
  ): Promise<Surroundings | null> {
    return memorySurroundings(await this.current(), node, options);
  }

  /** Computes scores by power iteration: x = (1 − d)·s + d·(P·x + s·(mass of nodes without arcs)). */
  async personalizedPagerank(seeds: readonly NumberedSeed[], options: EnginePprOptions): Promise<NumberedScores> {
    const view = await this.current();
    const { nodes } = this.graph;
    const version = (await this.graph.cursor())!.version;
    const method = options.epsilon > 0 ? 'push' : 'exact';
    const restart = new Map(seeds.filter(({ ref }) => nodes.has(ref)).map(({ ref, weight }) => [ref, weight]));
    if (restart.size === 0) return { scores: [], method, version };
    const arcs = view.arcs(options.factors);
    let scores = new Map(restart);
    for (let i = 0; i < options.maxIterations; i += 1) {
      const next = iterate(arcs, scores, { restart, damping: options.damping });
      const change = [...next].reduce((sum, [ref, score]) => sum + Math.abs(score - (scores.get(ref) ?? 0)), 0);
      scores = next;
      if (change < options.tolerance) break;
    }
    const highest = Math.max(...scores.values());
    const all = [...scores].map(([ref, score]) => [ref, scaled(score, highest)] as const);
    const ordered = all
      .filter(([, score]) => score > 0)
      .sort((a, b) => b[1] - a[1] || nodes.get(a[0])!.hash - nodes.get(b[0])!.hash);
    return { scores: ordered.slice(0, options.limit), method, version };
  }

  async query(): Promise<Array<Record<string, Json>>> {
    throw new SvcError('unsupported', 'The graph in memory has no query language; use SVC_GRAPH=neo4j for Cypher.');
  }

  private async current(): Promise<MemoryView> {
    await this.runner.catchUp();
    const { version } = (await this.graph.cursor())!;
    if (this.view?.of !== version) this.view = { of: version, view: new MemoryView(this.graph) };
    return this.view.view;
  }
}

function iterate(
  arcs: ReadonlyMap<number, ReadonlyMap<number, number>>,
  scores: ReadonlyMap<number, number>,
  { restart, damping }: { readonly restart: ReadonlyMap<number, number>; readonly damping: number },
): Map<number, number> {
  const next = new Map<number, number>();
  let dangling = 0;
  for (const [ref, score] of scores) {
    const neighbours = arcs.get(ref)!;
    const degree = [...neighbours.values()].reduce((sum, weight) => sum + weight, 0);
    if (degree === 0) dangling += score;
    for (const [other, weight] of neighbours)
      next.set(other, (next.get(other) ?? 0) + (damping * score * weight) / degree);
  }
  for (const [ref, share] of restart) next.set(ref, (next.get(ref) ?? 0) + (1 - damping + damping * dangling) * share);
  return next;
}
