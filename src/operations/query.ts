import { Type } from '@sinclair/typebox';
import { defaulted, operation } from './operation.js';
import { Confidence, Domains, EdgeItem, NodeItem, QueryItem, QueryResult, RuleItem, topK } from './shapes.js';

const Context = Type.String({
  minLength: 1,
  maxLength: 20_000,
  pattern: '\\S',
  description: 'The question, task or situation to find knowledge for.',
});

export const query = operation({
  name: 'query',
  summary: 'Hybrid retrieval: vector similarity, text match and graph traversal, with the rules that apply.',
  input: Type.Object({
    context: Context,
    domains: Domains,
    top_k: topK(20),
    min_confidence: defaulted(
      Type.Number({ minimum: 0, maximum: 1, description: 'Items with a lower score are left out.' }),
      0,
    ),
    mode: defaulted(
      Type.Union([Type.Literal('auto'), Type.Literal('vec'), Type.Literal('graph')], {
        description:
          'auto: the graph where there is one, else text and vectors; vec: cosine similarity only; graph: structure, vectors, text and rules.',
      }),
      'auto',
    ),
  }),
  output: QueryResult,
  run: (service, input) => service.retrieval.query(input),
});

export const compare = operation({
  name: 'compare',
  summary: 'Compares graph-enhanced with cosine-only retrieval for one question.',
  readOnly: true,
  idempotent: true,
  input: Type.Object({ context: Context, domains: Domains, top_k: topK(5) }),
  output: Type.Object({
    query: Type.String(),
    vec_only: Type.Object({ method: Type.String(), items: Type.Array(QueryItem) }),
    graph_enhanced: Type.Object({
      method: Type.String(),
      items: Type.Array(QueryItem),
      rules_surfaced: Type.Integer(),
      rules: Type.Array(RuleItem),
    }),
    diff: Type.Object({
      graph_found_that_cosine_missed: Type.Array(QueryItem),
      cosine_found_that_graph_dropped: Type.Array(QueryItem),
      rank_changes: Type.Array(
        Type.Object({
          id: Type.String(),
          vec_rank: Type.Integer(),
          graph_rank: Type.Integer(),
          delta: Type.Integer({ description: 'Places gained by the graph; negative where it lost some.' }),
        }),
      ),
      overlap: Type.Integer({ description: 'Items that both found.' }),
    }),
    summary: Type.String(),
  }),
  run: (service, input) => service.retrieval.compare(input),
});

export const explore = operation({
  name: 'explore',
  summary: 'A node with its edges, neighbours and rules; a passage with what it mentions and what mentions it.',
  readOnly: true,
  idempotent: true,
  input: Type.Object({
    node_id: Type.String({ minLength: 1, maxLength: 2000 }),
    depth: defaulted(Type.Integer({ description: 'Hops along typed edges, clamped to 1..3.' }), 1),
  }),
  // One object, not a union: tool protocols ask for an object schema. An absent node is `{node: null}`.
  output: Type.Object({
    node: Type.Union([NodeItem, Type.Null()]),
    edges: Type.Optional(Type.Array(EdgeItem)),
    neighbors: Type.Optional(Type.Array(NodeItem)),
    rules: Type.Optional(Type.Array(RuleItem)),
  }),
  run: async (service, input) => (await service.retrieval.explore(input.node_id, input.depth)) ?? { node: null },
});

export const rules = operation({
  name: 'rules',
  summary: 'Explicit rules and rules derived from edges, by domain, concept, category and confidence.',
  readOnly: true,
  idempotent: true,
  input: Type.Object({
    domains: Domains,
    concept_ids: defaulted(Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), { maxItems: 10_000 }), []),
    categories: defaulted(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 1000 }), []),
    include_derived: defaulted(Type.Boolean(), true),
    min_confidence: defaulted(Confidence, 0),
  }),
  output: Type.Object({
    rules: Type.Array(RuleItem),
    domain_count: Type.Integer({ description: 'Distinct domains of the rules.' }),
    projection: Type.Literal('rules'),
  }),
  run: (service, input) => service.retrieval.rules(input),
});
