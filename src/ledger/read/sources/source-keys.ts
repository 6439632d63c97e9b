import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../backends/store/schema.js';
import type { SourceKeyFilter, SourceKeyInfo } from '../filters.js';

/** Returns a page of the keys of sources that start with a prefix, by domain and key; reads nothing but that page. */
export async function sourceKeys(db: Kysely<Database>, filter: SourceKeyFilter): Promise<SourceKeyInfo[]> {
  const { kind, prefix, after, limit } = filter;
  // What follows the slash in the order of characters: no key with the prefix reaches it.
  const end = `${prefix.slice(0, -1)}0`;
  const below = (from: string) => sql`s.kind = ${kind} and s.key >= ${from} and s.key < ${end}`;
  const { rows: domains } = await sql<{ ref: number; name: string }>`select d.ref, d.name from domain d
    where ${filter.domain === undefined ? sql`true` : sql`d.name = ${filter.domain}`}
      and d.name >= ${after?.domain ?? ''}
      and exists (select 1 from source s where s.domain = d.ref and ${below(prefix)})
    order by d.name`.execute(db);
  const keys: SourceKeyInfo[] = [];
  for (const { ref, name } of domains) {
    const last = after?.domain === name ? after.key : undefined;
    const { rows } = await sql<{ source_id: string; key: string }>`select s.id as source_id, s.key from source s
      where s.domain = ${ref} and ${below(last ?? prefix)} and s.key <> ${last ?? ''}
      order by s.key limit ${limit - keys.length}`.execute(db);
    for (const row of rows) keys.push({ ...row, domain: name });
    if (keys.length === limit) break;
  }
  return keys;
}
