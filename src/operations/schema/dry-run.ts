import { type TBoolean, Type } from '@sinclair/typebox';
import { defaulted } from '../operation.js';

/** Returns the schema of a `dry_run`. */
export function dryRun(description: string): TBoolean {
  return defaulted(Type.Boolean({ description }), false);
}

/** Returns the schema of the `status` of an undo; `what`: what is undone, such as "the edit". */
export function undoStatus(what: string) {
  return Type.Union([Type.Literal('undone'), Type.Literal('dry_run')], {
    description: `dry_run: nothing was changed, and ${what} is shown as it stands.`,
  });
}

/** Returns what an undo shows, with its status. */
export function undone<T extends object>(shown: T, dryRun: boolean | undefined) {
  return { ...shown, status: dryRun === true ? ('dry_run' as const) : ('undone' as const) };
}
