import { expect } from '@jest/globals';
import { makeNote, makeShop, type World } from './world.js';

export type Json = Record<string, unknown>;

/** What earlier calls of a round answered and later ones need. */
export interface Round {
  readonly world: World;
  /** Unique among rounds: in names of domains, indexes, sources. */
  readonly tag: string;
  queryId?: string;
  itemId?: string;
  sessionId?: string;
}

export interface GoodCall {
  readonly tool: string;
  readonly input: (round: Round) => Json;
  /** Looks at the answer beyond its schema, and remembers what later calls need. */
  readonly check?: (answer: Json, round: Round) => void;
}

export interface BadCall {
  readonly tool: string;
  readonly input: Json;
  readonly code: string;
}

const domain = ({ tag }: Round) => `domain ${tag}`;
const index = ({ tag }: Round) => `index-${tag}`;
const learner = ({ tag }: Round) => `learner-${tag}`;
const source = ({ tag }: Round) => `shop-${tag}`;
const shop = ({ world, tag }: Round) => `sqlite:${world.directory}/shop-${tag}.sqlite`;
const first = (list: unknown) => (list as Json[])[0]!;

/** A call of each tool that succeeds, in an order in which each finds what it needs. */
export const GOOD_CALLS: readonly GoodCall[] = [
  {
    tool: 'ingest_structured',
    input: (round) => ({
      domain: domain(round),
      concepts: [
        { name: 'Redis', description: 'An in-memory store' },
        { name: 'Cache', description: 'Keeps what was computed' },
      ],
      edges: [{ source: 'Cache', target: 'Redis', relation_type: 'USES' }],
      rules: [{ text: 'Set a time to live on every Cache entry.', category: 'architectural' }],
    }),
    check: (answer) => expect(answer).toMatchObject({ concepts: 2, edges: 1, rules: 1 }),
  },
  {
    tool: 'ingest_text',
    input: (round) => ({ text: 'Kafka keeps messages on disk.', domain: domain(round), name: 'kafka' }),
    check: (answer) => expect(answer.source).toBe('kafka'),
  },
  {
    tool: 'ingest',
    input: (round) => ({ source_path: makeNote(round.world.directory, `note-${round.tag}`), domain: domain(round) }),
  },
  {
    tool: 'query',
    input: (round) => ({ context: 'what is Redis for', domains: [domain(round)], top_k: 5 }),
    check: (answer, round) => {
      expect((answer.items as Json[]).length).toBeGreaterThan(0);
      round.queryId = String(answer.query_id);
      round.itemId = String(first(answer.items).id);
    },
  },
  {
    tool: 'feedback',
    input: (round) => ({ query_id: round.queryId, outcomes: { [round.itemId!]: 'accepted' } }),
    check: (answer) => expect(answer).toMatchObject({ status: 'recorded', outcome_count: 1, source: 'unknown' }),
  },
  {
    tool: 'domains',
    input: () => ({}),
    check: (answer, round) => expect((answer.domains as Json[]).map((one) => one.name)).toContain(domain(round)),
  },
  { tool: 'status', input: () => ({}), check: (answer) => expect(answer.status).toBe('ok') },
  {
    tool: 'explore',
    input: (round) => ({ node_id: round.itemId, depth: 9 }),
    check: (answer, round) => expect((answer.node as Json).id).toBe(round.itemId),
  },
  {
    tool: 'rules',
    input: (round) => ({ domains: [domain(round)], categories: ['architectural'] }),
    check: (answer) => expect(answer).toMatchObject({ projection: 'rules', domain_count: 1 }),
  },
  { tool: 'compare', input: (round) => ({ context: 'Redis', domains: [domain(round)] }) },
  { tool: 'stats', input: () => ({}) },
  {
    tool: 'source_connect',
    input: (round) => ({
      source_id: source(round),
      connection_string: makeShop(round.world.directory, `shop-${round.tag}`),
      schemas: ['main'],
    }),
    check: (answer) => expect(answer.table_names).toHaveLength(2),
  },
  { tool: 'source_discover', input: (round) => ({ source_id: source(round) }) },
  {
    tool: 'source_sync',
    input: (round) => ({ source_id: source(round), mode: 'full' }),
    check: (answer) => expect(answer).toMatchObject({ tables_synced: 2, errors: [] }),
  },
  {
    tool: 'source_list',
    input: () => ({}),
    check: (answer, round) => expect((answer.sources as Json[]).map((one) => one.source_id)).toContain(source(round)),
  },
  {
    tool: 'source_inspect_schema',
    input: (round) => ({ source_id: source(round), connection_string: shop(round), schemas: ['main'] }),
  },
  {
    tool: 'source_ingest_graph',
    input: (round) => ({ source_id: source(round), connection_string: shop(round), schemas: ['main'] }),
  },
  { tool: 'source_disconnect', input: (round) => ({ source_id: source(round) }) },
  {
    tool: 'vector_create_index',
    input: (round) => ({ index_name: index(round), dimension: 3 }),
    check: (answer) => expect(answer.status).toBe('created'),
  },
  {
    tool: 'vector_list_indexes',
    input: () => ({}),
    check: (answer, round) => expect(answer.indexes).toContain(index(round)),
  },
  {
    tool: 'vector_upsert',
    input: (round) => ({
      index_name: index(round),
      vectors: [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      metadata: [{ kind: 'a' }, { kind: 'b' }, { kind: 'b', n: 3 }],
      ids: ['x', 'y', 'z'],
      documents: ['ex', 'why', 'zed'],
    }),
    check: (answer) => expect(answer.ids).toEqual(['x', 'y', 'z']),
  },
  {
    tool: 'vector_query',
    input: (round) => ({
      index_name: index(round),
      query_vector: [0, 1, 0.5],
      filter: { kind: { $in: ['b'] } },
      include_vector: true,
    }),
    check: (answer) => expect((answer.results as Json[]).map((one) => one.id)).toEqual(['y', 'z']),
  },
  {
    tool: 'vector_update',
    input: (round) => ({ index_name: index(round), filter: { kind: 'b' }, metadata: { seen: true } }),
    check: (answer) => expect(answer).toEqual({ status: 'updated', count: 2 }),
  },
  {
    tool: 'vector_delete',
    input: (round) => ({ index_name: index(round), id: 'x' }),
    check: (answer) => expect(answer).toEqual({ status: 'deleted', id: 'x' }),
  },
  {
    tool: 'vector_delete_many',
    input: (round) => ({ index_name: index(round), ids: ['y'] }),
    check: (answer) => expect(answer).toEqual({ status: 'deleted', count: 1 }),
  },
  {
    tool: 'vector_describe_index',
    input: (round) => ({ index_name: index(round) }),
    check: (answer) => expect(answer).toEqual({ dimension: 3, count: 1, metric: 'cosine' }),
  },
  { tool: 'vector_delete_index', input: (round) => ({ index_name: index(round) }) },
  {
    tool: 'learning_session_start',
    input: (round) => ({ learner: learner(round), session_name: 'first' }),
    check: (answer, round) => {
      round.sessionId = String(answer.session_id);
    },
  },
  {
    tool: 'learning_select',
    input: (round) => ({
      learner: learner(round),
      candidates: [
        { id: 'one', token_cost: 5 },
        { id: 'two', token_cost: 9 },
      ],
      k: 1,
    }),
    check: (answer) => expect(answer.selected_arms).toHaveLength(1),
  },
  {
    tool: 'learning_observe',
    input: (round) => ({ learner: learner(round), arm_id: 'one', outcome: 'accepted' }),
    check: (answer) => expect(answer).toMatchObject({ arm_id: 'one', pulls: 1 }),
  },
  {
    tool: 'learning_posteriors',
    input: (round) => ({ learner: learner(round) }),
    check: (answer) => expect(answer.posteriors).toHaveProperty('one'),
  },
  {
    tool: 'learning_metrics',
    input: (round) => ({ learner: learner(round), window: 10 }),
    check: (answer) => expect(answer.total_pulls).toBe(1),
  },
  { tool: 'learning_session_end', input: (round) => ({ session_id: round.sessionId }) },
  { tool: 'learning_reset', input: (round) => ({ learner: learner(round), arm_ids: ['one'] }) },
];

/** A call of each tool that fails. Tools without parameters are in `WITHOUT_INPUT`. */
export const BAD_CALLS: readonly BadCall[] = [
  { tool: 'query', input: { context: 'x', domains: ['nowhere'] }, code: 'domain_not_found' },
  { tool: 'feedback', input: { query_id: 'none', outcomes: { a: 'accepted' } }, code: 'query_not_found' },
  { tool: 'ingest', input: { source_path: '/etc/passwd', domain: 'd' }, code: 'forbidden' },
  { tool: 'ingest_text', input: { text: 'x', domain: 'd', format: 'html' }, code: 'invalid_input' },
  {
    tool: 'ingest_structured',
    input: { concepts: [{ name: 'A' }], domain: 'd', edges: [{ source: 'A', target: 'A' }] },
    code: 'invalid_input',
  },
  { tool: 'explore', input: {}, code: 'invalid_input' },
  { tool: 'rules', input: { domains: ['nowhere'] }, code: 'domain_not_found' },
  { tool: 'compare', input: { context: '' }, code: 'invalid_input' },
  { tool: 'source_connect', input: { source_id: 's', connection_string: 'ftp://x/y' }, code: 'invalid_input' },
  { tool: 'source_discover', input: { source_id: 'nobody' }, code: 'source_not_found' },
  { tool: 'source_sync', input: { source_id: 'nobody' }, code: 'source_not_found' },
  { tool: 'source_disconnect', input: { source_id: 'nobody' }, code: 'source_not_found' },
  { tool: 'source_inspect_schema', input: { source_id: 's', connection_string: 'nothing' }, code: 'invalid_input' },
  { tool: 'source_ingest_graph', input: { source_id: 's', connection_string: 'nothing' }, code: 'invalid_input' },
  { tool: 'vector_create_index', input: { index_name: 'a', dimension: 0 }, code: 'invalid_input' },
  { tool: 'vector_describe_index', input: { index_name: 'nowhere' }, code: 'index_not_found' },
  { tool: 'vector_delete_index', input: { index_name: 'nowhere' }, code: 'index_not_found' },
  { tool: 'vector_upsert', input: { index_name: 'a', vectors: [[1], [1, 2]] }, code: 'invalid_input' },
  { tool: 'vector_query', input: { index_name: 'nowhere', query_vector: [1] }, code: 'index_not_found' },
  { tool: 'vector_update', input: { index_name: 'a', id: 'x', filter: {}, metadata: {} }, code: 'invalid_input' },
  { tool: 'vector_delete', input: { index_name: 'nowhere', id: 'x' }, code: 'index_not_found' },
  { tool: 'vector_delete_many', input: { index_name: 'a' }, code: 'invalid_input' },
  { tool: 'learning_select', input: { learner: 'l', candidates: [] }, code: 'invalid_input' },
  { tool: 'learning_observe', input: { learner: 'l', arm_id: 'a' }, code: 'invalid_input' },
  { tool: 'learning_posteriors', input: { learner: '' }, code: 'invalid_input' },
  { tool: 'learning_metrics', input: { learner: 'l', window: 0 }, code: 'invalid_input' },
  { tool: 'learning_session_start', input: { learner: 'l' }, code: 'invalid_input' },
  { tool: 'learning_session_end', input: { session_id: 'none' }, code: 'session_not_found' },
  { tool: 'learning_reset', input: { learner: 'l', arm_ids: 'one' }, code: 'invalid_input' },
];

/** No input makes these fail: they take none. Their failure is a service that lost its store, tested apart. */
export const WITHOUT_INPUT = ['domains', 'status', 'stats', 'source_list', 'vector_list_indexes'];
