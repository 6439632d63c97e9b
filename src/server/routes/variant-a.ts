import { operations as op } from '../../operations/index.js';
import { foundNode } from './found-node.js';
import { jobRows } from './jobs.js';
import type { RouteRow } from './row.js';
import { vectorRows } from './vectors.js';

/** Variant A. Every row accepts every member of its operation's input. */
export const variantA: readonly RouteRow[] = [
  { method: 'GET', path: '/v1/health', operation: op.health, auth: 'open' },
  { method: 'GET', path: '/v1/ready', operation: op.ready },
  { method: 'GET', path: '/v1/status', operation: op.status },
  { method: 'GET', path: '/v1/domains', operation: op.domains },
  { method: 'DELETE', path: '/v1/domains/{name}', operation: op.forget_domain },
  { method: 'GET', path: '/v1/stats', operation: op.stats },

  { method: 'POST', path: '/v1/query', operation: op.query },
  { method: 'POST', path: '/v1/feedback', operation: op.feedback },
  { method: 'GET', path: '/v1/queries', operation: op.queries },
  { method: 'POST', path: '/v1/explore', operation: op.explore, reply: foundNode },
  { method: 'POST', path: '/v1/rules', operation: op.rules },
  { method: 'POST', path: '/v1/compare', operation: op.compare },

  { method: 'POST', path: '/v1/ingest', operation: op.ingest },
  { method: 'POST', path: '/v1/ingest/plan', operation: op.ingest_plan },
  { method: 'POST', path: '/v1/ingest/text', operation: op.ingest_text },
  { method: 'POST', path: '/v1/ingest/structured', operation: op.ingest_structured },
  { method: 'POST', path: '/v1/ingest/message', operation: op.ingest_message },
  { method: 'POST', path: '/v1/ingest/messages', operation: op.ingest_messages },
  { method: 'POST', path: '/v1/ingest/seed', operation: op.ingest_seed },
  { method: 'POST', path: '/v1/project', operation: op.project },
  ...jobRows,
  { method: 'GET', path: '/v1/documents', operation: op.documents },
  { method: 'DELETE', path: '/v1/documents/{source_id}', operation: op.forget_document },

  { method: 'POST', path: '/v1/entities/resolve', operation: op.entities_resolve },
  { method: 'POST', path: '/v1/entities/merge', operation: op.entities_merge },
  { method: 'GET', path: '/v1/entities/merges', operation: op.entities_merges },
  { method: 'POST', path: '/v1/entities/undo', operation: op.entities_undo },
  { method: 'GET', path: '/v1/edits', operation: op.edits },
  { method: 'POST', path: '/v1/edits', operation: op.edit },
  { method: 'DELETE', path: '/v1/edits/{edit_id}', operation: op.edit_undo },
  { method: 'GET', path: '/v1/sessions/{session_id}/messages', operation: op.session_messages },
  { method: 'DELETE', path: '/v1/sessions/{session_id}/messages', operation: op.forget_message },
  { method: 'GET', path: '/v1/nodes/{node_id}/assertions', operation: op.assertions },

  { method: 'POST', path: '/v1/learning/select', operation: op.learning_select },
  { method: 'POST', path: '/v1/learning/observe', operation: op.learning_observe },
  { method: 'POST', path: '/v1/learning/reset', operation: op.learning_reset },
  { method: 'POST', path: '/v1/learning/sessions/start', operation: op.learning_session_start },
  { method: 'POST', path: '/v1/learning/sessions/end', operation: op.learning_session_end },
  { method: 'GET', path: '/v1/learning/{learner}/posteriors', operation: op.learning_posteriors },
  { method: 'GET', path: '/v1/learning/{learner}/metrics', operation: op.learning_metrics },
  { method: 'GET', path: '/v1/interoception', operation: op.interoception },
  { method: 'POST', path: '/v1/interoception/reset', operation: op.interoception_reset },

  ...vectorRows,
  { method: 'POST', path: '/v1/admin/migrate-vec', operation: op.migrate_vec },
  { method: 'POST', path: '/v1/admin/reindex', operation: op.reindex },

  { method: 'GET', path: '/v1/sources', operation: op.source_list },
  { method: 'POST', path: '/v1/sources/connect', operation: op.source_connect },
  { method: 'POST', path: '/v1/sources/{source_id}/sync', operation: op.source_sync },
  { method: 'GET', path: '/v1/sources/{source_id}/sync', operation: op.source_sync_state },
  { method: 'DELETE', path: '/v1/sources/{source_id}', operation: op.source_disconnect },
  { method: 'GET', path: '/v1/sources/{source_id}/tables', operation: op.source_discover },
  { method: 'POST', path: '/v1/sources/{source_id}/forget', operation: op.source_forget },
  { method: 'POST', path: '/v1/sources/inspect', operation: op.source_inspect_schema },
  { method: 'POST', path: '/v1/sources/ingest-graph', operation: op.source_ingest_graph },
];
