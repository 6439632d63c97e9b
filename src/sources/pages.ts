import type { Cell, RelationalDatabase, Row, TableInfo } from '../backends/relational/port.js';
import { rowKey } from './identity.js';

export interface RowPage {
  /** Rows to compare and load. */
  readonly rows: readonly Row[];
  /** Rows that are known and need no look: their key and the hash they had. */
  readonly untouched: ReadonlyArray<{ readonly key: string; readonly hash: string }>;
  /** JSON to go on from after a crash. */
  readonly position: string;
}

interface PageOptions {
  readonly limit: number;
  readonly position: string | null;
  /** Hashes of rows read before, by key. */
  readonly known: (keys: readonly string[]) => Promise<Map<string, string>>;
  /** Set: rows that are not changed since then are only counted, by their keys. */
  readonly since: { readonly column: string; readonly value: string } | undefined;
}

interface Position {
  readonly after?: readonly Cell[];
  readonly offset?: number;
  readonly changed?: boolean;
}

/** An indexed column that tells when a row changed; undefined where there is none. */
export function changedRowsColumn(table: TableInfo): string | undefined {
  return table.columns.find(
    (column) =>
      ['updated_at', 'modified_at'].includes(column.name.toLowerCase()) && table.indexed_columns.includes(column.name),
  )?.name;
}

/**
 * A table's rows page by page in key order. With `since`, first the rows changed since then, then every key: a page of
 * keys that holds an unknown one is read whole, so a row with an old time stamp is not missed.
 */
export async function* rowPages(
  { plan, database }: { readonly plan: { readonly table: TableInfo }; readonly database: RelationalDatabase },
  options: PageOptions,
): AsyncGenerator<RowPage> {
  const { table } = plan;
  const start: Position = options.position === null ? {} : (JSON.parse(options.position) as Position);
  if (table.pk_columns.length === 0) {
    yield* byOffset(database, table, { limit: options.limit, offset: start.offset ?? 0 });
    return;
  }
  if (options.since === undefined) {
    yield* byKey(database, table, { limit: options.limit, after: start.after });
    return;
  }
  if (start.changed !== false) {
    const after = start.changed === true ? start.after : undefined;
    for await (const page of byKey(database, table, { limit: options.limit, after, since: options.since })) {
      yield { ...page, position: JSON.stringify({ ...(JSON.parse(page.position) as Position), changed: true }) };
    }
  }
  yield* keysOnly(database, table, { ...options, after: start.changed === false ? start.after : undefined });
}

async function* byKey(
  database: RelationalDatabase,
  table: TableInfo,
  options: {
    readonly limit: number;
    readonly after: readonly Cell[] | undefined;
    readonly since?: PageOptions['since'];
  },
): AsyncGenerator<RowPage> {
  let after = options.after;
  for (;;) {
    const rows = await database.page({
      table,
      keys: table.pk_columns,
      limit: options.limit,
      ...(after === undefined ? {} : { after }),
      ...(options.since === undefined ? {} : { since: options.since }),
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    after = keyCells(table, last);
    yield { rows, untouched: [], position: JSON.stringify({ after }) };
    if (rows.length < options.limit) return;
  }
}

async function* keysOnly(
  database: RelationalDatabase,
  table: TableInfo,
  options: PageOptions & { readonly after: readonly Cell[] | undefined },
): AsyncGenerator<RowPage> {
  const narrow = { ...table, columns: table.columns.filter((column) => table.pk_columns.includes(column.name)) };
  const limit = options.limit * 4;
  let after = options.after;
  for (;;) {
    const request = { keys: table.pk_columns, limit, ...(after === undefined ? {} : { after }) };
    const keys = await database.page({ table: narrow, ...request });
    const last = keys.at(-1);
    if (last === undefined) return;
    const known = await options.known(keys.map((row) => rowKey(table, row)));
    const fresh = keys.some((row) => !known.has(rowKey(table, row)));
    const rows = fresh ? await database.page({ table, ...request }) : [];
    const untouched = fresh ? [] : [...known].map(([key, hash]) => ({ key, hash }));
    after = keyCells(table, (fresh ? rows.at(-1) : undefined) ?? last);
    yield { rows, untouched, position: JSON.stringify({ after, changed: false }) };
    if (keys.length < limit) return;
  }
}

/** Without a key there is nothing to page by but the position in a fixed order. */
async function* byOffset(
  database: RelationalDatabase,
  table: TableInfo,
  options: { readonly limit: number; readonly offset: number },
): AsyncGenerator<RowPage> {
  const keys = table.columns
    .filter((column) => /int|char|text|date|time|numeric|decimal|uuid|real|bool/i.test(column.type))
    .map((c) => c.name);
  let offset = options.offset;
  for (;;) {
    const rows = await database.page({ table, keys, offset, limit: options.limit });
    if (rows.length === 0) return;
    offset += rows.length;
    yield { rows, untouched: [], position: JSON.stringify({ offset }) };
    if (rows.length < options.limit) return;
  }
}

function keyCells(table: TableInfo, row: Row): Cell[] {
  return table.pk_columns.map((column) => row[column] ?? null);
}
