import { SvcError } from '../../core/errors.js';
import type { RetractedAssertions } from '../../core/model.js';
import type { Asserted } from './asserted.js';

/** What one source is to assert from now on. */
export interface SourceChange {
  /** Number and public id of the source. */
  readonly ref: number;
  readonly id: string;
  /** True where it asserted something before. */
  readonly existed: boolean;
  /** Adds to what it asserted instead of replacing it. */
  readonly append: boolean;
  /** Of a source that is written in steps: the new assertion of a thing always replaces the old one, and these go. */
  readonly retracted?: RetractedAssertions | undefined;
  /** Null where the source is forgotten. */
  readonly next: Asserted | null;
}

/** Returns the numbers of the sources whose former assertions are removed. */
export function replacedRefs(changes: readonly SourceChange[]): number[] {
  return changes.filter((change) => change.existed && !change.append).map((change) => change.ref);
}

/** Returns the error for a source that requests the id of a node that is not its own. */
export function taken(id: string): SvcError {
  return new SvcError('conflict', `Node ${id} belongs to another source or is of another kind; choose another id.`, {
    id,
  });
}
