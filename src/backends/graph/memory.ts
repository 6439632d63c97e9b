import type { LedgerOptions } from '../../ledger/ledger.js';
import { unmigratedSqlite } from '../store/engine/sqlite.js';
import type { Store } from '../store/scope.js';
import { LedgerGraph } from './ledger-graph.js';
import { TopologyEngine } from './topology/topology-engine.js';

export interface InMemoryOptions extends LedgerOptions {
  /** Where records lie; without it in a SQLite database in memory, which is there once `connect` has resolved. */
  readonly store?: Store;
}

/** Returns the store of a graph, and what makes its tables. */
export function storeOf({ store }: InMemoryOptions): { readonly store: Store; readonly migrate: () => Promise<void> } {
  return store === undefined ? unmigratedSqlite(':memory:') : { store, migrate: () => Promise.resolve() };
}

/** A graph in the memory of this process, for tests and experiments: what is in it is lost with the process. */
export class InMemoryBackend extends LedgerGraph {
  private readonly migrate: () => Promise<void>;

  constructor(options: InMemoryOptions = {}) {
    const { store, migrate } = storeOf(options);
    super(store, new TopologyEngine(store, 'memory'), options);
    this.migrate = migrate;
  }

  override async connect(): Promise<void> {
    await this.migrate();
    await super.connect();
  }
}
