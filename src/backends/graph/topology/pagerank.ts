import type { EnginePprOptions, NumberedScores, NumberedSeed } from '../engine.js';
import { bestScored, exactPagerank, PushScratch, pushPagerank } from '../ppr.js';
import type { Topology } from './topology.js';
import { Walk } from './walk.js';

/** PageRank over the topology: push for queries, power iteration for `epsilon` 0. */
export class Pagerank {
  private walk: { readonly of: Topology; readonly walk: Walk } | undefined;
  private scratch = new PushScratch(0);

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
    const walk = this.walkOf(topology).prepare(options.factors);
    const scored =
      epsilon > 0
        ? pushPagerank(walk, restart, { damping, epsilon, scratch: this.scratchFor(walk.size) })
        : await exactPagerank(walk, restart, { damping, tolerance, maxIterations });
    const best = bestScored(scored, options.limit, (slot) => topology.hashes[slot]!);
    return { scores: best.map(([slot, score]) => [topology.nodes.refs[slot]!, score] as const), method, version };
  }

  private walkOf(topology: Topology): Walk {
    if (this.walk?.of !== topology) this.walk = { of: topology, walk: new Walk(topology) };
    return this.walk.walk;
  }

  private scratchFor(size: number): PushScratch {
    if (this.scratch.size < size) this.scratch = new PushScratch(Math.ceil(size * 1.25));
    return this.scratch;
  }
}
