import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../core/package-root.js';

type Schema = Record<string, unknown>;

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
/** Text without NUL, which not every engine can keep. */
const Text: Schema = { type: 'string', pattern: '^[^\\u0000]*$' };
const Scalar: Schema = { anyOf: [Text, { type: ['number', 'boolean', 'null'] }] };
const Ordered: Schema = { anyOf: [Text, { type: 'number' }] };
const Scalars: Schema = { type: 'array', items: Scalar };

/** A condition on metadata, as `backends/vector/filter` reads it. */
const VectorFilter: Schema = {
  description: 'Members side by side mean and; a nested member is written a.b.',
  type: 'object',
  maxProperties: 1000,
  propertyNames: { pattern: '^(\\$and|\\$or|\\$not|[^$.\\u0000][^.\\u0000]*(\\.[^.\\u0000]+)*)$' },
  properties: {
    $and: { type: 'array', minItems: 1, items: ref('VectorFilter') },
    $or: { type: 'array', minItems: 1, items: ref('VectorFilter') },
    $not: ref('VectorFilter'),
  },
  additionalProperties: ref('VectorTest'),
};

/** What one member of the metadata is compared with. */
const VectorTest: Schema = {
  description: 'A value to equal, or operators.',
  anyOf: [
    Text,
    { type: ['number', 'boolean', 'null'] },
    {
      type: 'object',
      minProperties: 1,
      properties: {
        $eq: Scalar,
        $ne: Scalar,
        $gt: Ordered,
        $gte: Ordered,
        $lt: Ordered,
        $lte: Ordered,
        $in: Scalars,
        $nin: Scalars,
        $not: ref('VectorTest'),
      },
      additionalProperties: false,
    },
  ],
};

/** What documents of operations refer to under `#/components/schemas`. */
export const inputComponents: Schema = { VectorFilter, VectorTest, RuleSet: ruleSet() };

/** Returns the schema of a rule set with its definitions in their places, and its texts as the service takes them. */
function ruleSet(): Schema {
  const {
    $schema: _schema,
    $id: _id,
    $defs,
    ...schema
  } = JSON.parse(readFileSync(join(packageRoot(), 'schemas', 'seed.v1.schema.json'), 'utf8')) as Schema;
  return storable(schema, $defs as Schema) as Schema;
}

function storable(value: unknown, definitions: Schema): unknown {
  if (Array.isArray(value)) return value.map((item) => storable(item, definitions));
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Schema;
  if (typeof schema.$ref === 'string') return storable(definitions[schema.$ref.slice('#/$defs/'.length)], definitions);
  const inside = Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, storable(inner, definitions)]));
  if (isFreeText(schema)) return { ...inside, pattern: Text.pattern };
  if (schema.type !== 'object') return inside;
  return { ...inside, propertyNames: { pattern: Text.pattern }, additionalProperties: ref('JsonValue') };
}

function isFreeText({ type, format, pattern }: Schema): boolean {
  return (
    format === undefined &&
    pattern === undefined &&
    (type === 'string' || (Array.isArray(type) && type.includes('string')))
  );
}
