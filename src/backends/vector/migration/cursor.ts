import { Cursors } from '../../store/cursors.js';

/** The progress of an unfinished migration. */
export interface Cursor {
  /** Indexes whose rows are all copied. */
  readonly done: readonly string[];
  readonly index?: string;
  /** The last id copied of `index`. */
  readonly after?: string;
}

export const START: Cursor = { done: [] };

export const cursors = new Cursors<Cursor>('vector_migration');
