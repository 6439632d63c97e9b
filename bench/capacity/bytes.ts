import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';

/** Bytes of the store's file in a directory whose service has ended. */
export function storeBytes(directory: string): number {
  return readdirSync(directory)
    .filter((name) => name.startsWith('svc.sqlite'))
    .reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}

/** What tables are of, by the start of their names; the first that fits counts. */
const GROUPS: ReadonlyArray<readonly [group: string, tables: RegExp]> = [
  ['vectors', /^vector_|^embedding/],
  ['sentences', /^sentence/],
  ['text index', /^text_/],
  ['edges', /^edge|edge_/],
  ['names and mentions', /^key|^mention|^passage|^about/],
  ['nodes and sources', /^node|^source|^assert|^concept|^domain|^rule/],
];

/** Returns the bytes that groups of tables take with their indexes, the largest first. */
export function bytesByGroup(directory: string): Array<{ readonly group: string; readonly bytes: number }> {
  const store = new BetterSqlite(join(directory, 'svc.sqlite'), { readonly: true });
  try {
    const rows = store
      .prepare(
        `select coalesce(m.tbl_name, s.name) as name, sum(s.pgsize) as bytes from dbstat s
         left join sqlite_master m on m.name = s.name where s.aggregate = 1 group by 1`,
      )
      .all() as Array<{ name: string; bytes: number }>;
    const sums = new Map<string, number>();
    for (const { name, bytes } of rows) {
      const group = GROUPS.find(([, tables]) => tables.test(name))?.[0] ?? `other (${bytes > 1e6 ? name : 'small'})`;
      sums.set(group, (sums.get(group) ?? 0) + bytes);
    }
    return [...sums].map(([group, bytes]) => ({ group, bytes })).sort((a, b) => b.bytes - a.bytes);
  } finally {
    store.close();
  }
}
