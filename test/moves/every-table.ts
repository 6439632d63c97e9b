import { sql } from 'kysely';
import { tablesOf } from '../../src/backends/store/move/tables.js';
import type { Store } from '../../src/backends/store/scope.js';

/** More rows than a page has. */
const ROWS = 603;
const TEXTS = ['plain', '', '{"a": "\\u0000"}', 'Ω 🍵 “quoted” \\ \n\t\'"', 'é', 'e\u0301', 'Z', 'a'];

/** Writes rows of extreme values into every table of a store on SQLite that has a number or a text for a key. */
export async function fillEveryTable(store: Store, except: readonly string[]): Promise<void> {
  for (const { name, key } of await tablesOf(store.db)) {
    if (except.includes(name)) continue;
    const { rows: columns } = await sql<{ name: string; type: string }>`
      select name, lower(type) as type from pragma_table_info(${name})`.execute(store.db);
    const { rows: indexed } = await sql<{ name: string }>`
      select i.name from pragma_index_list(${name}) l join pragma_index_info(l.name) i where l."unique" = 1`.execute(
      store.db,
    );
    const unique = new Set([...key, ...indexed.map((column) => column.name)]);
    // A table with one row alone has it already.
    const rows = ['graph_meta', 'text_meta', 'concept_index'].includes(name) ? 1 : ROWS;
    await store.write(async ({ db }) => {
      await sql`delete from ${sql.table(name)}`.execute(db);
      for (let i = 1; i <= rows; i += 1) {
        const values = columns.map((column) => madeUp(column.type, unique.has(column.name), i));
        const names = columns.map((column) => sql.ref(column.name));
        await sql`insert into ${sql.table(name)} (${sql.join(names)}) values (${sql.join(values)})`.execute(db);
      }
    });
  }
}

function madeUp(type: string, isUnique: boolean, i: number): unknown {
  if (type === 'blob') return Buffer.from(Array.from({ length: i % 40 }, (_, at) => (i * at) % 256));
  if (type === 'text') return isUnique ? `${TEXTS[i % TEXTS.length]} ${i}` : TEXTS[i % TEXTS.length];
  if (type === 'real') return [1 / 3, 5, -0.1, 1e300, 5e-324, 0][i % 6];
  return isUnique ? i : i % 3;
}

/** Returns a table's rows in the order of its key, for one dialect to be compared with the other. */
export async function rowsOf(store: Store, name: string): Promise<string[]> {
  const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(store.db);
  return rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
}
