import { randomUUID } from 'node:crypto';
import { systemClock } from '../../core/clock.js';
import { defined } from '../../core/defined.js';
import { isUnavailable } from '../../core/errors.js';
import type { Json } from '../../core/model.js';
import { identityOf } from '../../ledger/changes.js';
import { FollowerRunner } from '../../ledger/followers/runner.js';
import { type Neo4jAddress, Neo4jConnection, type Neo4jOptions } from '../neo4j-connection.js';
import { withLease } from '../store/leases.js';
import type { EngineQueryOptions } from './engine.js';
import { LedgerGraph } from './ledger-graph.js';
import { type InMemoryOptions, storeOf } from './memory.js';
import { bringForward } from './neo4j/legacy/bring-forward.js';
import { findLegacy } from './neo4j/legacy/export.js';
import { Neo4jEngine, type Neo4jEngineOptions } from './neo4j/neo4j-engine.js';

export interface Neo4jBackendOptions extends Neo4jOptions, Neo4jEngineOptions, InMemoryOptions {
  /** A connection that others share, instead of an address. */
  readonly connection?: Neo4jConnection;
  /** True where the caller keeps the engine up to date with the ledger (the service does); default false. */
  readonly followed?: boolean;
  /** Receives a call when a graph of release 0.1 is brought forward. */
  readonly log?: (message: string) => void;
}

const LEASE_MS = 30_000;

/**
 * The graph with its visible part in a Neo4j database: records and provenance lie in the ledger, Neo4j follows it and
 * answers questions about the graph's shape, and raw Cypher. Unless it is followed elsewhere, each question first brings
 * Neo4j up to the last commit before it.
 */
export class Neo4jBackend extends LedgerGraph {
  readonly connection: Neo4jConnection;
  private readonly neo4j: Neo4jEngine;
  private readonly runner: FollowerRunner | null;
  private readonly migrate: () => Promise<void>;
  private readonly options: Neo4jBackendOptions;

  constructor(options?: Neo4jBackendOptions);
  constructor(host: string, port: number, username: string, password: string, options?: Neo4jBackendOptions);
  constructor(
    first: Neo4jBackendOptions | string = {},
    ...[port, username, password, more]: Partial<[number, string, string, Neo4jBackendOptions]>
  ) {
    const options = typeof first === 'string' ? { ...more, ...addressOf(first, port, username, password) } : first;
    const { store, migrate } = storeOf(options);
    const connection = options.connection ?? new Neo4jConnection(options);
    const engine = new Neo4jEngine(connection, { ...options, ledger: identityOf(store.db) });
    super(store, engine, options);
    this.options = options;
    this.connection = connection;
    this.neo4j = engine;
    engine.beforeFollowing = () => this.takeOver();
    this.migrate = migrate;
    this.runner =
      options.followed === true ? null : new FollowerRunner(engine.follower, store, options.clock ?? systemClock);
  }

  /** Connects. An engine that is followed elsewhere may be down: the follower waits for it. */
  override async connect(): Promise<void> {
    await this.migrate();
    try {
      await (this.runner === null ? this.neo4j.ready() : super.connect());
    } catch (error) {
      if (this.runner !== null || !isUnavailable(error)) throw error;
      this.options.log?.(`${error.message} The service starts without it.`);
    }
    await this.runner?.catchUp();
  }

  override isConnected(): boolean {
    return this.runner === null || super.isConnected();
  }

  /** Runs any Cypher; one that writes needs `write: true` and is the caller's own: a resync undoes it. */
  override async query(statement: string, options?: EngineQueryOptions): Promise<Array<Record<string, Json>>> {
    await this.upToDate();
    return super.query(statement, options);
  }

  protected override async upToDate(): Promise<number> {
    const version = await super.upToDate();
    if (this.runner !== null && !this.runner.has(version)) await this.runner.catchUp();
    return version;
  }

  /** Brings a graph of release 0.1 forward; one replica does, the others wait for it. */
  private async takeOver(): Promise<void> {
    const lease = {
      name: 'bring-forward',
      holder: randomUUID(),
      ttl: LEASE_MS,
      clock: this.options.clock ?? systemClock,
    };
    while ((await findLegacy(this.connection)) !== null) {
      const done = await withLease(this.store, lease, () => bringForward(this.connection, this, this.options.log));
      if (done === null) await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

function addressOf(host: string, port?: number, username?: string, password?: string): Neo4jAddress {
  return { host, ...defined({ port, username, password }) };
}
