import { type TBoolean, Type } from '@sinclair/typebox';
import { defaulted } from '../operation.js';

/** Returns the schema of a `dry_run`. */
export function dryRun(description: string): TBoolean {
  return defaulted(Type.Boolean({ description }), false);
}
