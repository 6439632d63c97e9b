import { Type } from '@sinclair/typebox';
import type { RefusedRecord } from '../ledger/follower.js';
import { operation } from './operation.js';
import * as report from './report.js';
import { record } from './schema/shown.js';
import { DomainEntry } from './shapes.js';

const Nothing = Type.Object({});

export const health = operation({
  name: 'health',
  summary: 'Whether the process serves.',
  readOnly: true,
  immediate: true,
  input: Nothing,
  output: Type.Object({ status: Type.String() }),
  run: () => Promise.resolve({ status: 'ok' }),
});

export const ready = operation({
  name: 'ready',
  summary: 'Whether every configured part answers; 503 with what is missing otherwise.',
  readOnly: true,
  input: Nothing,
  output: Type.Object({ status: Type.String(), problems: Type.Optional(Type.Array(Type.String())) }),
  run: (service) => report.ready(service),
});

const FollowingEngine = Type.Object({
  engine: Type.String(),
  state: Type.Union([Type.Literal('following'), Type.Literal('syncing'), Type.Literal('degraded')]),
  behind: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Changes that it has not applied; null if unknown.',
  }),
  error: Type.Union([Type.String(), Type.Null()]),
  since: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601: since when it is degraded.' }),
  refused: Type.Optional(
    Type.Object(
      {
        count: Type.Integer(),
        records: Type.Unsafe<readonly RefusedRecord[]>(
          Type.Array(Type.Object({ kind: Type.String(), id: Type.String(), error: Type.String(), at: Type.String() })),
        ),
      },
      { description: 'Records that it does not take.' },
    ),
  ),
});

export const status = operation({
  name: 'status',
  summary: 'Backends, models and health of the service.',
  readOnly: true,
  input: Nothing,
  output: Type.Object({
    status: Type.Union([Type.Literal('ok'), Type.Literal('degraded')]),
    backend: Type.String(),
    vector_index: Type.String(),
    vector_search: Type.Boolean(),
    graph_algorithms: Type.Boolean(),
    ppr: Type.String({ description: 'How PageRank is computed.' }),
    domain_count: Type.Integer(),
    embedding_model: Type.String({ description: 'The model that answers; none without one.' }),
    reindex: Type.Optional(
      Type.Object(
        { model: Type.String(), embedded: Type.Integer() },
        { description: 'Present while everything is embedded again.' },
      ),
    ),
    interoception: Type.Object({
      factors: Type.Object({ count: Type.Integer(), mean: Type.Number(), min: Type.Number(), max: Type.Number() }),
      buffer: Type.Object({ buffered_edges: Type.Integer(), total_promoted: Type.Integer() }),
      backend: Type.String(),
    }),
    engines: Type.Optional(
      Type.Array(FollowingEngine, { description: 'Engines that follow the ledger, where any do.' }),
    ),
    health: record(Type.String(), { description: 'State of each part: ok, or why it does not answer.' }),
    problems: Type.Optional(Type.Array(Type.String(), { description: 'Why status is degraded.' })),
    left_out: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Variants that are not served since their port is taken, and what to set.',
      }),
    ),
    limits: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Limits of memory, and how near they are; graphs of vectors that could not be built.',
      }),
    ),
  }),
  run: (service) => report.status(service),
});

export const domains = operation({
  name: 'domains',
  summary: 'Domains and their sizes.',
  readOnly: true,
  input: Nothing,
  output: Type.Object({ domains: Type.Array(DomainEntry) }),
  run: async (service) => ({
    domains: (await service.graph.listDomains()).map(
      ({ name, description, concept_count, edge_count, rule_count }) => ({
        name,
        description,
        concept_count,
        edge_count,
        rule_count,
      }),
    ),
  }),
});

const Count = record(Type.Unknown());

export const stats = operation({
  name: 'stats',
  summary: 'Statistics of knowledge, learning and activity.',
  readOnly: true,
  input: Nothing,
  output: Type.Object({
    knowledge: Type.Object({
      domains: Type.Integer(),
      concepts: Type.Integer(),
      edges: Type.Integer(),
      rules: Type.Integer(),
      domain_breakdown: Count,
    }),
    learning: Type.Object({ learners: Type.Integer(), total_observations: Type.Integer(), learner_breakdown: Count }),
    activity: Type.Object({
      queries_served: Type.Integer(),
      feedback_given: Type.Integer(),
      feedback_rate: Type.Number(),
      outcomes: Count,
    }),
    health: Type.Object({
      backend: Type.String(),
      vector_index: Type.String(),
      embedding_model: Type.String(),
      persistence: Type.String(),
    }),
  }),
  run: (service) => report.stats(service),
});
