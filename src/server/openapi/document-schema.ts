import type { TSchema } from '@sinclair/typebox';
import { PROSE } from '../../operations/invoke/clean-text.js';
import { isClosed } from '../../operations/invoke/validate.js';
import { constraintsOf } from '../../operations/schema/constraints.js';
import { shownOf } from '../../operations/schema/shown.js';
import type { Input } from '../routes/row.js';

type Schema = Input;
type Members = Readonly<Record<string, TSchema>>;

/** How a value travels: in JSON an optional member may be null; in a query string or a form there is no null. */
export interface Place {
  readonly json: boolean;
  /** True inside a member that is written to be read: NUL is taken out of it; elsewhere it is refused. */
  readonly prose: boolean;
}

/** Text that every engine can keep. */
export const STORABLE = '^[^\\u0000]*$';
/** Any JSON whose texts every engine can keep; `#/components/schemas/JsonValue`. */
const JSON_VALUE = { $ref: '#/components/schemas/JsonValue' };

/** The components that documents of requests refer to. */
export const requestComponents: Schema = {
  JsonValue: {
    description: 'Any JSON value; no text in it holds NUL.',
    anyOf: [
      { type: ['null', 'boolean', 'number'] },
      { type: 'string', pattern: STORABLE },
      { type: 'array', items: JSON_VALUE },
      { type: 'object', propertyNames: { pattern: STORABLE }, additionalProperties: JSON_VALUE },
    ],
  },
};

/** Returns the schema of an operation's input as a caller meets it: with everything that validation asks for. */
export function inputSchema(schema: TSchema, json: boolean): Schema {
  return documented(schema, { json, prose: false }, true);
}

/** Returns the schema of one member of an input, as it travels in a path or a query string, where objects are JSON. */
export function memberSchema(input: TSchema, name: string): Schema {
  const member = ((input.properties ?? {}) as Members)[name];
  if (member === undefined) return { type: 'string', minLength: 1 };
  return documented(member, { json: member.type === 'object', prose: PROSE.has(name) });
}

/** Returns a schema as plain JSON, without the library's symbols. */
export function schemaJson(schema: TSchema): Schema {
  return JSON.parse(JSON.stringify(schema)) as Schema;
}

function documented(schema: TSchema, place: Place, top = false): Schema {
  const shown = shownOf(schema);
  if (shown !== undefined) return schemaJson(shown as TSchema);
  if (schema.properties !== undefined) return objectSchema(schema, place, top);
  if (schema.type === 'array') return listSchema(schema, place);
  if (schema.type === 'object') return recordSchema(schema, place);
  if (schema.anyOf !== undefined) return unionSchema(schema);
  if (schema.type === 'string') return textSchema(schema, place);
  return isAnything(schema) && !place.prose ? { ...schemaJson(schema), ...JSON_VALUE } : schemaJson(schema);
}

function objectSchema(schema: TSchema, place: Place, top: boolean): Schema {
  const members = schema.properties as Members;
  const required = ((schema.required ?? []) as string[]).filter((name) => members[name]?.default === undefined);
  const properties = Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      const inside = documented(member, { ...place, prose: place.prose || (top && PROSE.has(name)) });
      return [name, place.json && !isClosed(schema) && !required.includes(name) ? nullable(inside) : inside];
    }),
  );
  const allOf = constraintsOf(schema).map(({ keywords }) => keywords(members));
  const { properties: _, required: __, ...rest } = schemaJson(schema);
  return {
    ...rest,
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(allOf.length === 0 ? {} : { allOf }),
  };
}

function listSchema(schema: TSchema, place: Place): Schema {
  const items = schema.items as TSchema | undefined;
  return { ...schemaJson(schema), ...(items === undefined ? {} : { items: documented(items, place) }) };
}

/** Returns the schema of an object whose members the caller names. */
function recordSchema(schema: TSchema, place: Place): Schema {
  const values = schema.additionalProperties as TSchema | boolean | undefined;
  return {
    ...schemaJson(schema),
    ...(place.prose ? {} : { propertyNames: { ...(schema.propertyNames as Schema | undefined), pattern: STORABLE } }),
    ...(typeof values === 'object' ? { additionalProperties: documented(values, place) } : {}),
  };
}

/** Returns the schema of a union; one of fixed texts is an enumeration to its readers. */
function unionSchema(schema: TSchema): Schema {
  const { anyOf, ...rest } = schemaJson(schema);
  const values = (anyOf as Schema[]).map((branch) => branch.const);
  if (values.some((value) => typeof value !== 'string')) return { ...rest, anyOf };
  return { ...rest, type: 'string', enum: values };
}

function textSchema(schema: TSchema, place: Place): Schema {
  const bounded = ['pattern', 'enum', 'const', 'format', 'contentMediaType'].some((keyword) => keyword in schema);
  return bounded || place.prose ? schemaJson(schema) : { ...schemaJson(schema), pattern: STORABLE };
}

function isAnything(schema: TSchema): boolean {
  return ['type', 'anyOf', 'enum', 'const', '$ref'].every((keyword) => !(keyword in schema));
}

/** Returns a schema that takes null too. */
export function nullable(schema: Schema): Schema {
  // A format beside a list of types is overlooked by some readers.
  if (typeof schema.type === 'string' && schema.format === undefined) {
    const values = schema.enum as unknown[] | undefined;
    return {
      ...schema,
      type: [schema.type, 'null'],
      ...(values === undefined ? {} : { enum: [...values, null] }),
    };
  }
  const { description, default: fallback, ...rest } = schema;
  return {
    anyOf: [rest, { type: 'null' }],
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { default: fallback }),
  };
}
