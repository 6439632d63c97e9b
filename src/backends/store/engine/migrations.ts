import { graphTables } from '../migrations/001-009/001-graph.js';
import { textTables } from '../migrations/001-009/002-text.js';
import { vector } from '../migrations/001-009/003-vector.js';
import { learningTables } from '../migrations/001-009/004-learning.js';
import { embeddingTables } from '../migrations/001-009/005-embedding.js';
import { queryLogTables } from '../migrations/001-009/006-querylog.js';
import { sentencesTables } from '../migrations/001-009/007-sentences.js';
import { operationsTables } from '../migrations/001-009/008-operations.js';
import { sourcesTables } from '../migrations/001-009/009-sources.js';
import { graphCopies } from '../migrations/010-019/010-graph-copies.js';
import { conceptIndexTables } from '../migrations/010-019/011-concept-index.js';
import { ratedTexts } from '../migrations/010-019/012-rated-texts.js';
import { ledgerTables } from '../migrations/010-019/013-ledger.js';
import { gatewayTables } from '../migrations/010-019/014-gateway.js';
import { modelTables } from '../migrations/010-019/015-models.js';
import { pendingLoads } from '../migrations/010-019/016-pending-loads.js';
import { observationKeys } from '../migrations/010-019/017-observation-keys.js';
import { jobTables } from '../migrations/010-019/018-jobs.js';
import { ruleStatements } from '../migrations/010-019/019-rule-statements.js';
import { editTables } from '../migrations/020-029/020-edits.js';
import { queryOwner } from '../migrations/020-029/021-query-owner.js';
import { refusals } from '../migrations/020-029/022-refusals.js';
import { domainRankers } from '../migrations/020-029/023-domain-rankers.js';
import { sourcePages } from '../migrations/020-029/024-source-pages.js';
import { ratedQueries } from '../migrations/020-029/025-rated-queries.js';
import { fileLabels } from '../migrations/020-029/026-file-labels.js';
import { mergedTargets } from '../migrations/020-029/027-merged-targets.js';
import { jobProgress } from '../migrations/020-029/028-job-progress.js';
import type { Migration } from './migration.js';

/** In order; a name that was released keeps its place and its content. */
export const migrations: readonly Migration[] = [
  graphTables,
  textTables,
  vector,
  learningTables,
  embeddingTables,
  queryLogTables,
  sentencesTables,
  operationsTables,
  sourcesTables,
  graphCopies,
  conceptIndexTables,
  ratedTexts,
  ledgerTables,
  gatewayTables,
  modelTables,
  pendingLoads,
  observationKeys,
  jobTables,
  ruleStatements,
  editTables,
  queryOwner,
  refusals,
  domainRankers,
  sourcePages,
  ratedQueries,
  fileLabels,
  mergedTargets,
  jobProgress,
];
