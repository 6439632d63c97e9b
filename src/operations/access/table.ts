import type { Area } from '../../core/async/caller-scope.js';
import type { operations } from '../index.js';
import * as by from './domain-rules.js';
import type { Guard } from './guard.js';

// biome-ignore lint/suspicious/noExplicitAny: inputs and outputs of every operation; each rule knows its own
type Value = any;

/** How an operation is held to the scope of a key. */
export interface Access {
  /** What it needs: nothing at all, a key that reads, or one that writes. */
  readonly level: 'open' | 'read' | 'write';
  /** What a key that is bound to domains must be granted; without it `narrow` or `show` hold it to its domains. */
  readonly area?: Area;
  /** True where neither input nor output names anything of a domain. */
  readonly neutral?: true;
  /** Returns the input narrowed to the key's domains; throws where it names something else. */
  readonly narrow?: (input: Value, guard: Guard) => Value | Promise<Value>;
  /** Returns of the answer what is of the key's domains. */
  readonly show?: (output: Value, guard: Guard) => Value | Promise<Value>;
}

const read = (more: Omit<Access, 'level'>): Access => ({ level: 'read', ...more });
const write = (more: Omit<Access, 'level'>): Access => ({ level: 'write', ...more });
const reads = (area: Area): Access => ({ level: 'read', area });
const writes = (area: Area): Access => ({ level: 'write', area });

/** The scope of every operation: one that is not here is refused to every key with a scope, and fails the types. */
export const ACCESS: Readonly<Record<keyof typeof operations, Access>> = {
  health: { level: 'open', neutral: true },
  ready: read({ neutral: true }),
  status: read({ show: by.status }),
  domains: read({ show: by.domains }),
  stats: read({ show: by.stats }),

  query: read({ narrow: by.domainList, show: by.withRules }),
  compare: read({ narrow: by.domainList, show: by.compared }),
  explore: read({ narrow: by.node, show: by.explored }),
  nodes_named: read({ narrow: by.domainList }),
  rules: read({ narrow: by.domainList, show: by.withRules }),
  feedback: write({ narrow: by.owned }),
  queries: read({ show: by.queries }),
  project: read({ narrow: by.projected }),

  ingest: { level: 'write', area: 'files', narrow: by.domain },
  ingest_plan: { level: 'read', area: 'files', narrow: by.domain },
  ingest_upload: write({ narrow: by.domain }),
  ingest_text: write({ narrow: by.domain }),
  ingest_structured: write({ narrow: by.domain }),
  ingest_message: write({ narrow: by.domain }),
  ingest_messages: write({ narrow: by.domain }),
  ingest_seed: write({ narrow: by.seed }),
  job_ingest: write({ narrow: by.newJob }),
  jobs: read({ narrow: by.ownJobs }),
  job: read({ narrow: by.ownJob }),
  job_files: read({ narrow: by.ownJob }),
  job_cancel: write({ narrow: by.ownJob }),
  job_retry: write({ narrow: by.retriedJob }),
  documents: read({ narrow: by.ownDomains }),
  forget_document: write({ narrow: by.document }),
  forget_message: write({ narrow: by.domain }),
  forget_domain: write({ narrow: by.domainName }),
  forget_missing: { level: 'write', area: 'files', narrow: by.domain },
  known_files: { level: 'read', area: 'files', narrow: by.domain },
  missing_files: { level: 'read', area: 'files', narrow: by.domain },
  entities_resolve: write({ narrow: by.domain }),
  entities_merge: write({ narrow: by.domain }),
  entities_merges: read({ narrow: by.ownDomains }),
  entities_undo: write({ narrow: by.merge }),
  edits: read({ narrow: by.ownDomains }),
  edit: write({ narrow: by.domain }),
  edit_undo: write({ narrow: by.edit }),
  session_messages: read({ narrow: by.domain }),
  assertions: read({ narrow: by.node }),

  graph_checkpoint: writes('admin'),
  graph_checkpoints: reads('admin'),
  graph_restore: writes('admin'),
  graph_delete_checkpoint: writes('admin'),
  graph_sync: writes('admin'),
  reindex: writes('admin'),
  repair: writes('admin'),
  examine: reads('admin'),

  source_connect: writes('sources'),
  source_discover: reads('sources'),
  source_sync: writes('sources'),
  source_list: reads('sources'),
  source_sync_state: reads('sources'),
  source_disconnect: writes('sources'),
  source_inspect_schema: reads('sources'),
  source_ingest_graph: writes('sources'),
  source_forget: writes('sources'),

  vector_create_index: writes('vectors'),
  vector_list_indexes: reads('vectors'),
  vector_describe_index: reads('vectors'),
  vector_delete_index: writes('vectors'),
  vector_upsert: writes('vectors'),
  vector_query: reads('vectors'),
  vector_update: writes('vectors'),
  vector_delete: writes('vectors'),
  vector_delete_many: writes('vectors'),
  migrate_vec: writes('admin'),

  learning_select: reads('learning'),
  learning_observe: writes('learning'),
  learning_posteriors: reads('learning'),
  learning_metrics: reads('learning'),
  learning_session_start: writes('learning'),
  learning_session_end: writes('learning'),
  learning_reset: writes('learning'),
  interoception: reads('learning'),
  interoception_reset: writes('learning'),

  gateway_metrics: reads('gateway'),
  gateway_learning_summary: reads('gateway'),
  gateway_learning_config: reads('gateway'),
  gateway_learning_posteriors: reads('gateway'),
  gateway_learning_traces: reads('gateway'),
  gateway_learning_timeseries: reads('gateway'),
  gateway_learning_reset: writes('gateway'),
  gateway_learning_reward: writes('gateway'),
  gateway_learning_select: reads('gateway'),
  gateway_learning_export: reads('gateway'),
  gateway_learning_ingest: writes('gateway'),

  green_summary: reads('gateway'),
  green_config: reads('gateway'),
  green_factors: reads('gateway'),
  green_explain: reads('gateway'),
  green_traces: reads('gateway'),
  green_timeseries: reads('gateway'),
  green_intensity: reads('gateway'),
  green_recompute: writes('gateway'),
  green_export_page: reads('gateway'),
  green_targets: reads('gateway'),
  green_target_add: writes('gateway'),
  green_target_remove: writes('gateway'),
  green_export_ghg_protocol: reads('gateway'),
  green_export_cdp: reads('gateway'),
  green_export_tcfd: reads('gateway'),
  green_export_iso14064: reads('gateway'),
  green_today: reads('gateway'),
  green_ingest: writes('gateway'),
  green_intake: reads('gateway'),
  telemetry_otlp: writes('gateway'),
};
