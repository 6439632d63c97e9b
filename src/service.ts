import type { GraphBackend } from './backends/graph/port.js';
import type { Store } from './backends/store/scope.js';
import type { TextIndex } from './backends/text/port.js';
import type { VectorMigrations } from './backends/vector/migrate.js';
import type { NamedIndexes } from './backends/vector/named-indexes.js';
import type { VectorBackend } from './backends/vector/port.js';
import type { Clock } from './core/clock.js';
import type { Gateway } from './gateway/gateway.js';
import type { Edits } from './ingest/edits/edits.js';
import type { Entities } from './ingest/entities/entities.js';
import type { ConceptIndexes } from './ingest/index/concept-indexes.js';
import type { Reindex } from './ingest/index/rebuild.js';
import type { Ingest } from './ingest/ingest.js';
import type { IngestJobs } from './ingest/jobs/ingest-jobs.js';
import type { Records } from './ingest/records.js';
import type { Repair } from './ingest/repair/repair.js';
import type { GraphCheckpoints } from './ingest/write/checkpoints.js';
import type { Interop } from './interop/interop.js';
import type { Feedback } from './learning/feedback/feedback.js';
import type { Interoception } from './learning/feedback/interoception.js';
import type { Learning } from './learning/learning.js';
import type { Followers } from './ledger/followers/followers.js';
import type { Projections } from './projection/projections.js';
import type { Retrieval } from './retrieval/retrieval.js';
import type { Sources } from './sources/sources.js';

/** What operations may call. Built by `compose.ts`; nothing else names an adapter. */
export interface Service {
  readonly clock: Clock;
  readonly store: Store;
  readonly graph: GraphBackend;
  readonly vectors: VectorBackend;
  readonly text: TextIndex;
  /** Which concept index serves, with which model. */
  readonly concepts: ConceptIndexes;
  readonly reindex: Reindex;
  /** Mends what follows the ledger. */
  readonly repair: Repair;
  readonly retrieval: Retrieval;
  /** Milliseconds that one query, comparison or exploration may take; 0 for no limit. */
  readonly queryTimeoutMs: number;
  readonly ingest: Ingest;
  /** Ingests of many files that go on by themselves. */
  readonly jobs: IngestJobs;
  readonly entities: Entities;
  readonly edits: Edits;
  readonly records: Records;
  readonly checkpoints: GraphCheckpoints;
  /** Engines outside the store that follow the ledger. */
  readonly followers: Followers;
  readonly learning: Learning;
  readonly feedback: Feedback;
  readonly interoception: Interoception;
  readonly vectorIndexes: NamedIndexes;
  readonly vectorMigrations: VectorMigrations;
  readonly sources: Sources;
  readonly gateway: Gateway;
  /** Why variants are not served that were to be: a sentence each, which the server writes. */
  readonly leftOut: string[];
  readonly projections: Projections;
  readonly interop: Interop;
}
