/**
 * The tools as the specification writes them: `*` marks a required parameter, `=` gives the default. The last column
 * names the members that a result has at least; `x[].y` is a member of each element.
 */
export const SPECIFIED: ReadonlyArray<readonly [tool: string, parameters: string, returns: string]> = [
  [
    'query',
    'context* str; domains list[str]=all; top_k int=20; min_confidence float=0.0; mode str=auto',
    'query_id items[].id items[].content items[].score items[].domain items[].node_id items[].metadata rules[].id rules[].text',
  ],
  ['feedback', 'query_id* str; outcomes* dict[str,str]; source str=unknown', 'status query_id outcome_count source'],
  ['ingest', 'source_path* str; domain* str; source_type str', 'domain source concepts edges rules warnings'],
  [
    'ingest_text',
    'text* str; domain* str; format str=text; name str=raw_text',
    'domain source concepts edges rules warnings',
  ],
  [
    'ingest_structured',
    'concepts* list[dict]; domain* str; edges list[dict]=[]; rules list[dict]=[]',
    'domain source concepts edges rules',
  ],
  [
    'domains',
    '',
    'domains[].name domains[].description domains[].concept_count domains[].edge_count domains[].rule_count',
  ],
  [
    'status',
    '',
    'status backend vector_index vector_search graph_algorithms domain_count embedding_model interoception.factors.count interoception.factors.mean interoception.factors.min interoception.factors.max interoception.buffer.buffered_edges interoception.buffer.total_promoted interoception.backend',
  ],
  ['explore', 'node_id* str; depth int=1', 'node edges neighbors rules'],
  [
    'rules',
    'domains list[str]=all; concept_ids list[str]=all; categories list[str]=all; include_derived bool=true; min_confidence float=0.0',
    'rules[].id rules[].text rules[].domain rules[].category rules[].confidence rules[].relevance rules[].derivation rules[].source_concepts rules[].metadata domain_count projection',
  ],
  [
    'compare',
    'context* str; domains list[str]=all; top_k int=5',
    'query vec_only.method vec_only.items graph_enhanced.method graph_enhanced.items graph_enhanced.rules_surfaced graph_enhanced.rules diff.graph_found_that_cosine_missed diff.cosine_found_that_graph_dropped diff.rank_changes[].id diff.rank_changes[].vec_rank diff.rank_changes[].graph_rank diff.rank_changes[].delta diff.overlap summary',
  ],
  [
    'stats',
    '',
    'knowledge.domains knowledge.concepts knowledge.edges knowledge.rules knowledge.domain_breakdown learning.learners learning.total_observations learning.learner_breakdown activity.queries_served activity.feedback_given activity.feedback_rate activity.outcomes health.backend health.vector_index health.embedding_model health.persistence',
  ],
  [
    'source_connect',
    'source_id* str; connection_string* str; schemas list[str]=["public"]; domain_map dict[str,str]={}; targets str=both',
    'status source_id tables table_names',
  ],
  [
    'source_discover',
    'source_id* str',
    'source_id tables[].name tables[].schema tables[].columns tables[].row_count tables[].pk_columns tables[].fk_count',
  ],
  [
    'source_sync',
    'source_id* str; tables list[str]=all; mode str=full',
    'source_id tables_synced rows_added vectors_created duration_seconds errors',
  ],
  ['source_list', '', 'sources[].source_id sources[].tables'],
  ['source_disconnect', 'source_id* str', 'status source_id'],
  [
    'source_inspect_schema',
    'connection_string* str; source_id* str; schemas list[str]=["public"]; domain_map dict[str,str]={}',
    'source_id tables[].name tables[].schema tables[].columns tables[].row_count tables[].foreign_keys tables[].check_constraints tables[].unique_constraints tables[].is_catalog tables[].domain tables[].name_column edges rules table_count edge_count rule_count',
  ],
  [
    'source_ingest_graph',
    'connection_string* str; source_id* str; schemas list[str]=["public"]; domain_map dict[str,str]={}; embed_catalog_tables bool=true; extract_rules bool=true',
    'source_id concepts edges rules',
  ],
  ['vector_create_index', 'index_name* str; dimension* int; metric str=cosine', 'status index_name'],
  ['vector_list_indexes', '', 'indexes'],
  ['vector_describe_index', 'index_name* str', 'dimension count metric'],
  ['vector_delete_index', 'index_name* str', 'status index_name'],
  [
    'vector_upsert',
    'index_name* str; vectors* list[list[float]]; metadata list[dict]; ids list[str]; documents list[str]',
    'ids',
  ],
  [
    'vector_query',
    'index_name* str; query_vector* list[float]; top_k int=10; filter dict; include_vector bool=false',
    'results[].id results[].score results[].metadata',
  ],
  ['vector_update', 'index_name* str; id str; filter dict; vector list[float]; metadata dict', 'status count'],
  ['vector_delete', 'index_name* str; id* str', 'status id'],
  ['vector_delete_many', 'index_name* str; ids list[str]; filter dict', 'status count'],
  [
    'learning_select',
    'learner* str; candidates* list[dict]; context dict; k int=1; token_budget int=0; min_pulls int=0',
    'selected_arms excluded_arms is_baseline scores token_budget used_tokens',
  ],
  // The default of reward stands in its description only: its absence means "what outcome says".
  [
    'learning_observe',
    'learner* str; arm_id* str; outcome str=; reward float; context dict',
    'arm_id alpha beta mean pulls',
  ],
  [
    'learning_posteriors',
    'learner* str; context dict; arm_ids list[str]',
    'learner posteriors.one.alpha posteriors.one.beta posteriors.one.pulls posteriors.one.mean',
  ],
  ['learning_metrics', 'learner* str; window int', 'learner total_pulls total_reward accuracy arm_count explore_ratio'],
  ['learning_session_start', 'learner* str; session_name* str', 'session_id learner'],
  ['learning_session_end', 'session_id* str', 'session_id learner selected_arms outcomes started_at ended_at'],
  ['learning_reset', 'learner* str; arm_ids list[str]; context dict', 'learner deleted status'],
];

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
  /** JSON, where one is written. */
  readonly default: unknown;
}

/** `top_k int=20` as its parts. `all` is the empty list or nothing at all: both mean every one. */
export function parametersOf(text: string): Parameter[] {
  return text
    .split('; ')
    .filter(Boolean)
    .map((one) => {
      const [, name, star, type, , value] = /^(\w+)(\*?) ([^=]+)(=(.*))?$/.exec(one)!;
      return {
        name: name!,
        required: star === '*',
        type: type!,
        default: value === undefined ? undefined : defaultOf(type!, value),
      };
    });
}

function defaultOf(type: string, text: string): unknown {
  if (text === 'all') return 'all';
  return type === 'str' ? text : (JSON.parse(text) as unknown);
}
