import { Type } from '@sinclair/typebox';
import { defaulted, operation, optional } from './operation.js';
import { atMostOne, constrained } from './schema/constraints.js';
import { dryRun } from './schema/dry-run.js';
import { record } from './schema/shown.js';
import { DomainName } from './shapes.js';

const Outcome = Type.Unsafe<string>({
  type: 'string',
  enum: ['accepted', 'partial', 'rejected'],
  description: 'accepted, partial or rejected.',
});

export const feedback = operation({
  name: 'feedback',
  summary: 'Records how useful the items of a query were; the next query ranks accordingly.',
  rules: { outcomes: 'outcomes names items that the query returned.' },
  idempotent: true,
  input: Type.Object({
    query_id: Type.String({ minLength: 1, maxLength: 200, description: 'The query_id that a query answered.' }),
    outcomes: record(Outcome, {
      minProperties: 1,
      maxProperties: 10_000,
      description: 'Item id → accepted, partial or rejected. The same item again replaces what was said before.',
    }),
    source: defaulted(Type.String({ maxLength: 200, description: 'Who says so.' }), 'unknown'),
  }),
  output: Type.Object({
    status: Type.Literal('recorded'),
    query_id: Type.String(),
    outcome_count: Type.Integer(),
    source: Type.String(),
    credit: optional(
      Type.Object({
        concept_count: Type.Integer(),
        direct_count: Type.Integer(),
        ancestor_count: Type.Integer(),
      }),
    ),
  }),
  run: (service, input) => service.feedback.record(input),
});

const Reason = Type.Object({
  query_id: Type.String(),
  query: Type.String(),
  source: Type.String(),
  outcome: optional(Type.String()),
  target: optional(Type.Number({ description: 'Mean target of the items that the edge brought up.' })),
  at: Type.String(),
});

export const interoception = operation({
  name: 'interoception',
  summary:
    'What feedback taught: the strongest edge factors and item priors with the feedback behind each, and the weights that domains rank by.',
  readOnly: true,
  input: Type.Object({
    limit: defaulted(Type.Integer({ minimum: 1, maximum: 200, description: 'Edges and items to show at most.' }), 20),
  }),
  output: Type.Object({
    enabled: Type.Boolean(),
    factors: Type.Object({ count: Type.Integer(), mean: Type.Number(), min: Type.Number(), max: Type.Number() }),
    buffer: Type.Object({ buffered_edges: Type.Integer(), total_promoted: Type.Integer() }),
    backend: Type.String(),
    edges: Type.Array(
      Type.Object({
        edge_id: Type.String(),
        source_id: Type.String(),
        relation_type: Type.String(),
        target_id: Type.String(),
        domain: Type.String(),
        factor: Type.Number(),
        events: Type.Integer(),
        why: Type.Array(Reason),
      }),
    ),
    items: Type.Array(
      Type.Object({
        item_id: Type.String(),
        query: Type.String(),
        domain: Type.String(),
        factor: Type.Number(),
        events: Type.Integer(),
        why: Type.Array(Reason),
      }),
    ),
    domains: Type.Array(
      Type.Object({
        domain: Type.String(),
        questions: Type.Integer({ description: 'Rated questions behind the weights.' }),
        fitted_at: Type.String(),
        changes: Type.Array(
          Type.Object({
            kind: Type.String(),
            feature: Type.String(),
            meaning: Type.String({ description: 'What the feature says of an item.' }),
            from: Type.Number(),
            to: Type.Number(),
          }),
          { description: 'Weights of the ranking that feedback moved, largest moves first.' },
        ),
      }),
      { description: 'Domains that rank by weights of their own, the most rated first.' },
    ),
  }),
  run: (service, input) => service.interoception.report(input),
});

export const interoceptionReset = operation({
  name: 'interoception_reset',
  summary: 'Forgets what feedback taught: everything, or what it said of one domain or one ingest source.',
  idempotent: true,
  destructive: true,
  input: constrained(
    Type.Object({
      domain: optional(DomainName),
      source_id: optional(Type.String({ minLength: 1, maxLength: 100, description: 'Id of an ingest source.' })),
      dry_run: dryRun('Only counts the feedback that would be forgotten; `status` is `dry_run` then.'),
    }),
    atMostOne('domain', 'source_id'),
  ),
  output: Type.Object({
    status: Type.String(),
    feedback: Type.Integer({ description: 'Ratings that were forgotten, or would be.' }),
    edges: Type.Optional(Type.Integer({ description: 'Edges whose factor went; absent in a dry run.' })),
    items: Type.Optional(Type.Integer({ description: 'Items whose prior went; absent in a dry run.' })),
  }),
  run: (service, { dry_run, ...scope }) => service.interoception.reset(scope, { dryRun: dry_run }),
});
