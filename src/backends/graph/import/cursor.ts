import { Cursors } from '../../store/cursors.js';

/** Where an unfinished import stands. */
export interface Cursor {
  /** Version of the source graph whose steps are counted. */
  readonly version: number;
  /** Steps that the destination has. */
  readonly done: number;
}

export const cursors = new Cursors<Cursor>('graph_import');
