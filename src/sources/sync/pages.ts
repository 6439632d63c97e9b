import type { Cell, DatabaseRow, RelationalDatabase, TableInfo } from '../../backends/relational/port.js';
import { SvcError } from '../../core/errors.js';
import { keyColumnsOf, rowKey } from '../inspect/identity.js';

export interface RowPage {
  /** Rows to compare and load. */
  readonly rows: readonly DatabaseRow[];
  /** Keys of rows that are known and need no look. */
  readonly untouched: readonly string[];
}

export interface PageOptions {
  readonly limit: number;
  /** Returns which of these keys were read before. */
  readonly known: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Set: rows that did not change since then are only counted, by their keys. */
  readonly since: { readonly column: string; readonly value: string } | undefined;
}

interface OpenTable {
  readonly database: RelationalDatabase;
  readonly table: TableInfo;
}

/**
 * Yields a table's rows page by page in key order. With `since`, first the rows changed since then, then every key: a
 * page of keys that holds an unknown one is read whole, so a row with an old time stamp is not missed. Without a key:
 * in the engine's own order.
 */
export async function* rowPages(place: OpenTable, options: PageOptions): AsyncGenerator<RowPage> {
  if (keyColumnsOf(place.table).length === 0) {
    yield* inOrder(place, options);
    return;
  }
  yield* byKey(place, options);
  if (options.since !== undefined) yield* keysOnly(place, options);
}

async function* byKey({ database, table }: OpenTable, options: PageOptions): AsyncGenerator<RowPage> {
  const keys = keyColumnsOf(table);
  const size = new PageSize(options.limit);
  const read = (after: readonly Cell[] | undefined, limit: number): Promise<DatabaseRow[]> =>
    database.page({
      table,
      keys,
      limit,
      ...(after === undefined ? {} : { after }),
      ...(options.since === undefined ? {} : { since: options.since }),
    });
  let limit = size.next();
  let rows = await read(undefined, limit);
  while (rows.length > 0) {
    const after = lastKey(table, rows);
    const full = rows.length === limit;
    size.saw(rows);
    const following = size.next();
    // The next page is read while this one is being loaded; its error is thrown when it is taken.
    const next = full ? read(after, following) : Promise.resolve([]);
    next.catch(() => undefined);
    yield { rows, untouched: [] };
    rows = await next;
    limit = following;
  }
}

async function* keysOnly({ database, table }: OpenTable, options: PageOptions): AsyncGenerator<RowPage> {
  const keys = keyColumnsOf(table);
  let after: Cell[] | undefined;
  for (;;) {
    const request = { table, keys, limit: options.limit, ...(after === undefined ? {} : { after }) };
    const found = await database.page({ ...request, columns: keys });
    if (found.length === 0) return;
    after = lastKey(table, found);
    const names = found.map((row) => rowKey(table, row));
    const known = await options.known(names);
    const fresh = found.filter((_, i) => !known.has(names[i] ?? ''));
    const rows =
      fresh.length === 0
        ? []
        : await database.page({
            table,
            keys,
            limit: options.limit,
            matching: { columns: keys, values: fresh.map((row) => keys.map((column) => row[column] ?? null)) },
          });
    const untouched = names.filter((name) => known.has(name));
    yield { rows, untouched };
    if (found.length < options.limit) return;
  }
}

/** Yields pages by position in the engine's order, for tables without a key. */
async function* inOrder({ database, table }: OpenTable, options: PageOptions): AsyncGenerator<RowPage> {
  const size = new PageSize(options.limit);
  let offset = 0;
  for (;;) {
    const limit = size.next();
    const rows = await database.page({ table, keys: [], offset, limit });
    if (rows.length === 0) return;
    offset += rows.length;
    size.saw(rows);
    yield { rows, untouched: [] };
    if (rows.length < limit) return;
  }
}

const PAGE_CHARACTERS = 2_000_000;
const FIRST = 100;

/** Rows of a page: few of wide ones, so that a page stays near two million characters. */
class PageSize {
  private size: number;

  constructor(private readonly most: number) {
    this.size = Math.min(FIRST, most);
  }

  next(): number {
    return this.size;
  }

  saw(rows: readonly DatabaseRow[]): void {
    let characters = 0;
    for (const row of rows) {
      for (const cell of Object.values(row)) characters += typeof cell === 'string' ? cell.length : 8;
    }
    const fit = Math.floor((PAGE_CHARACTERS * rows.length) / Math.max(1, characters));
    this.size = Math.max(1, Math.min(this.most, fit));
  }
}

/** Returns the key of a page's last row. A null in it would end the paging early and make the rest look deleted. */
function lastKey(table: TableInfo, rows: readonly DatabaseRow[]): Cell[] {
  const last = rows.at(-1);
  const key = keyColumnsOf(table).map((column) => last?.[column] ?? null);
  if (key.includes(null)) {
    throw new SvcError(
      'conflict',
      `The table ${JSON.stringify(table.name)} has a row whose key is null; give it a key.`,
    );
  }
  return key;
}
