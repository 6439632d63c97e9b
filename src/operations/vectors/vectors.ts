import { Type } from '@sinclair/typebox';
import type { JsonObject } from '../../core/model.js';
import { defaulted, operation, optional } from '../operation.js';
import { atLeastOne, constrained, exactlyOne } from '../schema/constraints.js';
import { dryRun } from '../schema/dry-run.js';
import { record, shownAs } from '../schema/shown.js';
import { IgnoredMembers, topK } from '../shapes.js';

const IndexName = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'Name of the index: letters, digits, underscore, hyphen.',
});
/** Largest number of 32 bits. */
const FLOAT = 3.4028234663852886e38;
const Vector = Type.Array(Type.Number({ minimum: -FLOAT, maximum: FLOAT }), {
  minItems: 1,
  maxItems: 8192,
  description: 'Components, each a number of 32 bits.',
});
const Metadata = record(Type.Unknown(), {
  maxProperties: 1000,
  description: 'Object of JSON values, for filters.',
});
const Id = Type.String({ minLength: 1, maxLength: 512, description: 'Id of an entry.' });
const FilterText = {
  maxProperties: 1000,
  description:
    'Members to equal, or operators $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $and, $or, $not; nested members as a.b.',
};
const FILTER = { $ref: '#/components/schemas/VectorFilter' };
const Filter = shownAs(record(Type.Unknown(), FilterText), FILTER);
/** The filter of a change, which must not pass everything by being empty. */
const ChangeFilter = shownAs(record(Type.Unknown(), { ...FilterText, minProperties: 1 }), {
  ...FILTER,
  minProperties: 1,
});
const FILTER_RULE =
  'filter holds at most 1,000 conditions, nested at most 100 levels deep, and 10,000 values in the lists of $in and $nin.';
const EVERY_RULE = `${FILTER_RULE} It must name a member: one that passes every entry is refused.`;
const RESERVED_RULE = "index_name must not begin with the service's own name and an underscore (svc_).";
const Metric = Type.Union([Type.Literal('cosine'), Type.Literal('euclidean'), Type.Literal('dotproduct')]);

export const vectorCreateIndex = operation({
  name: 'vector_create_index',
  summary: 'Creates a named vector index, or says that one of this dimension exists.',
  rules: { index_name: RESERVED_RULE },
  idempotent: true,
  input: Type.Object({
    index_name: IndexName,
    dimension: Type.Integer({ minimum: 1, maximum: 8192, description: 'Components of each vector.' }),
    metric: defaulted(Type.Unsafe<'cosine' | 'euclidean' | 'dotproduct'>(enumeration()), 'cosine'),
  }),
  output: Type.Object({ status: Type.String(), index_name: Type.String() }),
  run: async (service, { index_name, dimension, metric }) => ({
    status: await service.vectorIndexes.create(index_name, dimension, metric),
    index_name,
  }),
});

export const vectorListIndexes = operation({
  name: 'vector_list_indexes',
  summary: 'Names of the vector indexes; describe tells dimension, metric and number of entries.',
  readOnly: true,
  input: Type.Object({}),
  output: Type.Object({ indexes: Type.Array(Type.String()) }),
  run: async (service) => ({ indexes: (await service.vectorIndexes.list()).map(({ name }) => name) }),
});

export const vectorDescribeIndex = operation({
  name: 'vector_describe_index',
  summary: 'Dimension, metric and number of entries of a named vector index.',
  readOnly: true,
  input: Type.Object({ index_name: IndexName }),
  output: Type.Object({ dimension: Type.Integer(), count: Type.Integer(), metric: Metric }),
  run: async (service, { index_name }) => {
    const { dimension, count, metric } = await service.vectorIndexes.describe(index_name);
    return { dimension, count, metric };
  },
});

export const vectorDeleteIndex = operation({
  name: 'vector_delete_index',
  summary: 'Deletes a named vector index and its data.',
  destructive: true,
  input: Type.Object({ index_name: IndexName }),
  output: Type.Object({ status: Type.String(), index_name: Type.String() }),
  run: async (service, { index_name }) => {
    await service.vectorIndexes.drop(index_name);
    return { status: 'deleted', index_name };
  },
});

export const vectorUpsert = operation({
  name: 'vector_upsert',
  summary: 'Stores vectors, replacing those of equal ids; an unknown index is created with their dimension and cosine.',
  rules: {
    index_name: RESERVED_RULE,
    vectors: 'vectors all have the dimension of the index.',
    metadata: 'metadata, where given, has as many elements as vectors.',
    ids: 'ids, where given, has as many elements as vectors.',
    documents: 'documents, where given, has as many elements as vectors.',
  },
  input: Type.Object({
    index_name: IndexName,
    vectors: Type.Array(Vector, {
      minItems: 1,
      maxItems: 100_000,
      description: 'Vectors of the dimension of the index, each a list of numbers.',
    }),
    metadata: optional(
      Type.Array(Metadata, { maxItems: 100_000, description: 'One object for each vector; default empty ones.' }),
    ),
    ids: optional(Type.Array(Id, { maxItems: 100_000, description: 'One for each vector; default new UUIDs.' })),
    documents: optional(
      Type.Array(Type.String({ maxLength: 100_000 }), { maxItems: 100_000, description: 'One text for each vector.' }),
    ),
  }),
  output: Type.Object({ ids: Type.Array(Type.String()) }),
  run: async (service, { index_name, vectors, metadata, ids, documents }) => ({
    ids: await service.vectorIndexes.upsert(index_name, {
      vectors,
      ...(metadata === undefined ? {} : { metadata: metadata as JsonObject[] }),
      ...(ids === undefined ? {} : { ids }),
      ...(documents === undefined ? {} : { documents }),
    }),
  }),
});

export const vectorQuery = operation({
  name: 'vector_query',
  summary: 'The nearest entries of a named vector index, best first, optionally filtered by metadata.',
  readOnly: true,
  rules: { query_vector: 'query_vector has the dimension of the index.', filter: FILTER_RULE },
  input: Type.Object({
    index_name: IndexName,
    query_vector: Vector,
    top_k: topK(10),
    filter: optional(Filter),
    include_vector: defaulted(Type.Boolean({ description: 'Whether results carry their vectors.' }), false),
  }),
  output: Type.Object({
    results: Type.Array(
      Type.Object({
        id: Type.String(),
        score: Type.Number({ description: 'Higher is better: cosine, dot product, or 1/(1+distance).' }),
        metadata: Metadata,
        document: optional(Type.String()),
        vector: optional(Type.Array(Type.Number())),
      }),
    ),
    warnings: IgnoredMembers,
  }),
  run: async (service, { index_name, query_vector, top_k, filter, include_vector }) => ({
    results: await service.vectorIndexes.query(index_name, {
      vector: query_vector,
      topK: top_k,
      includeVector: include_vector,
      ...(filter === undefined ? {} : { filter }),
    }),
  }),
});

export const vectorUpdate = operation({
  name: 'vector_update',
  summary: 'Merges metadata into, or replaces the vector of, one entry or those that pass a filter.',
  rules: { vector: 'vector has the dimension of the index.', filter: EVERY_RULE },
  input: constrained(
    Type.Object({
      index_name: IndexName,
      id: optional(Id),
      filter: optional(ChangeFilter),
      vector: optional(Vector),
      metadata: optional(Metadata),
    }),
    exactlyOne('id', 'filter'),
    atLeastOne('vector', 'metadata'),
  ),
  output: Type.Object({ status: Type.String(), count: Type.Integer() }),
  run: async (service, { index_name, id, filter, vector, metadata }) => ({
    status: 'updated',
    count: await service.vectorIndexes.update(index_name, id === undefined ? { filter } : { ids: [id] }, {
      ...(vector === undefined ? {} : { vector }),
      ...(metadata === undefined ? {} : { metadata: metadata as JsonObject }),
    }),
  }),
});

export const vectorDelete = operation({
  name: 'vector_delete',
  summary: 'Deletes one entry; an id that is not there is as good as deleted.',
  destructive: true,
  idempotent: true,
  input: Type.Object({ index_name: IndexName, id: Id }),
  output: Type.Object({ status: Type.String(), id: Type.String() }),
  run: async (service, { index_name, id }) => {
    await service.vectorIndexes.delete(index_name, { ids: [id] });
    return { status: 'deleted', id };
  },
});

export const vectorDeleteMany = operation({
  name: 'vector_delete_many',
  summary: 'Deletes entries by id, or all that pass a filter.',
  destructive: true,
  idempotent: true,
  rules: { filter: EVERY_RULE },
  input: constrained(
    Type.Object({
      index_name: IndexName,
      ids: optional(Type.Array(Id, { maxItems: 100_000, description: 'Ids of the entries; or give filter.' })),
      filter: optional(ChangeFilter),
      dry_run: dryRun('Only counts the entries that would be deleted; `status` is `dry_run` then.'),
    }),
    exactlyOne('ids', 'filter'),
  ),
  output: Type.Object({
    status: Type.String(),
    count: Type.Integer({ description: 'Entries that were deleted, or would be.' }),
  }),
  run: async (service, { index_name, ids, filter, dry_run }) => ({
    status: dry_run === true ? 'dry_run' : 'deleted',
    count: await service.vectorIndexes.delete(index_name, ids === undefined ? { filter } : { ids }, {
      dryRun: dry_run,
    }),
  }),
});

function enumeration() {
  return { type: 'string', enum: ['cosine', 'euclidean', 'dotproduct'], description: 'How closeness is measured.' };
}

export { migrateVec } from './vector-migration.js';
