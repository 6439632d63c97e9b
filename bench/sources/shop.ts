import SqliteDatabase from 'better-sqlite3';

const WORDS =
  'harbour copper lantern river orchard signal meadow kettle timber canvas granite willow compass ferry anchor barley quarry velvet saddle thimble'.split(
    ' ',
  );

/** Share of all rows in each of the twenty tables; the rest of the list are small catalogs. */
const TABLES: ReadonlyArray<readonly [name: string, share: number, parent: string | null]> = [
  ['regions', 0.001, null],
  ['suppliers', 0.01, 'regions'],
  ['customers', 0.08, 'regions'],
  ['addresses', 0.08, 'customers'],
  ['product_categories', 0.001, null],
  ['products', 0.06, 'product_categories'],
  ['product_variants', 0.08, 'products'],
  ['warehouses', 0.001, 'regions'],
  ['stock_levels', 0.08, 'product_variants'],
  ['orders', 0.12, 'customers'],
  ['order_lines', 0.2, 'orders'],
  ['payments', 0.08, 'orders'],
  ['shipments', 0.06, 'orders'],
  ['reviews', 0.05, 'products'],
  ['wish_lists', 0.02, 'customers'],
  ['wish_entries', 0.03, 'wish_lists'],
  ['coupons', 0.002, null],
  ['returns', 0.015, 'orders'],
  ['tickets', 0.02, 'customers'],
  ['messages', 0, 'tickets'],
];

/** A database of twenty tables with this many rows in all. The same every time. */
export function writeShop(file: string, rows: number): void {
  const db = new SqliteDatabase(file);
  db.pragma('journal_mode = off');
  db.pragma('synchronous = off');
  let left = rows;
  const counts = new Map<string, number>();
  db.transaction(() => {
    for (const [name, share, parent] of TABLES) {
      const count = share === 0 ? left : Math.max(1, Math.round(rows * share));
      left -= count;
      counts.set(name, count);
      const reference = parent === null ? '' : `, parent_key integer not null references ${parent} (id)`;
      db.exec(
        `create table ${name} (id integer primary key, title varchar(80) not null, description text, status varchar(20) not null check (status in ('open', 'closed')), amount integer, updated_at timestamp not null${reference})`,
      );
      db.exec(`create index ${name}_updated on ${name} (updated_at)`);
      const insert = db.prepare(`insert into ${name} values (?, ?, ?, ?, ?, ?${parent === null ? '' : ', ?'})`);
      const parents = parent === null ? 0 : (counts.get(parent) ?? 1);
      for (let i = 1; i <= count; i += 1) {
        const row = [
          i,
          title(name, i),
          sentence(i * 7 + name.length),
          i % 3 === 0 ? 'closed' : 'open',
          i % 997,
          time(i),
        ];
        insert.run(...row, ...(parent === null ? [] : [1 + ((i * 31) % parents)]));
      }
    }
  })();
  db.close();
}

/** Changes one row in a hundred, and deletes about as many: one in fifty of the tables that nothing points at. */
export function changeShop(file: string): { readonly updated: number; readonly deleted: number } {
  const db = new SqliteDatabase(file);
  db.pragma('foreign_keys = off');
  let updated = 0;
  let deleted = 0;
  const parents = new Set(TABLES.map(([, , parent]) => parent));
  for (const [name] of TABLES) {
    updated += db
      .prepare(
        `update ${name} set description = description || ' Changed since.', updated_at = '2026-09-01 00:00:00' where id % 100 = 7`,
      )
      .run().changes;
    if (!parents.has(name)) deleted += db.prepare(`delete from ${name} where id % 50 = 13`).run().changes;
  }
  db.close();
  return { updated, deleted };
}

/** Rows of a table were last touched a minute apart. */
function time(i: number): string {
  return new Date(Date.UTC(2025, 0, 1) + i * 60_000).toISOString().slice(0, 19).replace('T', ' ');
}

function title(table: string, i: number): string {
  return `${word(i)} ${word(i * 3 + 1)} ${table.slice(0, -1).replaceAll('_', ' ')} ${i}`;
}

function sentence(seed: number): string {
  const length = 8 + (seed % 12);
  return `${Array.from({ length }, (_, i) => word(seed + i * i * 5)).join(' ')}.`;
}

function word(i: number): string {
  return WORDS[(i * 2654435761) % WORDS.length] ?? 'harbour';
}
