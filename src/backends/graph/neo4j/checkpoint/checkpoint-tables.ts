import { sql } from 'kysely';
import { FOLLOWING } from '../../../../ledger/checkpoint/following-tables.js';
import { pagesOf } from '../../../../ledger/checkpoint/table-pages.js';
import { insertPart, packedPart } from '../../../store/checkpoints.js';
import { insertRows, type Row } from '../../../store/rows.js';
import type { Database } from '../../../store/schema.js';
import type { Store, WriteScope } from '../../../store/scope.js';

type Table = keyof typeof FOLLOWING & keyof Database;
const NAMES = Object.keys(FOLLOWING) as Table[];

export function isTable(name: string): name is Table {
  return (NAMES as readonly string[]).includes(name);
}

/** Adds the tables that follow the graph to a checkpoint; answers the number of its last part. */
export async function keepTables(store: Store, checkpoint: string, part: number): Promise<number> {
  let last = part;
  for (const name of NAMES) {
    for await (const rows of pagesOf(store.db, name, FOLLOWING[name])) {
      const body = await packedPart(rows);
      last += 1;
      const values = { checkpoint, part: last, name, body };
      await store.write(({ db }) => insertPart(db, values));
    }
  }
  return last;
}

/** Empties them, to be filled by `putRows`. */
export async function emptyTables({ db }: WriteScope): Promise<void> {
  for (const name of NAMES) await sql`delete from ${sql.table(name)}`.execute(db);
}

export async function putRows({ db }: WriteScope, name: Table, rows: readonly Row[]): Promise<void> {
  await insertRows(db, name, { columns: FOLLOWING[name].columns, rows });
}
