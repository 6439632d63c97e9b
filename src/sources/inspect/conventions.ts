import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { SvcError } from '../../core/errors.js';

/** How a relational schema is read: `config/sources.yaml`, whose comments explain each member. */
export const Conventions = Type.Object({
  relations: Type.Array(
    Type.Object({
      relation: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' }),
      columns: Type.Optional(Type.Array(Type.String())),
      column_suffixes: Type.Optional(Type.Array(Type.String())),
      table_suffixes: Type.Optional(Type.Array(Type.String())),
      join_table: Type.Optional(
        Type.Object({
          min_foreign_keys: Type.Integer({ minimum: 1 }),
          max_other_columns: Type.Integer({ minimum: 0 }),
        }),
      ),
      on_delete: Type.Optional(Type.String()),
    }),
  ),
  default_relation: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' }),
  bookkeeping_columns: Type.Array(Type.String()),
  catalog: Type.Object({
    columns: Type.Array(Type.String()),
    table_suffixes: Type.Array(Type.String()),
    item_suffixes: Type.Array(Type.String()),
    item_max_foreign_keys: Type.Integer({ minimum: 0 }),
  }),
  name_columns: Type.Array(Type.String()),
  identifier_columns: Type.Optional(Type.Array(Type.String())),
  person_name_columns: Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 })),
  foreign_name_columns: Type.Optional(Type.Array(Type.String())),
  description_columns: Type.Array(Type.String()),
  user_columns: Type.Array(Type.String()),
  user_tables: Type.Array(Type.String()),
  cross_source_confidence: Type.Object({
    user: Type.Number({ minimum: 0, maximum: 1 }),
    other: Type.Number({ minimum: 0, maximum: 1 }),
  }),
});
export type Conventions = Static<typeof Conventions>;

/** Reads the parsed configuration; throws `invalid_input` naming the member that is wrong. */
export function parseConventions(value: unknown): Conventions {
  const [error] = [...Value.Errors(Conventions, value)];
  if (error !== undefined) {
    throw new SvcError(
      'invalid_input',
      `Source conventions: ${error.path.slice(1).replaceAll('/', '.')}: ${error.message}.`,
    );
  }
  return value as Conventions;
}
