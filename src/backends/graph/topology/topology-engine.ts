import { SvcError } from '../../../core/errors.js';
import type { Json } from '../../../core/model.js';
import { CurrentVersion } from '../../../ledger/read/current-version.js';
import type { Store } from '../../store/scope.js';
import type {
  EnginePprOptions,
  GraphEngine,
  Hop,
  HopOptions,
  NeighbourhoodOptions,
  NumberedScores,
  NumberedSeed,
  Surroundings,
} from '../engine.js';
import { hopAround } from './hop.js';
import { Pagerank } from './pagerank.js';
import { Replica } from './replica.js';
import { surroundings } from './surroundings.js';

/** The topology in this process, kept up to date by the ledger's changes: no answer is older than the last commit. */
export class TopologyEngine implements GraphEngine {
  readonly ppr = 'push';
  readonly follower = null;
  private readonly replica: Replica;
  private readonly pagerank = new Pagerank();

  /** `kind`: the graph's name in status. */
  constructor(
    store: Store,
    readonly kind: 'embedded' | 'memory' = 'embedded',
  ) {
    this.replica = new Replica(store.db, new CurrentVersion(store));
  }

  /** Loads the topology, so that the first query need not. */
  async connect(): Promise<void> {
    await this.replica.fresh();
  }

  async disconnect(): Promise<void> {
    this.replica.drop();
  }

  async health(): Promise<void> {}

  expand(nodes: readonly number[], { domains, ...options }: HopOptions): Promise<Hop> {
    return this.replica.read(async (topology) => {
      const slots = nodes
        .map((ref) => topology.nodes.find(ref))
        .filter((slot) => slot >= 0 && (domains === null || domains.has(topology.domains[slot]!)));
      return hopAround(topology, { slots, ...options });
    });
  }

  neighbourhood(node: number, options: NeighbourhoodOptions): Promise<Surroundings | null> {
    return this.replica.read(async (topology) => surroundings(topology, node, options));
  }

  personalizedPagerank(seeds: readonly NumberedSeed[], options: EnginePprOptions): Promise<NumberedScores> {
    return this.replica.read((topology) => this.pagerank.run(topology, seeds, options));
  }

  async query(): Promise<Array<Record<string, Json>>> {
    throw new SvcError('unsupported', `The ${this.kind} graph has no query language; use SVC_GRAPH=neo4j for Cypher.`);
  }
}
