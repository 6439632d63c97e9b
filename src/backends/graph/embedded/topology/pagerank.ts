import type { Kysely } from 'kysely';
import type { Database } from '../../../store/schema.js';
import { compare } from '../../manifest/asserted.js';
import type { PprOptions, PprResult, PprSeed } from '../../port.js';
import { bestScored, exactPagerank, PushScratch, pushPagerank, type Seeds } from '../../ppr.js';
import {
  DEFAULT_DAMPING,
  DEFAULT_EPSILON,
  DEFAULT_ITERATIONS,
  DEFAULT_LIMIT,
  DEFAULT_TOLERANCE,
} from '../../weights.js';
import { idsOfSlots, slotsOfIds } from '../read/ids.js';
import type { Topology } from './topology.js';
import { Walk } from './walk.js';

/** PageRank over the topology: push for queries, power iteration for `epsilon` 0. */
export class Pagerank {
  private walk: { readonly of: Topology; readonly walk: Walk } | undefined;
  private scratch = new PushScratch(0);

  constructor(private readonly db: Kysely<Database>) {}

  async run(
    topology: Topology,
    seeds: readonly PprSeed[],
    {
      options,
      domains,
      factors,
    }: {
      readonly options: PprOptions;
      readonly domains: ReadonlySet<number> | null;
      readonly factors: ReadonlyMap<number, number>;
    },
  ): Promise<PprResult> {
    const epsilon = options.epsilon ?? DEFAULT_EPSILON;
    const method = epsilon > 0 ? 'push' : 'exact';
    const slots = await slotsOfIds(this.db, topology, { ids: seeds.map((seed) => seed.id), domains });
    const version = topology.version;
    const restart = seedsOf(seeds, slots);
    if (restart === null) return { scores: new Map(), method, version };
    const walk = this.walkOf(topology).prepare(factors);
    const damping = options.damping ?? DEFAULT_DAMPING;
    const scored =
      epsilon > 0
        ? pushPagerank(walk, restart, { damping, epsilon, scratch: this.scratchFor(walk.size) })
        : await exactPagerank(walk, restart, {
            damping,
            tolerance: options.tolerance ?? DEFAULT_TOLERANCE,
            maxIterations: options.maxIterations ?? DEFAULT_ITERATIONS,
          });
    const best = bestScored(scored, options.limit ?? DEFAULT_LIMIT, (slot) => topology.hashes[slot]!);
    const ids = await idsOfSlots(
      this.db,
      topology,
      best.map(([slot]) => slot),
    );
    const named = best.flatMap(([slot, score]) => {
      const id = ids.get(slot);
      return id === undefined ? [] : [[id, score] as const];
    });
    return { scores: new Map(named.sort((a, b) => b[1] - a[1] || compare(a[0], b[0]))), method, version };
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

/** Known seeds with a positive weight, each once, weights adding up to 1. In the order of slots' ids, so it is repeatable. */
function seedsOf(seeds: readonly PprSeed[], slots: ReadonlyMap<string, number>): Seeds | null {
  const weights = new Map<string, number>();
  for (const { id, weight } of seeds) {
    if (weight > 0 && Number.isFinite(weight) && slots.has(id)) weights.set(id, (weights.get(id) ?? 0) + weight);
  }
  if (weights.size === 0) return null;
  const ordered = [...weights].sort((a, b) => compare(a[0], b[0]));
  const total = ordered.reduce((sum, [, weight]) => sum + weight, 0);
  return { nodes: ordered.map(([id]) => slots.get(id)!), weights: ordered.map(([, weight]) => weight / total) };
}
