import { kindsRead } from '../core/wording/document-types.js';
import { operations as op } from '../operations/index.js';
import type { Tool } from './tool.js';

/** The 34 tools, grouped and ordered as specified. */
export const tools: readonly Tool[] = [
  // Core
  {
    name: 'query',
    core: true,
    operation: op.query,
    title: 'Query knowledge',
    description:
      'Search the stored knowledge for passages and concepts that answer a question, with the rules that apply. Use it before answering anything the knowledge base may hold; keep query_id for `feedback`.',
    parameters: ['context', 'domains', 'top_k', 'min_confidence', 'mode'],
  },
  {
    name: 'feedback',
    core: true,
    operation: op.feedback,
    title: 'Rate results',
    description:
      'Tell which returned items helped, so that later queries rank better. Use it after a query, once you know which items you used or rejected.',
    parameters: ['query_id', 'outcomes', 'source'],
  },
  {
    name: 'ingest',
    core: true,
    operation: op.ingest,
    title: 'Ingest a file',
    description: `Add a ${kindsRead('or')} file from the service's machine. Use it when the knowledge lies in a file.`,
    parameters: ['source_path', 'domain', 'source_type'],
  },
  {
    name: 'ingest_text',
    core: true,
    operation: op.ingest_text,
    title: 'Ingest text',
    description:
      'Add a text that you hold in hand; use it for notes, pages and findings worth keeping. Give it a name to be able to replace it later.',
    parameters: ['text', 'domain', 'format', 'name'],
  },
  {
    name: 'ingest_structured',
    core: true,
    operation: op.ingest_structured,
    title: 'Ingest concepts, edges and rules',
    description:
      'Add knowledge that is structured already: concepts, typed edges between them, and rules, exactly as given. Use it when you know the facts one by one.',
    parameters: ['concepts', 'domain', 'edges', 'rules'],
  },
  {
    name: 'domains',
    core: true,
    operation: op.domains,
    title: 'List domains',
    description: 'List the domains and how much each holds. Use it to choose where to search or write.',
    parameters: [],
  },
  {
    name: 'status',
    core: true,
    operation: op.status,
    title: 'Service status',
    description: 'Show backends, embedding model and health. Use it when something seems not to work.',
    parameters: [],
  },
  {
    name: 'explore',
    core: true,
    operation: op.explore,
    title: 'Explore around a node',
    description:
      'Show a node with its edges, neighbours and rules. Use it to follow up on an item that a query returned.',
    parameters: ['node_id', 'depth'],
  },
  {
    name: 'rules',
    core: true,
    operation: op.rules,
    title: 'List rules',
    description:
      'List explicit rules and those derived from edges. Use it to learn what must be observed in a domain or for certain concepts.',
    parameters: ['domains', 'concept_ids', 'categories', 'include_derived', 'min_confidence', 'limit', 'offset'],
  },
  {
    name: 'compare',
    core: true,
    operation: op.compare,
    title: 'Compare retrieval',
    description:
      'Run one question by cosine similarity alone and with the graph, and show the difference. Use it to see what the graph adds.',
    parameters: ['context', 'domains', 'top_k'],
  },
  {
    name: 'stats',
    core: true,
    operation: op.stats,
    title: 'Statistics',
    description: 'Show how much knowledge, learning and activity there is. Use it for an overview.',
    parameters: [],
  },
  // Sources
  {
    name: 'source_connect',
    operation: op.source_connect,
    openWorld: true,
    title: 'Connect a database',
    description:
      'Register a relational database and read its schema; nothing is ingested yet. Follow it with `source_sync` or `source_ingest_graph`.',
    parameters: ['source_id', 'connection_string', 'schemas', 'domain_map', 'targets'],
  },
  {
    name: 'source_discover',
    operation: op.source_discover,
    openWorld: true,
    title: 'Discover tables',
    description: 'List the tables of a connected database as they are now. Use it to choose the tables of a sync.',
    parameters: ['source_id'],
  },
  {
    name: 'source_sync',
    operation: op.source_sync,
    openWorld: true,
    title: 'Sync rows',
    description:
      'Bring the rows of a connected database into the knowledge. Use it after `source_connect`, and with mode incremental for later runs.',
    parameters: ['source_id', 'tables', 'mode'],
  },
  {
    name: 'source_list',
    operation: op.source_list,
    title: 'List databases',
    description: 'List the connected databases. Use it to find a source_id.',
    parameters: [],
  },
  {
    name: 'source_disconnect',
    operation: op.source_disconnect,
    title: 'Disconnect a database',
    description:
      'Remove a database from the registry; what was ingested from it stays. Use it when a database is no longer to be synced.',
    parameters: ['source_id'],
  },
  {
    name: 'source_inspect_schema',
    operation: op.source_inspect_schema,
    openWorld: true,
    title: 'Inspect a schema',
    description:
      'Show which concepts, edges and rules a database schema would become, without writing. Use it before `source_ingest_graph`.',
    parameters: ['connection_string', 'source_id', 'schemas', 'domain_map'],
  },
  {
    name: 'source_ingest_graph',
    operation: op.source_ingest_graph,
    openWorld: true,
    title: 'Ingest a schema',
    description:
      'Turn the tables, foreign keys and constraints of a database into concepts, edges and rules. Use it to make a schema known without its rows.',
    parameters: ['connection_string', 'source_id', 'schemas', 'domain_map', 'embed_catalog_tables', 'extract_rules'],
  },
  // Vectors
  {
    name: 'vector_create_index',
    operation: op.vector_create_index,
    title: 'Create a vector index',
    description:
      'Create a named index, separate from what `query` searches. Use it when you bring vectors of your own.',
    parameters: ['index_name', 'dimension', 'metric'],
  },
  {
    name: 'vector_list_indexes',
    operation: op.vector_list_indexes,
    title: 'List vector indexes',
    description: 'List the named vector indexes. Use it to find an index_name.',
    parameters: [],
  },
  {
    name: 'vector_describe_index',
    operation: op.vector_describe_index,
    title: 'Describe a vector index',
    description:
      'Show dimension, size and metric of a named vector index. Use it before you write to one or search it.',
    parameters: ['index_name'],
  },
  {
    name: 'vector_delete_index',
    operation: op.vector_delete_index,
    title: 'Delete a vector index',
    description: 'Delete a named vector index with all its vectors. Use it only when none of them is wanted any more.',
    parameters: ['index_name'],
  },
  {
    name: 'vector_upsert',
    operation: op.vector_upsert,
    title: 'Write vectors',
    description:
      'Insert vectors with metadata, or replace those of equal ids. Use it when you computed the vectors yourself; `ingest_text` embeds texts for you.',
    parameters: ['index_name', 'vectors', 'metadata', 'ids', 'documents'],
  },
  {
    name: 'vector_query',
    operation: op.vector_query,
    title: 'Search vectors',
    description:
      'Find the nearest vectors of a named index, with a metadata filter if wanted. Use it with a vector in hand; for a question in words use `query`.',
    parameters: ['index_name', 'query_vector', 'top_k', 'filter', 'include_vector'],
  },
  {
    name: 'vector_update',
    operation: op.vector_update,
    title: 'Update vectors',
    description:
      'Change the vector or merge metadata of one entry (id) or of all that match (filter). Use it when entries exist already.',
    parameters: ['index_name', 'id', 'filter', 'vector', 'metadata'],
  },
  {
    name: 'vector_delete',
    operation: op.vector_delete,
    title: 'Delete a vector',
    description: 'Delete one entry of a named vector index. Use it when you know the id.',
    parameters: ['index_name', 'id'],
  },
  {
    name: 'vector_delete_many',
    operation: op.vector_delete_many,
    title: 'Delete vectors',
    description: 'Delete several entries of a named vector index. Use it with a list of ids, or with a filter.',
    parameters: ['index_name', 'ids', 'filter'],
  },
  // Learning
  {
    name: 'learning_select',
    operation: op.learning_select,
    title: 'Select candidates',
    description:
      'Choose among candidates by what was learned so far (Thompson sampling), under a token budget if given. Report what came of it with `learning_observe`.',
    parameters: ['learner', 'candidates', 'context', 'k', 'token_budget', 'min_pulls'],
  },
  {
    name: 'learning_observe',
    operation: op.learning_observe,
    title: 'Observe an outcome',
    description:
      'Record how a selected candidate did, as an outcome or a reward from 0 to 1. Use it after `learning_select`, once you know.',
    parameters: ['learner', 'arm_id', 'outcome', 'reward', 'context'],
  },
  {
    name: 'learning_posteriors',
    operation: op.learning_posteriors,
    title: 'Show posteriors',
    description:
      'Show what a learner believes about its arms. Use it to see which candidates do well and how sure that is.',
    parameters: ['learner', 'context', 'arm_ids'],
  },
  {
    name: 'learning_metrics',
    operation: op.learning_metrics,
    title: 'Learner metrics',
    description:
      'Show totals, accuracy and share of exploration of a learner. Use it to see whether it has learned enough.',
    parameters: ['learner', 'window'],
  },
  {
    name: 'learning_session_start',
    operation: op.learning_session_start,
    title: 'Start a learning session',
    description:
      'Begin to record what a learner selects and observes. Use it before a task whose choices you want summed up by `learning_session_end`.',
    parameters: ['learner', 'session_name'],
  },
  {
    name: 'learning_session_end',
    operation: op.learning_session_end,
    title: 'End a learning session',
    description:
      'End a session and show what was selected and observed in it. Use it when the task of `learning_session_start` is done.',
    parameters: ['session_id'],
  },
  {
    name: 'learning_reset',
    operation: op.learning_reset,
    title: 'Reset a learner',
    description:
      'Forget what a learner learned: all of it, one context, or some arms. Use it when outcomes of the past no longer hold.',
    parameters: ['learner', 'arm_ids', 'context'],
  },
];
