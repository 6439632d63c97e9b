import type { TSchema } from '@sinclair/typebox';
import { constraintsOf } from '../schema/constraints.js';

/** A time as the schemas want it. */
export const TIME = '2026-03-01T12:30:00Z';

/** What members of these names may hold; others take the first of `TEXTS` that their schema allows. */
const BY_NAME: Readonly<Record<string, string>> = {
  source: 'Cache',
  target: 'Redis',
  relation: 'USES',
  text: 'Rinse the filter every Monday.',
};
/** What the keys of a mapping of this name are. */
const KEYS: Readonly<Record<string, string>> = { outcomes: 'handbook:3f2a9c' };
const TEXTS = ['handbook', 'USES', 'sqlite:shop.db', '2026'];

/** Returns a small value that a schema allows, for an error to show: required members, one element, short texts. */
export function exampleOf(schema: TSchema, name = ''): unknown {
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(schema.anyOf)) return exampleOf(schema.anyOf[0] as TSchema, name);
  switch (schema.type) {
    case 'string':
      return textOf(schema, name);
    case 'integer':
      return within(schema, typeof schema.default === 'number' && schema.default > 0 ? schema.default : 1);
    case 'number':
      return within(schema, 0.5);
    case 'boolean':
      return true;
    case 'array':
      return [schema.items === undefined ? 'handbook' : exampleOf(schema.items as TSchema, name)];
    case 'object':
      return objectOf(schema, name);
    default:
      return 'handbook';
  }
}

function textOf(schema: TSchema, name: string): string {
  if (schema.format === 'date-time') return TIME;
  const known = Object.hasOwn(BY_NAME, name) ? [BY_NAME[name]!] : [];
  const pattern = new RegExp(String(schema.pattern ?? ''), 'u');
  return [...known, ...TEXTS].find((text) => pattern.test(text)) ?? 'handbook';
}

function within({ minimum, maximum }: TSchema, value: number): number {
  const least = typeof minimum === 'number' ? Math.max(minimum, value) : value;
  return typeof maximum === 'number' ? Math.min(maximum, least) : least;
}

/** Returns the members that an object must have; of rules over several members the first that they ask for. */
function objectOf(schema: TSchema, name: string): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, TSchema>;
  if (Object.keys(properties).length === 0) {
    const values = schema.additionalProperties as TSchema | boolean | undefined;
    return { [KEYS[name] ?? 'name']: typeof values === 'object' ? exampleOf(values) : 'handbook' };
  }
  const example: Record<string, unknown> = {};
  for (const name of (schema.required ?? []) as string[])
    if (properties[name]?.default === undefined) example[name] = exampleOf(properties[name]!, name);
  for (const { complaint } of constraintsOf(schema)) {
    const member = complaint(example)?.member;
    const missing = member === undefined ? undefined : properties[member];
    if (member !== undefined && missing !== undefined) example[member] = exampleOf(missing, member);
  }
  return example;
}
