import { checkpointsSuite } from './checkpoints.suite.js';
import { openService } from './harness.js';

// The graph in memory is outside the store: there a note made before stands for the transaction.
for (const kind of ['embedded', 'memory']) checkpointsSuite(kind, () => openService({ SVC_GRAPH: kind }));
