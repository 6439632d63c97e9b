import type { Static, TSchema } from '@sinclair/typebox';
import { Type } from '@sinclair/typebox';

/** Under this key a schema carries the one that documents show in its place. */
const SHOWN = Symbol('shown');

/**
 * Returns a schema that validates loosely, because a parser of its own reads the value and explains what is wrong, and
 * that documents show as `shown`: plain JSON Schema, which may refer to the components of the document.
 */
export function shownAs<T extends TSchema>(schema: T, shown: object): T {
  return { ...schema, [SHOWN]: shown };
}

/** Returns what documents show in place of a schema, where it is something else. */
export function shownOf(schema: TSchema): object | undefined {
  return (schema as { readonly [SHOWN]?: object })[SHOWN];
}

/** Returns the schema of an object whose members are named by the caller and all have one shape. */
export function record<T extends TSchema>(values: T, options: object = {}) {
  return Type.Unsafe<Record<string, Static<T>>>({ type: 'object', additionalProperties: values, ...options });
}
