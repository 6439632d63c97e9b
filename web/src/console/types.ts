import type { Static } from '@sinclair/typebox';
import type { domains, stats, status } from '../../../src/operations/admin.js';
import type { interoception } from '../../../src/operations/feedback.js';
import type { ingestUpload } from '../../../src/operations/ingest.js';
import type { job, jobFiles, jobs } from '../../../src/operations/jobs.js';
import type { learningPosteriors } from '../../../src/operations/learning.js';
import type { compare, explore, query } from '../../../src/operations/query.js';
import type { documents } from '../../../src/operations/records/documents.js';
import type { edit, edits } from '../../../src/operations/records/edits.js';
import type { queries } from '../../../src/operations/records/queries.js';
import type { assertions, sessionMessages } from '../../../src/operations/records/records.js';
import type { EdgeItem, NodeItem, QueryItem, RuleItem } from '../../../src/operations/shapes.js';
import type { sourceList, sourceSync, sourceSyncState } from '../../../src/operations/sources/sources.js';
import type { Why } from '../../../src/retrieval/present/explain.js';

export type Status = Static<typeof status.output>;
export type Stats = Static<typeof stats.output>;
export type Domains = Static<typeof domains.output>['domains'];
export type Documents = Static<typeof documents.output>;
export type Document = Documents['documents'][number];
export type Ingested = Static<typeof ingestUpload.output>;
export type Sources = Static<typeof sourceList.output>['sources'];
export type SyncState = Static<typeof sourceSyncState.output>;
export type Synced = Static<typeof sourceSync.output>;
export type Interoception = Static<typeof interoception.output>;
export type Posteriors = Static<typeof learningPosteriors.output>['posteriors'];
export type Edit = Static<typeof edit.output>;
export type EditRequest = Static<typeof edit.input>;
export type Edits = Static<typeof edits.output>;
export type Queries = Static<typeof queries.output>;
export type Messages = Static<typeof sessionMessages.output>;
export type Assertions = Static<typeof assertions.output>;
export type Jobs = Static<typeof jobs.output>;
export type Job = Static<typeof job.output>;
export type JobFiles = Static<typeof jobFiles.output>;
export type Answer = Static<typeof query.output>;
export type Comparison = Static<typeof compare.output>;
export type Neighbourhood = Static<typeof explore.output>;
export type Item = Static<typeof QueryItem>;
export type GraphNode = Static<typeof NodeItem>;
export type GraphEdge = Static<typeof EdgeItem>;
export type Rule = Static<typeof RuleItem>;

/** What retrieval says of an item; members that say nothing are absent. */
export interface ItemMetadata {
  readonly vec_score?: number;
  readonly text_score?: number;
  readonly ppr_score?: number;
  readonly kind?: string;
  readonly source?: string;
  readonly source_id?: string;
  readonly why?: Why;
}

export type Outcome = 'accepted' | 'partial' | 'rejected';
