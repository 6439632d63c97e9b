import type { Kysely } from 'kysely';
import type { Columns } from '../columns.js';

/** One step forward; never edited after release, there is no way back. */
export interface Migration {
  readonly name: string;
  up(db: Kysely<unknown>, columns: Columns): Promise<void>;
}
