import type { EnginePprOptions, NumberedScores, NumberedSeed } from '../engine.js';
import { bestScored, exactPagerank, PushScratch, pushPagerank, type Scored, type SeedWeights } from '../ppr.js';
import type { Topology } from './topology.js';
import { Walk } from './walk.js';

/** Arrays that are kept for the next calls, sets of them. */
const SPARE = 2;

/** PageRank over the topology: push for queries, power iteration for `epsilon` 0. */
export class Pagerank {
  private walk: { readonly of: Topology; readonly walk: Walk } | undefined;
  /** Arrays that no call uses now. */
  private readonly spare: PushScratch[] = [];
  private running = 0;

  async run(topology: Topology, seeds: readonly NumberedSeed[], options: EnginePprOptions): Promise<NumberedScores> {
    const { damping, epsilon, tolerance, maxIterations } = options;
    const method = epsilon > 0 ? 'push' : 'exact';
    const { version } = topology;
    const known = seeds.flatMap(({ ref, weight }) => {
      const slot = topology.nodes.find(ref);
      return slot < 0 ? [] : [{ slot, weight }];
    });
    if (known.length === 0) return { scores: [], method, version };
    const total = known.reduce((sum, { weight }) => sum + weight, 0);
    const restart = { nodes: known.map(({ slot }) => slot), weights: known.map(({ weight }) => weight / total) };
    const walk = this.walkOf(topology, options.factors);
    this.running += 1;
    try {
      const scored =
        epsilon > 0
          ? await this.push(walk, restart, { damping, epsilon })
          : await exactPagerank(walk, restart, { damping, tolerance, maxIterations });
      const best = bestScored(scored, options.limit, (slot) => topology.hashes[slot]!);
      return { scores: best.map(([slot, score]) => [topology.nodes.refs[slot]!, score] as const), method, version };
    } finally {
      this.running -= 1;
    }
  }

  private async push(
    walk: Walk,
    restart: SeedWeights,
    options: { readonly damping: number; readonly epsilon: number },
  ): Promise<Scored> {
    const free = this.spare.pop();
    const scratch = free !== undefined && free.size >= walk.size ? free : new PushScratch(Math.ceil(walk.size * 1.25));
    const scored = await pushPagerank(walk, restart, { ...options, scratch });
    if (this.spare.length < SPARE) this.spare.push(scratch);
    return scored;
  }

  /** Returns the walk of a topology; one of its own while another call walks by other factors. */
  private walkOf(topology: Topology, factors: ReadonlyMap<number, number>): Walk {
    const known = this.walk;
    if (known?.of === topology && (this.running === 0 || known.walk.goesBy(factors)))
      return known.walk.prepare(factors);
    const walk = new Walk(topology).prepare(factors);
    this.walk = { of: topology, walk };
    return walk;
  }
}
