import type { GraphBackend } from '../backends/graph/port.js';
import { openSqlite } from '../backends/store/engine/sqlite.js';
import type { Store } from '../backends/store/scope.js';
import type { Config } from '../config.js';
import type { Clock } from '../core/clock.js';
import { textHash } from '../core/ids.js';
import type { ConceptIndexes } from '../ingest/index/concept-indexes.js';
import { Credit } from '../learning/credit/credit.js';
import { Feedback } from '../learning/feedback/feedback.js';
import { Interoception } from '../learning/feedback/interoception.js';
import { Learning } from '../learning/learning.js';

/** What learning works on. */
export interface LearningParts {
  readonly store: Store;
  readonly graph: GraphBackend;
  readonly concepts: ConceptIndexes;
  readonly clock: Clock;
}

/** Builds the learners, and the effects of feedback on retrieval. */
export function openLearning({ store, graph, concepts, clock }: LearningParts, config: Config) {
  const settings = config.interoception;
  const retention = { maxAgeDays: config.learning.retention_days, maxRows: config.learning.retention_rows };
  const learning = new Learning(store, {
    clock,
    outcomes: config.learning.outcomes,
    learners: config.learners as never,
    retention,
    openStore: openSqlite,
  });
  const feedback = new Feedback(store, {
    clock,
    interoception: settings,
    textsOf: async (ids) => new Map((await graph.getNodes(ids)).map((node) => [node.id, textHash(node)])),
    credit: config.credit.enabled ? new Credit(graph) : null,
    retention,
  });
  const interoception = new Interoception(store, {
    clock,
    interoception: settings,
    model: () => concepts.serving.embedding?.name ?? null,
    creditWeight: config.credit.enabled ? config.credit.weight : 0,
    conceptsOf: (sourceId) => graph.sourceConcepts(sourceId),
  });
  return { learning, feedback, interoception };
}
