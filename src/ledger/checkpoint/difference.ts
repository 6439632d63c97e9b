import { sql } from 'kysely';
import { type CheckpointPart, checkpointPart, checkpointParts } from '../../backends/store/checkpoints.js';
import { forRows, GIVEN, insertRows, type ValueRow } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import { type PagedTable, TABLES, type Table } from './table-columns.js';
import { pagesOf } from './table-pages.js';

/** What one table has too much, and lacks, against a checkpoint. */
interface TableDifference {
  readonly name: Table;
  /** Keys of rows that the checkpoint does not have, or has otherwise. */
  readonly obsolete: ValueRow[];
  /** Part → places of its rows that are missing. */
  readonly missing: Map<number, readonly number[]>;
  /** Keys of the missing rows. */
  readonly missingKeys: ValueRow[];
  /** Rows that both have. */
  equal: number;
  /** Key up to which both were read. */
  after: ValueRow;
}

export type Difference = ReadonlyMap<Table, TableDifference>;

/** Compares the graph with a checkpoint, a page at a time. */
export async function differenceTo(db: Db, checkpoint: string): Promise<Difference> {
  const names = Object.keys(TABLES) as Table[];
  const all = new Map(names.map((name) => [name, emptyDifference(name)]));
  for await (const part of checkpointParts(db, checkpoint)) await comparePart(db, all.get(part.name as Table)!, part);
  for (const difference of all.values()) await noteRest(db, difference);
  return all;
}

/** Deletes what is too much, then inserts what is missing. */
export async function applyDifference(db: Db, checkpoint: string, difference: Difference): Promise<void> {
  for (const table of difference.values()) await deleteObsolete(db, table);
  for (const { name, missing } of difference.values()) {
    const { columns } = TABLES[name];
    for (const [number, places] of missing) {
      const { rows } = await checkpointPart(db, checkpoint, number);
      await insertRows(db, name, { columns, rows: places.map((place) => rows[place] as ValueRow) });
    }
  }
}

/** Returns the first columns of the keys of all rows of a table that go or come. */
export function touchedBy(difference: Difference, name: Table): number[] {
  const { obsolete, missingKeys } = difference.get(name)!;
  return [...obsolete, ...missingKeys].map((key) => key[0] as number);
}

function emptyDifference(name: Table): TableDifference {
  return { name, obsolete: [], missing: new Map(), missingKeys: [], equal: 0, after: TABLES[name].start };
}

async function comparePart(db: Db, difference: TableDifference, { part, rows }: CheckpointPart): Promise<void> {
  const { keyOf } = TABLES[difference.name];
  const wanted = new Map(rows.map((row, place) => [JSON.stringify(keyOf(row as ValueRow)), place]));
  const upTo = keyOf(rows.at(-1) as ValueRow);
  for await (const found of pagesOf(db, difference.name, { after: difference.after, upTo })) {
    for (const row of found) {
      const key = keyOf(row);
      const at = JSON.stringify(key);
      const place = wanted.get(at);
      if (place !== undefined && isEqual(row, rows[place] as ValueRow)) {
        wanted.delete(at);
        difference.equal += 1;
      } else difference.obsolete.push(key);
    }
  }
  difference.after = upTo;
  if (wanted.size === 0) return;
  difference.missing.set(part, [...wanted.values()]);
  for (const place of wanted.values()) difference.missingKeys.push(keyOf(rows[place] as ValueRow));
}

/** Notes what the table has after the last row of the checkpoint. */
async function noteRest(db: Db, difference: TableDifference): Promise<void> {
  const { keyOf } = TABLES[difference.name];
  for await (const found of pagesOf(db, difference.name, { after: difference.after })) {
    for (const row of found) difference.obsolete.push(keyOf(row));
  }
}

async function deleteObsolete(db: Db, { name, obsolete, equal }: TableDifference): Promise<void> {
  if (equal === 0) {
    await sql`delete from ${sql.table(name)}`.execute(db);
    return;
  }
  const { by, columns }: PagedTable = TABLES[name];
  const key = sql.join(by.map((column) => sql.ref(column)));
  const types = Object.fromEntries(by.map((column) => [column, columns[column]!]));
  await forRows(db, types, obsolete)`delete from ${sql.table(name)} where (${key}) in (select ${key} from ${GIVEN})`;
}

/** A checkpoint of an earlier release may lack columns, which read as null. */
function isEqual(row: ValueRow, wanted: ValueRow): boolean {
  return row.every((value, i) => value === (wanted[i] ?? null));
}
