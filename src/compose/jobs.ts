import type { Config } from '../config.js';
import type { Manifest } from '../core/model.js';
import type { ConceptIndexes } from '../ingest/index/concept-indexes.js';
import type { Reindex } from '../ingest/index/rebuild.js';
import { removeRetired } from '../ingest/index/retired-indexes.js';
import type { IngestJobs } from '../ingest/jobs/ingest-jobs.js';
import { type LoadPorts, load } from '../ingest/write/load.js';
import { drainOutbox } from '../ingest/write/outbox.js';
import { unlessReplacing } from '../ingest/write/replace-graph.js';
import { Jobs } from '../jobs.js';
import type { Feedback } from '../learning/feedback/feedback.js';
import { collectPairs, promotePairs } from '../learning/feedback/pairs.js';
import type { Learning } from '../learning/learning.js';
import type { DomainRankers } from '../learning/ranker/domain-rankers.js';
import type { RepeatedFailures } from '../telemetry/repeated-failures.js';
import type { ComposedGateway } from './gateway/gateway.js';

const FAILED = 'a background job failed';

/** What the periodic jobs work on. */
export interface JobParts {
  readonly config: Config;
  readonly failures: RepeatedFailures;
  readonly concepts: ConceptIndexes;
  readonly reindex: Reindex;
  readonly learning: Learning;
  readonly feedback: Feedback;
  readonly rankers: DomainRankers;
  readonly gateway: ComposedGateway;
  /** Those that callers asked for. */
  readonly jobs: IngestJobs;
}

/** Starts the periodic jobs; each runs under a lease, so that replicas share the work. */
export function startJobs(ports: LoadPorts, parts: JobParts): Jobs {
  const { store, graph, vectors, clock } = ports;
  const { config, failures, concepts, reindex, learning, feedback, gateway } = parts;
  const periodic = new Jobs(store, {
    clock,
    onError: (job, error) => failures.failed(job, error, FAILED),
    onDone: (job) => failures.worked(job),
  });
  const pairPorts = {
    store,
    clock,
    graph,
    settings: config.interoception,
    vectorsOf: async (ids: readonly string[]) => vectors.fetch((await concepts.current()).indexName, ids),
    load: (manifest: Manifest) => load(ports, manifest),
  };
  periodic.start([
    {
      name: 'outbox',
      every: 10_000,
      run: () => drainOutbox(ports, { minAge: 30_000, onError: (error) => failures.noted('outbox', error, FAILED) }),
    },
    {
      name: 'promotion',
      every: 15_000,
      run: () => unlessReplacing(ports, () => collectPairs(pairPorts).then(() => promotePairs(pairPorts))),
    },
    { name: 'reindex', every: 15_000, run: () => reindex.resume() },
    { name: 'vectors', every: 30_000, run: () => reindex.catchUp().then(() => removeRetired(concepts)) },
    {
      name: 'retention',
      every: 3_600_000,
      run: () => Promise.all([learning.prune(), feedback.prune(), gateway.prune(), parts.jobs.prune()]),
    },
    { name: 'rankers', every: 30_000, run: () => parts.rankers.refit() },
    { name: 'lessons', every: 15_000, run: () => gateway.learning.flush() },
  ]);
  return periodic;
}
