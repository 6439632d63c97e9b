import type { Json } from '../../../core/model.js';
import type { Neo4jConnection } from '../../neo4j-connection.js';
import type {
  EnginePprOptions,
  EngineQueryOptions,
  GraphEngine,
  Hop,
  HopOptions,
  NeighbourhoodOptions,
  NumberedScores,
  NumberedSeed,
  Surroundings,
} from '../engine.js';
import { Neo4jFollower } from './follow/neo4j-follower.js';
import { ensureSchema } from './follow/schema.js';
import { NEO4J } from './follow/write-sliced.js';
import { Pagerank, type PprMode } from './pagerank/pagerank.js';
import { expand } from './query/expand.js';
import { jsonOf } from './query/json.js';
import { neighbourhood } from './query/neighbourhood.js';
import { Reader } from './query/reader.js';
import { checkServer } from './server-version.js';

export interface Neo4jEngineOptions {
  /** Which PageRank serves queries; default push, with exact scores by GDS where there is one. `local`: never GDS. */
  readonly ppr?: PprMode;
  /** Nodes and relationships up to which a GDS projection is made within the request that needs it; default 20,000. */
  readonly projectAtOnce?: number;
  /** Returns the id of the ledger whose graph is asked for; without it, questions take any. */
  readonly ledger?: () => Promise<string>;
}

/** The visible graph in a Neo4j database, which follows the ledger. */
export class Neo4jEngine implements GraphEngine {
  readonly kind = NEO4J;
  readonly follower: Neo4jFollower;
  private readonly reader: Reader;
  private readonly pagerank: Pagerank;
  private connected = false;
  private prepared: Promise<void> | null = null;
  /** Runs once before the engine follows: brings an older layout forward. */
  beforeFollowing: () => Promise<void> = async () => undefined;

  constructor(
    readonly connection: Neo4jConnection,
    options: Neo4jEngineOptions = {},
  ) {
    this.follower = new Neo4jFollower(connection, () => this.ready());
    this.reader = new Reader(connection, NEO4J, options.ledger);
    const { ppr: mode = 'local', projectAtOnce } = options;
    this.pagerank = new Pagerank(connection, this.reader, {
      engine: NEO4J,
      mode,
      exactByGds: options.ppr !== 'local',
      projectAtOnce,
    });
  }

  get ppr(): PprMode {
    return this.pagerank.mode;
  }

  /** Waits for the server, then makes what constraints and indexes are missing. */
  async connect(): Promise<void> {
    if (this.connected) return;
    await this.connection.connect();
    try {
      await checkServer(this.connection);
      await ensureSchema(this.connection);
      await this.pagerank.connect();
    } catch (error) {
      await this.connection.disconnect();
      throw error;
    }
    this.connected = true;
  }

  /** Connects where that was not possible so far; quick where the server does not answer. */
  ready(): Promise<void> {
    this.prepared ??= this.prepare().catch((error: unknown) => {
      this.prepared = null;
      throw error;
    });
    return this.prepared;
  }

  private async prepare(): Promise<void> {
    if (!this.connected) {
      await this.connection.health();
      await this.connect();
    }
    await this.beforeFollowing();
  }

  async disconnect(): Promise<void> {
    if (!this.connected) return;
    this.connected = false;
    await this.connection.disconnect();
  }

  health(): Promise<void> {
    return this.connection.health();
  }

  expand(nodes: readonly number[], options: HopOptions): Promise<Hop> {
    return expand(this.reader, nodes, options);
  }

  neighbourhood(node: number, options: NeighbourhoodOptions): Promise<Surroundings | null> {
    return neighbourhood(this.reader, node, options);
  }

  personalizedPagerank(seeds: readonly NumberedSeed[], options: EnginePprOptions): Promise<NumberedScores> {
    return this.pagerank.scores(seeds, options);
  }

  /** Runs any Cypher; one that writes needs `write`. `invalid_input` for mistakes in it. */
  async query(statement: string, options: EngineQueryOptions = {}): Promise<Array<Record<string, Json>>> {
    const { parameters = {}, write = false } = options;
    const rows = await this.connection.query(statement, parameters, write ? { access: 'write' } : {});
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, jsonOf(value)])));
  }
}
