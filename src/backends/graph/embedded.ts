import type { LedgerOptions } from '../../ledger/ledger.js';
import type { Store } from '../store/scope.js';
import { LedgerGraph } from './ledger-graph.js';
import { TopologyEngine } from './topology/topology-engine.js';

/** The graph with its topology in the memory of this process. */
export class EmbeddedBackend extends LedgerGraph {
  constructor(store: Store, options: LedgerOptions = {}) {
    super(store, new TopologyEngine(store), options);
  }
}
