import { type TSchema, Type } from '@sinclair/typebox';
import { defaulted } from './operation.js';
import { record } from './schema/shown.js';

/** Schemas that several operations share. Names of members are the specification's. */

export const DomainName = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9 ._/-]{0,127}$', description: 'Domain name.' });
export const Domains = defaulted(
  Type.Array(DomainName, { maxItems: 1000, description: 'Names of domains; all domains when empty or omitted.' }),
  [],
);
/** Free members of a record, as JSON. */
export const Properties = record(Type.Unknown(), {
  maxProperties: 1000,
  description: 'Further facts as an object of JSON values, at most 1,000 members and 100,000 characters.',
});
export const Confidence = Type.Number({ minimum: 0, maximum: 1, description: 'From 0 to 1.' });

/** Largest texts by what they mean, in characters. */
export const LENGTH = { name: 500, rule: 10_000, description: 100_000, text: 10_000_000, id: 512 } as const;
/** At least one character that stays when white space, control characters and byte order marks go. */
export const WORDS = '[^\\s\\u0000-\\u001f\\u007f-\\u009f\\ufeff]';
/** Id of a node: `<domain>:<opaque>`. */
export const NodeId = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'Id of a concept or passage: `id` or `node_id` of a query item, as in `docs:3f2a…`.',
});

export function topK(value: number) {
  return defaulted(Type.Integer({ minimum: 1, maximum: 1000, description: 'Number of items to return.' }), value);
}

/** Returns the schema of which part of a long description is shown. */
function excerptOf(where: string, explored: string) {
  return Type.Optional(
    Type.Object(
      {
        start: Type.Integer(),
        end: Type.Integer(),
        length: Type.Integer({ description: 'Of the whole description.' }),
      },
      {
        description: `Where ${where} holds a part of a description of more than 4,000 characters: which one. Explore ${explored} for all of it.`,
      },
    ),
  );
}

export const NodeItem = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  domain: Type.String(),
  confidence: Type.Number(),
  properties: Properties,
  excerpt: excerptOf('`description` of a neighbour', 'the neighbour'),
});

export const EdgeItem = Type.Object({
  source_id: Type.String(),
  target_id: Type.String(),
  relation_type: Type.String(),
  confidence: Type.Number(),
  properties: Properties,
});

/** Present only where something is left out. */
export const Truncated = Type.Optional(
  Type.Union([Type.Literal(true), Type.String()], {
    description:
      'true where further neighbours or rules were left out; a sentence where a tool also shortened its answer.',
  }),
);

export const RuleItem = Type.Object({
  id: Type.String(),
  text: Type.String(),
  domain: Type.String(),
  category: Type.String(),
  confidence: Type.Number(),
  relevance: Type.Number(),
  derivation: Type.Union([Type.Literal('explicit'), Type.Literal('derived')]),
  source_concepts: Type.Array(Type.String()),
  metadata: Properties,
});

/** Figures behind a score, with further facts. */
const QueryMetadata = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    {
      vec_score: Type.Number({ description: 'Cosine similarity, 0 to 1.' }),
      ppr_score: Type.Number({ description: 'Personalized PageRank, 0 to 1.' }),
      kg_coverage: Type.Number({ description: 'Share of the score that the graph accounts for, 0 to 1.' }),
      name: Type.Optional(Type.String({ description: 'What `content` begins with; absent for a message.' })),
      excerpt: excerptOf('`content`', 'the item'),
    },
    { additionalProperties: Type.Unknown(), description: 'Figures behind the score, and where the item is from.' },
  ),
);

export const QueryItem = Type.Object({
  id: Type.String(),
  content: Type.String({
    description:
      'Name: Description. Of a long description the part that fits the question; `metadata.excerpt` tells which.',
  }),
  score: Type.Number({ description: 'From 0 to 1.' }),
  domain: Type.String(),
  node_id: Type.String({ description: 'Equals id; for explore.' }),
  metadata: QueryMetadata,
});

export const QueryResult = Type.Object({
  query_id: Type.String(),
  items: Type.Array(QueryItem),
  rules: Type.Array(RuleItem),
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Parts that could not take part in the answer, and members that were ignored; absent where there are none.',
    }),
  ),
});

/** A place for what is said of misspelt members, in answers that a member which is ignored would change without a word. */
export const IgnoredMembers = Type.Optional(
  Type.Array(Type.String(), { description: 'Members that were ignored; absent where there are none.' }),
);

export const DomainEntry = Type.Object({
  name: Type.String(),
  description: Type.String(),
  concept_count: Type.Integer(),
  edge_count: Type.Integer(),
  rule_count: Type.Integer(),
});

export const IngestResult = Type.Object({
  domain: Type.String(),
  source: Type.String(),
  source_id: Type.String(),
  concepts: Type.Integer(),
  edges: Type.Integer(),
  rules: Type.Integer(),
  passages: Type.Integer(),
  warnings: Type.Array(Type.String()),
  unchanged: Type.Optional(Type.Boolean()),
});

/** Returns a schema as a surface prints it: members with a default are not required. */
export function wireSchema(schema: TSchema): TSchema {
  const properties = schema.properties as Record<string, TSchema> | undefined;
  if (properties === undefined) return schema;
  const required = ((schema.required ?? []) as string[]).filter((name) => properties[name]?.default === undefined);
  const { required: _, ...rest } = schema;
  return { ...rest, ...(required.length > 0 ? { required } : {}) } as TSchema;
}
