import type { Cell, DatabaseRow, RelationalDatabase, TableInfo } from '../../backends/relational/port.js';
import type { Store } from '../../backends/store/scope.js';
import { listSyncs } from '../../backends/store/sources.js';
import { SvcError } from '../../core/errors.js';
import { keyColumnsOf, keyText, rowKey, tableKey } from '../inspect/identity.js';
import type { ReferencedRow, ReferencedRows, RowPlan, RowReference } from './row-plan.js';
import { nameIn } from './row-text.js';

const BATCH = 200;

/** Returns, by `tableKey`, these tables and those of the source that were synced before: their rows may be named in others. */
export async function namedTables(
  { db }: Pick<Store, 'db'>,
  sourceId: string,
  tables: readonly TableInfo[],
): Promise<ReadonlySet<string>> {
  const synced = await listSyncs(db, sourceId);
  return new Set([...tables.map(tableKey), ...synced.map(({ table_name }) => table_name)]);
}

/** Looks up the rows that these rows refer to, where their names or keys are needed. */
export async function referencedRows(
  database: RelationalDatabase,
  plan: RowPlan,
  rows: readonly DatabaseRow[],
): Promise<ReferencedRows> {
  const found = new Map<RowReference, ReadonlyMap<string, ReferencedRow>>();
  const namesOf = new Map((plan.shown ?? []).map(({ reference, names }) => [reference, names]));
  for (const reference of new Set([...plan.keys, ...namesOf.keys()])) {
    const names = namesOf.get(reference) ?? [];
    const isNeeded = reference.order === null && plan.keys.includes(reference);
    if (!isNeeded && names.length === 0) continue;
    const behind = rowsBehind(database, { reference, names }, rows);
    found.set(reference, await (isNeeded ? behind : behind.catch(noneUnlessLost)));
  }
  return found;
}

/** A table that cannot be read gives no names, which is no reason to leave out the rows that refer to it. */
function noneUnlessLost(error: unknown): ReadonlyMap<string, ReferencedRow> {
  if (error instanceof SvcError && (error.code === 'forbidden' || error.code === 'conflict')) return new Map();
  throw error;
}

async function rowsBehind(
  database: RelationalDatabase,
  { reference, names }: { readonly reference: RowReference; readonly names: readonly string[] },
  rows: readonly DatabaseRow[],
): Promise<ReadonlyMap<string, ReferencedRow>> {
  const { columns, references, target } = reference;
  const wanted = new Map<string, Cell[]>();
  for (const row of rows) {
    const values = columns.map((column) => row[column] ?? null);
    if (!values.includes(null)) wanted.set(keyText(values), values);
  }
  const found = new Map<string, ReferencedRow>();
  const all = [...wanted.values()];
  for (let start = 0; start < all.length; start += BATCH) {
    const values = all.slice(start, start + BATCH);
    const matches = await database.page({
      table: target,
      columns: [...new Set([...keyColumnsOf(target), ...references, ...names])],
      keys: [],
      limit: BATCH,
      matching: { columns: references, values },
    });
    for (const row of matches) {
      const key = keyText(references.map((column) => row[column] ?? null));
      found.set(key, { key: rowKey(target, row), name: nameIn(row, names) });
    }
  }
  return found;
}
