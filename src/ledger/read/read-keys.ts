import { type Kysely, sql } from 'kysely';
import { withRows, withValues } from '../../backends/store/rows.js';
import type { Database } from '../../backends/store/schema.js';
import { MAX_ALIASES } from '../key-limits.js';
import { compare } from '../manifest/asserted.js';
import type { KeyInfo } from '../types.js';
import { isActive } from '../write/key-table.js';

interface KeyStateRow {
  readonly domain: number;
  readonly key: string;
  readonly ref: number;
  readonly titles: number;
  readonly aliases: number;
  readonly mentions: number;
}

const ABOUT = 50;

/** Returns the states of keys, ordered by key and domain. `domains`: name by number. */
export async function keyInfos(
  db: Kysely<Database>,
  domains: ReadonlyMap<number, string>,
  keys: readonly string[],
): Promise<KeyInfo[]> {
  const rows = await withValues(
    db,
    keys,
    (given) => sql<KeyStateRow>`select k.domain, k.key, k.ref, k.titles, k.aliases, k.mentions from ${given}
      join key k on k.key = given.v`,
  );
  const concepts = await withValues(
    db,
    keys,
    (given) => sql<{ domain: number; key: string; n: number }>`select n.domain, n.key, count(*) as n from ${given}
      join node n on n.key = given.v where n.kind = 0 group by n.domain, n.key`,
  );
  const states = new Map<string, KeyStateRow & { concepts: number }>();
  for (const row of rows) if (domains.has(row.domain)) states.set(`${row.domain} ${row.key}`, { ...row, concepts: 0 });
  for (const { domain, key, n } of concepts) {
    if (!domains.has(domain)) continue;
    const known = states.get(`${domain} ${key}`) ?? { domain, key, ref: 0, titles: 0, aliases: 0, mentions: 0 };
    states.set(`${domain} ${key}`, { ...known, concepts: n });
  }
  const about = await aboutOf(db, [...states.values()]);
  const infos = [...states].map(([id, state]): KeyInfo => {
    const { ids, unmentioned } = about.get(id) ?? { ids: [], unmentioned: 0 };
    return {
      domain: domains.get(state.domain)!,
      key: state.key,
      titles: state.titles + state.concepts,
      aliases: state.aliases,
      documentFrequency: state.mentions + unmentioned,
      about: ids,
    };
  });
  return infos.sort((a, b) => compare(a.key, b.key) || compare(a.domain, b.domain));
}

/** Returns by key the first ids of what is about it, and how many passages are without mentioning it. */
async function aboutOf(db: Kysely<Database>, states: ReadonlyArray<KeyStateRow & { readonly concepts: number }>) {
  const found = new Map<string, { ids: string[]; unmentioned: number }>();
  const at = (id: string): { ids: string[]; unmentioned: number } => {
    const known = found.get(id) ?? { ids: [], unmentioned: 0 };
    found.set(id, known);
    return known;
  };
  const byRef = new Map(states.map((state) => [state.ref, `${state.domain} ${state.key}`]));
  const active = states.filter(
    (s) => s.ref !== 0 && (s.titles > 0 || (s.concepts === 0 && s.aliases > 0 && s.aliases <= MAX_ALIASES)),
  );
  const passages = await withRows(
    db,
    { columns: { ref: 'int', alias: 'int' }, rows: active.map((s) => [s.ref, s.titles > 0 ? 0 : 1]) },
    (given) => sql<{ key: number; id: string; tf: number | null }>`select a.key, n.id, m.tf from ${given}
      join about a on a.key = given.ref and a.alias = given.alias join node n on n.ref = a.node
      left join mention m on m.key = a.key and m.passage = a.node`,
  );
  for (const { key, id, tf } of passages) {
    const state = at(byRef.get(key)!);
    state.ids.push(id);
    if (tf === null) state.unmentioned += 1;
  }
  const named = await withRows(
    db,
    {
      columns: { key: 'text', domain: 'int' },
      rows: states.filter((s) => s.concepts > 0).map((s) => [s.key, s.domain]),
    },
    (given) => sql<{ key: string; domain: number; id: string }>`select n.key, n.domain, n.id from ${given}
      join node n on n.key = given.key and n.domain = given.domain where n.kind = 0`,
  );
  for (const { key, domain, id } of named) at(`${domain} ${key}`).ids.push(id);
  for (const state of found.values()) state.ids = state.ids.sort(compare).slice(0, ABOUT);
  return found;
}

/** Returns the keys among these that something is about. */
export async function activeKeys(db: Kysely<Database>, domain: number, keys: readonly string[]): Promise<Set<string>> {
  const rows = await withValues(
    db,
    keys,
    (given) => sql<Pick<KeyStateRow, 'key' | 'titles' | 'aliases'>>`
      select k.key, k.titles, k.aliases from ${given} join key k on k.key = given.v and k.domain = ${domain}
      where k.titles > 0 or k.aliases > 0
      union all
      select n.key, 1 as titles, 0 as aliases from ${given}
      join node n on n.key = given.v and n.domain = ${domain} and n.kind = 0`,
  );
  const active = new Set<string>();
  for (const { key, titles, aliases } of rows) if (isActive(titles, aliases)) active.add(key);
  return active;
}

export async function hasPassages(db: Kysely<Database>, domain: number): Promise<boolean> {
  // Only passages have no key, and the index of nodes begins with it.
  const { rows } = await sql`select 1 from node where key = '' and domain = ${domain} limit 1`.execute(db);
  return rows.length > 0;
}

/** Returns the ids of the passages that mention one of the keys, in order. */
export async function passagesMentioning(
  db: Kysely<Database>,
  domain: number,
  keys: readonly string[],
): Promise<string[]> {
  const rows = await withValues(
    db,
    keys,
    (given) => sql<{
      id: string;
    }>`select distinct n.id from ${given} join key k on k.key = given.v and k.domain = ${domain}
      join mention m on m.key = k.ref join node n on n.ref = m.passage`,
  );
  return [...new Set(rows.map((row) => row.id))].sort(compare);
}
