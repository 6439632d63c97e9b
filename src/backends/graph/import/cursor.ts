import { Cursors } from '../../store/cursors.js';
import type { Stamp } from './stamp.js';

/** Where an unfinished import stands. */
export interface Cursor {
  /** The source graph whose steps are counted. */
  readonly from: Stamp;
  /** The destination as this import last left it: while it is still so, nothing but the import is in it. */
  readonly to: Stamp;
  /** Steps that the destination has. */
  readonly done: number;
  /** True while a write is under way: after a crash it may be there or not. */
  readonly writing: boolean;
}

export const cursors = new Cursors<Cursor>('graph_import');
