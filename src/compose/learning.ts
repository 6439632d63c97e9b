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
import { DomainRankers } from '../learning/ranker/domain-rankers.js';
import { FEATURE_TABLES } from '../retrieval/score/feature-values.js';
import { modelRanker } from '../retrieval/score/ranker.js';
import type { Ranker } from '../retrieval/score/ranker-types.js';

/** What learning works on. */
export interface LearningParts {
  readonly store: Store;
  readonly graph: GraphBackend;
  readonly concepts: ConceptIndexes;
  readonly clock: Clock;
  /** What items are ranked by where no domain learned anything. */
  readonly ranker: Ranker;
}

/** Builds the learners, and the effects of feedback on retrieval. */
export function openLearning({ store, graph, concepts, clock, ranker }: LearningParts, config: Config) {
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
  const model = () => concepts.serving.embedding?.name ?? null;
  const rankers = openDomainRankers(store, { clock, model, ranker });
  const interoception = new Interoception(store, {
    clock,
    interoception: settings,
    model,
    rankers,
    creditWeight: config.credit.enabled ? config.credit.weight : 0,
    conceptsOf: (sourceId) => graph.sourceConcepts(sourceId),
    exists: async ({ domain, source_id }) =>
      source_id === undefined
        ? (await graph.getDomain(domain ?? '')) !== null
        : (await graph.listSources({ source_id, limit: 1 })).length > 0,
  });
  return { learning, feedback, interoception, rankers };
}

/** Builds what learns the ranking of each domain, beginning at the weights of a ranker file. */
export function openDomainRankers(
  store: Store,
  { clock, model, ranker }: { readonly clock: Clock; readonly model: () => string | null; readonly ranker: Ranker },
): DomainRankers {
  const base = () => ({ model: model(), weights: modelRanker(ranker, model()) });
  return new DomainRankers(store, { clock, tables: FEATURE_TABLES, base });
}
