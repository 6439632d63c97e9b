import { Type } from '@sinclair/typebox';
import { withinBudget } from './invoke/time-budget.js';
import { defaulted, operation } from './operation.js';
import {
  Domains,
  EdgeItem,
  IgnoredMembers,
  NodeId,
  NodeItem,
  QueryItem,
  QueryResult,
  RuleItem,
  Truncated,
  topK,
} from './shapes.js';

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
  run: (service, input, context) =>
    withinBudget(
      service.retrieval.query({ ...input, ...(context.authenticated ? { owner: context.caller } : {}) }),
      { ms: service.queryTimeoutMs, what: 'query' },
      context,
    ),
});

export const compare = operation({
  name: 'compare',
  summary: 'Compares graph-enhanced with cosine-only retrieval for one question.',
  readOnly: true,
  idempotent: true,
  input: Type.Object({ context: Context, domains: Domains, top_k: topK(5) }),
  output: Type.Object({
    query: Type.String(),
    vec_only: Type.Object({
      method: Type.String(),
      items: Type.Array(QueryItem),
      failed: Type.Optional(Type.String({ description: 'Why it could not answer; nothing is compared then.' })),
    }),
    graph_enhanced: Type.Object({
      method: Type.String(),
      items: Type.Array(QueryItem),
      rules_surfaced: Type.Integer(),
      rules: Type.Array(RuleItem),
      warnings: Type.Optional(
        Type.Array(Type.String(), { description: 'Parts that could not take part; absent where all did.' }),
      ),
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
    warnings: IgnoredMembers,
  }),
  run: (service, input, context) =>
    withinBudget(service.retrieval.compare(input), { ms: service.queryTimeoutMs, what: 'comparison' }, context),
});

const NodeOfName = Type.Object({ id: Type.String(), name: Type.String(), domain: Type.String(), kind: Type.String() });

export const explore = operation({
  name: 'explore',
  summary: 'A node with its edges, neighbours and rules; a passage with what it mentions and what mentions it.',
  readOnly: true,
  idempotent: true,
  input: Type.Object({
    node_id: NodeId,
    depth: defaulted(Type.Integer({ description: 'Hops along typed edges, clamped to 1..3.' }), 1),
    limit: defaulted(
      Type.Integer({ minimum: 1, maximum: 2000, description: 'Nodes within these hops at most, the nearest first.' }),
      200,
    ),
  }),
  // One object, not a union: tool protocols ask for an object schema. An absent node is `{node: null}`.
  output: Type.Object({
    node: Type.Union([NodeItem, Type.Null()]),
    edges: Type.Optional(Type.Array(EdgeItem)),
    neighbors: Type.Optional(Type.Array(NodeItem)),
    rules: Type.Optional(Type.Array(RuleItem)),
    truncated: Truncated,
    merged_into: Type.Optional(
      Type.Object(
        { id: Type.String(), name: Type.String() },
        { description: 'Beside a node of null: the concept that stands for it since it was merged.' },
      ),
    ),
  }),
  run: async (service, { node_id, depth, limit }, context) => {
    const budget = { ms: service.queryTimeoutMs, what: 'exploration' };
    const found = await withinBudget(service.retrieval.explore(node_id, depth, limit), budget, context);
    if (found !== null) return found;
    const merged_into = await service.graph.merges?.standIn(node_id);
    return { node: null, ...(merged_into === undefined ? {} : { merged_into }) };
  },
});

// An operation of its own, not a member of `explore`: a name may be that of several nodes.
export const nodesNamed = operation({
  name: 'nodes_named',
  summary: 'Nodes of a name; without one those whose names are the nearest.',
  readOnly: true,
  idempotent: true,
  input: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 2000, description: 'The name, whatever its capitals.' }),
    domains: Domains,
  }),
  output: Type.Object({
    nodes: Type.Array(NodeOfName, { description: 'Nodes of this name, by id.' }),
    truncated: Type.Optional(Type.Literal(true, { description: 'Set where there are more of them.' })),
    nearest: Type.Array(NodeOfName, { description: 'Where no node has the name: those whose names are the nearest.' }),
  }),
  run: (service, input, context) =>
    withinBudget(service.retrieval.named(input), { ms: service.queryTimeoutMs, what: 'search for a name' }, context),
});

export const rules = operation({
  name: 'rules',
  summary: 'Explicit rules and rules derived from edges, by domain, concept, category and confidence.',
  readOnly: true,
  idempotent: true,
  input: Type.Object({
    domains: Domains,
    concept_ids: defaulted(
      Type.Array(NodeId, { maxItems: 10_000, description: 'Only rules of these concepts; all when empty or omitted.' }),
      [],
    ),
    categories: defaulted(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        maxItems: 1000,
        description: 'Only these categories, such as security; all when empty or omitted.',
      }),
      [],
    ),
    include_derived: defaulted(
      Type.Boolean({ description: 'Whether rules derived from edges are listed beside explicit ones.' }),
      true,
    ),
    min_confidence: defaulted(
      Type.Number({ minimum: 0, maximum: 1, description: 'Rules with a lower confidence are left out.' }),
      0,
    ),
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Rules to return at most.' }), 100),
    offset: defaulted(
      Type.Integer({ minimum: 0, maximum: 100_000_000, description: 'Rules to skip: `limit` more for each page.' }),
      0,
    ),
  }),
  output: Type.Object({
    rules: Type.Array(RuleItem),
    domain_count: Type.Integer({ description: 'Distinct domains of all rules that were found.' }),
    projection: Type.Literal('rules'),
    total: Type.Integer({ description: 'Rules that were found; `rules` is a page of them.' }),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Concepts and categories that are not there, and members that were ignored; absent where there are none.',
      }),
    ),
  }),
  run: (service, input) => service.retrieval.rules(input),
});
