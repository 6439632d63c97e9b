import { sql } from 'kysely';
import type { Db } from '../../../backends/store/schema.js';
import { slicer } from '../../../core/async/slices.js';
import type { SourceKeyFilter, SourceKeyInfo } from '../filters.js';

/** Returns a page of the keys of sources that start with a prefix, by domain and key; reads no other keys. */
export async function sourceKeys(db: Db, filter: SourceKeyFilter): Promise<SourceKeyInfo[]> {
  const { kind, prefix, domain, after, limit } = filter;
  if (!prefix.endsWith('/')) throw new Error(`The prefix ${prefix} of source keys does not end in a slash.`);
  const pause = slicer('urgent');
  // What follows the slash in the order of characters: no key with the prefix reaches it.
  const end = `${prefix.slice(0, -1)}0`;
  const has = (from: string) => sql`s.kind = ${kind} and s.key >= ${from} and s.key < ${end}`;
  const domainAfter = async (name: string): Promise<string | undefined> => {
    const { rows } = await sql<{ name: string }>`select d.name from domain d where d.name > ${name}
      and (select 1 from source s where s.domain = d.ref and ${has(prefix)} limit 1) is not null
      order by d.name limit 1`.execute(db);
    return rows[0]?.name;
  };
  const keys: SourceKeyInfo[] = [];
  let name = domain ?? after?.domain ?? (await domainAfter(''));
  while (name !== undefined) {
    const last = after?.domain === name ? after.key : undefined;
    const { rows } = await sql<SourceKeyInfo>`select s.id as source_id, d.name as domain, s.key
      from domain d cross join source s where d.name = ${name} and s.domain = d.ref
      and ${has(last ?? prefix)} and s.key <> ${last ?? ''} order by s.key limit ${limit - keys.length}`.execute(db);
    for (const row of rows) keys.push(row);
    await pause();
    if (keys.length === limit || domain !== undefined) break;
    name = await domainAfter(name);
  }
  return keys;
}
