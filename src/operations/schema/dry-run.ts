import { type TBoolean, type TSchema, Type } from '@sinclair/typebox';
import { defaulted } from '../operation.js';

/** Under this key a schema says that null is refused for it, and not taken for absent. */
const REFUSES_NULL = Symbol('refuses null');

/** Returns the schema of a `dry_run`. Null is refused: taken for absent it would change what was only to be looked at. */
export function dryRun(description: string): TBoolean {
  return { ...defaulted(Type.Boolean({ description }), false), [REFUSES_NULL]: true };
}

/** Returns whether null is refused for a member, though it is optional. */
export function refusesNull(schema: TSchema | undefined): boolean {
  return schema !== undefined && REFUSES_NULL in schema;
}
