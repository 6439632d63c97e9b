import * as admin from './admin.js';
import * as extraction from './extraction.js';
import * as feedback from './feedback.js';
import * as green from './gateway/green.js';
import * as greenReports from './gateway/green-reports.js';
import * as telemetry from './gateway/intake.js';
import * as gatewayLearning from './gateway/learning.js';
import { gatewayMetricsText } from './gateway/metrics.js';
import * as graph from './graph.js';
import * as ingest from './ingest.js';
import * as jobs from './jobs.js';
import * as learning from './learning.js';
import * as messages from './messages.js';
import * as projection from './projection.js';
import * as query from './query.js';
import * as documents from './records/documents.js';
import * as edits from './records/edits.js';
import { queries } from './records/queries.js';
import * as records from './records/records.js';
import { examine, repair } from './repair.js';
import * as sources from './sources/sources.js';
import { migrateVec } from './vectors/vector-migration.js';
import * as vectors from './vectors/vectors.js';

/** The table: every operation of the service under its name. Surfaces point here; nothing else lists operations. */
export const operations = {
  health: admin.health,
  ready: admin.ready,
  status: admin.status,
  domains: admin.domains,
  stats: admin.stats,

  query: query.query,
  compare: query.compare,
  explore: query.explore,
  nodes_named: query.nodesNamed,
  rules: query.rules,
  feedback: feedback.feedback,
  queries,
  project: projection.project,

  ingest: ingest.ingest,
  ingest_plan: extraction.ingestPlan,
  ingest_upload: ingest.ingestUpload,
  ingest_text: ingest.ingestText,
  ingest_structured: ingest.ingestStructured,
  ingest_message: messages.ingestMessage,
  ingest_messages: messages.ingestMessages,
  ingest_seed: projection.ingestSeed,
  job_ingest: jobs.jobIngest,
  jobs: jobs.jobs,
  job: jobs.job,
  job_files: jobs.jobFiles,
  job_cancel: jobs.jobCancel,
  job_retry: jobs.jobRetry,
  documents: documents.documents,
  forget_document: documents.forgetDocument,
  forget_message: records.forgetMessage,
  forget_domain: documents.forgetDomain,
  forget_missing: documents.forgetMissing,
  missing_files: documents.missingFiles,
  known_files: documents.knownFiles,
  entities_resolve: extraction.entitiesResolve,
  entities_merge: extraction.entitiesMerge,
  entities_merges: extraction.entitiesMerges,
  entities_undo: extraction.entitiesUndo,
  edits: edits.edits,
  edit: edits.edit,
  edit_undo: edits.editUndo,
  session_messages: records.sessionMessages,
  assertions: records.assertions,

  graph_checkpoint: graph.graphCheckpoint,
  graph_checkpoints: graph.graphCheckpoints,
  graph_restore: graph.graphRestore,
  graph_delete_checkpoint: graph.graphDeleteCheckpoint,
  graph_sync: graph.graphSync,
  reindex: graph.reindex,
  repair,
  examine,

  source_connect: sources.sourceConnect,
  source_discover: sources.sourceDiscover,
  source_sync: sources.sourceSync,
  source_list: sources.sourceList,
  source_sync_state: sources.sourceSyncState,
  source_disconnect: sources.sourceDisconnect,
  source_inspect_schema: sources.sourceInspectSchema,
  source_ingest_graph: sources.sourceIngestGraph,
  source_forget: sources.sourceForget,

  vector_create_index: vectors.vectorCreateIndex,
  vector_list_indexes: vectors.vectorListIndexes,
  vector_describe_index: vectors.vectorDescribeIndex,
  vector_delete_index: vectors.vectorDeleteIndex,
  vector_upsert: vectors.vectorUpsert,
  vector_query: vectors.vectorQuery,
  vector_update: vectors.vectorUpdate,
  vector_delete: vectors.vectorDelete,
  vector_delete_many: vectors.vectorDeleteMany,
  migrate_vec: migrateVec,

  learning_select: learning.learningSelect,
  learning_observe: learning.learningObserve,
  learning_posteriors: learning.learningPosteriors,
  learning_metrics: learning.learningMetrics,
  learning_session_start: learning.learningSessionStart,
  learning_session_end: learning.learningSessionEnd,
  learning_reset: learning.learningReset,
  interoception: feedback.interoception,
  interoception_reset: feedback.interoceptionReset,

  gateway_metrics: gatewayMetricsText,
  gateway_learning_summary: gatewayLearning.gatewayLearningSummary,
  gateway_learning_config: gatewayLearning.gatewayLearningConfig,
  gateway_learning_posteriors: gatewayLearning.gatewayLearningPosteriors,
  gateway_learning_traces: gatewayLearning.gatewayLearningTraces,
  gateway_learning_timeseries: gatewayLearning.gatewayLearningTimeseries,
  gateway_learning_reset: gatewayLearning.gatewayLearningReset,
  gateway_learning_reward: gatewayLearning.gatewayLearningReward,
  gateway_learning_select: gatewayLearning.gatewayLearningSelect,
  gateway_learning_export: gatewayLearning.gatewayLearningExport,
  gateway_learning_ingest: telemetry.gatewayLearningIngest,

  green_summary: green.greenSummary,
  green_config: green.greenConfig,
  green_factors: green.greenFactors,
  green_explain: green.greenExplain,
  green_traces: green.greenTraces,
  green_timeseries: green.greenTimeseries,
  green_intensity: green.greenIntensity,
  green_recompute: green.greenRecompute,
  green_export_page: green.greenExportPage,
  green_targets: greenReports.greenTargets,
  green_target_add: greenReports.greenTargetAdd,
  green_target_remove: greenReports.greenTargetRemove,
  green_export_ghg_protocol: greenReports.greenExportGhgProtocol,
  green_export_cdp: greenReports.greenExportCdp,
  green_export_tcfd: greenReports.greenExportTcfd,
  green_export_iso14064: greenReports.greenExportIso14064,
  green_today: greenReports.greenToday,
  green_ingest: telemetry.greenIngest,
  green_intake: telemetry.greenIntake,
  telemetry_otlp: telemetry.telemetryOtlp,
} as const;
