import type { Cell, ColumnInfo, PageRequest, TableInfo } from './port.js';

/** Returns a name between double quotes, which all three dialects understand as we open them. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function qualified(schema: string, table: string): string {
  return `${quoted(schema)}.${quoted(table)}`;
}

/**
 * Returns columns whose bytes name rows: they are read as hexadecimal text, all other bytes not at all. Keys and
 * references; what the rows are ordered by, which may be a unique constraint; and what was requested by name, as unique
 * columns are that another table references.
 */
export function keyColumns({
  table,
  keys,
  columns = [],
}: Pick<PageRequest, 'table' | 'keys' | 'columns'>): ReadonlySet<string> {
  return new Set([...table.pk_columns, ...table.foreign_keys.flatMap((key) => key.columns), ...keys, ...columns]);
}

/** Returns the column of that name; the callers take names from the table itself. */
export function columnOf(table: TableInfo, name: string): ColumnInfo {
  return table.columns.find((column) => column.name === name) ?? { name, type: '', nullable: true };
}

/** Groups rows by a member, in the order they come. */
export function groupedBy<T>(rows: readonly T[], key: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group === undefined) groups.set(key(row), [row]);
    else group.push(row);
  }
  return groups;
}

/**
 * Returns conditions that every dialect writes alike: rows after a key, rows not older than a time, rows with given
 * values. `bind` returns the SQL for a value of a column. With `spelled`, a composite key is compared column by column
 * behind a bound on its first column, for engines that do not use an index for row values.
 */
export function conditionsOf(
  request: {
    readonly keys: readonly string[];
    readonly after?: readonly Cell[];
    readonly since?: { readonly column: string; readonly value: string };
    readonly matching?: { readonly columns: readonly string[]; readonly values: ReadonlyArray<readonly Cell[]> };
  },
  write: {
    readonly column: (name: string) => string;
    readonly bind: (name: string, value: Cell) => string;
    readonly spelled: boolean;
  },
): string {
  const { keys, after, since, matching } = request;
  const conditions: string[] = [];
  if (after !== undefined) {
    conditions.push(
      write.spelled && keys.length > 1
        ? spelledAfter(keys, after, write)
        : `(${keys.map(write.column).join(', ')}) > (${keys.map((name, i) => write.bind(name, after[i] ?? null)).join(', ')})`,
    );
  }
  if (since !== undefined) conditions.push(`${write.column(since.column)} >= ${write.bind(since.column, since.value)}`);
  if (matching !== undefined) {
    const rows = matching.values.map(
      (values) => `(${matching.columns.map((name, i) => write.bind(name, values[i] ?? null)).join(', ')})`,
    );
    conditions.push(
      `(${matching.columns.map(write.column).join(', ')}) in (${rowsList(rows, matching.columns.length, write.spelled)})`,
    );
  }
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
}

/** Returns a list of rows in SQL: SQLite knows rows only as `values`, MySQL only as a list; PostgreSQL takes both. */
function rowsList(rows: readonly string[], width: number, list: boolean): string {
  if (width === 1) return rows.map((row) => row.slice(1, -1)).join(', ');
  return list ? rows.join(', ') : `values ${rows.join(', ')}`;
}

function spelledAfter(
  keys: readonly string[],
  after: readonly Cell[],
  write: { readonly column: (name: string) => string; readonly bind: (name: string, value: Cell) => string },
): string {
  const term = (i: number, operator: string): string =>
    `${write.column(keys[i] ?? '')} ${operator} ${write.bind(keys[i] ?? '', after[i] ?? null)}`;
  // Placeholders are bound in the order in which they are written.
  const bound = term(0, '>=');
  const cases = keys.map((_, last) =>
    keys
      .slice(0, last + 1)
      .map((_key, i) => term(i, i === last ? '>' : '='))
      .join(' and '),
  );
  return `${bound} and ((${cases.join(') or (')}))`;
}
