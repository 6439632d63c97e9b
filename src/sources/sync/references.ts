import type { Cell, DatabaseRow, RelationalDatabase } from '../../backends/relational/port.js';
import { keyColumnsOf, keyText, rowKey } from '../inspect/identity.js';
import type { FoundKeys, RowPlan, RowReference } from './row-graph.js';

const BATCH = 200;

/** Looks up the rows that these rows reference by unique columns other than the key. */
export async function foundKeys(
  database: RelationalDatabase,
  plan: RowPlan,
  rows: readonly DatabaseRow[],
): Promise<FoundKeys> {
  const found = new Map<RowReference, ReadonlyMap<string, string>>();
  for (const foreign of plan.keys) {
    if (foreign.order === null) found.set(foreign, await keysBehind(database, foreign, rows));
  }
  return found;
}

async function keysBehind(
  database: RelationalDatabase,
  { columns, references, target }: RowReference,
  rows: readonly DatabaseRow[],
): Promise<Map<string, string>> {
  const wanted = new Map<string, Cell[]>();
  for (const row of rows) {
    const values = columns.map((column) => row[column] ?? null);
    if (!values.includes(null)) wanted.set(keyText(values), values);
  }
  const keys = new Map<string, string>();
  const all = [...wanted.values()];
  for (let start = 0; start < all.length; start += BATCH) {
    const values = all.slice(start, start + BATCH);
    const matches = await database.page({
      table: target,
      columns: [...new Set([...keyColumnsOf(target), ...references])],
      keys: [],
      limit: BATCH,
      matching: { columns: references, values },
    });
    for (const row of matches) keys.set(keyText(references.map((column) => row[column] ?? null)), rowKey(target, row));
  }
  return keys;
}
