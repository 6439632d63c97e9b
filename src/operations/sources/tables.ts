import { type TSchema, Type } from '@sinclair/typebox';

/** What discovery and inspection say of the tables of a database. */

const Names = listOf(Type.String());
const Estimated = Type.Optional(
  Type.Literal(true, { description: 'Present where row_count is an estimate of the database.' }),
);
const Counted = {
  row_count: Type.Integer(),
  row_count_estimated: Estimated,
  pk_columns: Names,
};
const Columns = listOf(Type.Object({ name: Type.String(), type: Type.String(), nullable: Type.Boolean() }));

export const DiscoveredTable = Type.Object({
  name: Type.String(),
  schema: Type.String(),
  kind: Type.Union([Type.Literal('table'), Type.Literal('view')]),
  columns: Columns,
  ...Counted,
  fk_count: Type.Integer(),
});

export const InspectedTable = Type.Object({
  name: Type.String(),
  schema: Type.String(),
  columns: Columns,
  ...Counted,
  foreign_keys: listOf(
    Type.Object({
      name: Type.String(),
      columns: Names,
      references: Type.Object({ schema: Type.String(), table: Type.String(), columns: Names }),
      on_delete: Type.String(),
    }),
  ),
  check_constraints: listOf(Type.Object({ name: Type.String(), sql: Type.String() })),
  unique_constraints: listOf(Names),
  is_catalog: Type.Boolean(),
  domain: Type.String(),
  name_column: Type.Union([Type.String(), Type.Null()]),
  name_columns: Type.Optional(listOf(Type.String(), { description: 'Where two columns name a row together.' })),
});

export const SchemaEdge = Type.Object({
  source: Type.String(),
  target: Type.String(),
  relation_type: Type.String(),
  columns: Names,
  confidence: Type.Number(),
});

export const SchemaRule = Type.Object({ table: Type.String(), text: Type.String(), sql: Type.String() });

export const CrossSourceEdge = Type.Object({
  source: Type.String(),
  column: Type.String(),
  target_source: Type.String(),
  target: Type.String(),
  relation_type: Type.String(),
  confidence: Type.Number(),
});

/** Returns the schema of a list that nobody changes. */
function listOf<T extends TSchema>(items: T, options: object = {}) {
  return Type.Unsafe<ReadonlyArray<T['static']>>(Type.Array(items, options));
}
