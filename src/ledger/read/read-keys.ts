import { sql } from 'kysely';
import { forRows, forValues, GIVEN } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import { sortInSlices } from '../../core/async/sort-in-slices.js';
import { PAGE, pagesAfter, refsOf, rowPages } from '../groups.js';
import { MAX_ALIASES } from '../key-limits.js';
import { compare } from '../manifest/asserted.js';
import { RENAMED } from '../tables.js';
import type { KeyInfo } from '../types.js';
import { isActive } from '../write/key-table.js';
import type { DomainRow } from './read-nodes.js';

interface KeyStateRow {
  readonly domain: number;
  readonly key: string;
  readonly ref: number;
  readonly titles: number;
  readonly aliases: number;
  readonly mentions: number;
  readonly renamed: string | null;
}

type KeyState = KeyStateRow & { readonly concepts: number };

/** Of a key that has no row: only concepts carry it. */
const ABSENT = { ref: 0, titles: 0, aliases: 0, mentions: 0, renamed: null };

/** Ids that are listed, at most. */
const ABOUT = 50;

/** Returns the states of keys in these domains, ordered by key and domain. */
export async function keyInfos(
  db: Db,
  within: readonly Pick<DomainRow, 'ref' | 'name' | 'concept_count'>[],
  keys: readonly string[],
): Promise<KeyInfo[]> {
  const domains = new Map(within.map(({ ref, name }) => [ref, name]));
  const rows = await forValues(
    db,
    keys,
  )<KeyStateRow>`select k.domain, k.key, k.ref, k.titles, k.aliases, k.mentions, n.id as renamed
      from ${GIVEN} join key k on k.key = given.v left join node n on n.ref = k.node and n.own = ${RENAMED}`;
  const named = within.some((domain) => domain.concept_count > 0) ? keys : [];
  const concepts = await forValues(db, named)<{
    domain: number;
    key: string;
    n: number;
  }>`select n.domain, n.key, count(*) as n from ${GIVEN}
      join node n on n.key = given.v where n.kind = 0 group by n.domain, n.key`;
  const states = new Map<string, KeyState>();
  for (const row of rows) if (domains.has(row.domain)) states.set(`${row.domain} ${row.key}`, { ...row, concepts: 0 });
  for (const { domain, key, n } of concepts) {
    if (!domains.has(domain)) continue;
    const known = states.get(`${domain} ${key}`) ?? { ...ABSENT, domain, key };
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
      ...(state.renamed === null ? {} : { renamed: state.renamed }),
    };
  });
  return infos.sort((a, b) => compare(a.key, b.key) || compare(a.domain, b.domain));
}

/** Returns by key the first ids of what is about it, and how many passages are without mentioning it. */
async function aboutOf(db: Db, states: readonly KeyState[]) {
  const found = new Map<string, { ids: string[]; unmentioned: number }>();
  const add = (place: string, id: string): { unmentioned: number } => {
    const known = found.get(place) ?? { ids: [], unmentioned: 0 };
    found.set(place, known);
    known.ids.push(id);
    if (known.ids.length > PAGE) known.ids = lowest(known.ids);
    return known;
  };
  const byRef = new Map(states.map((state) => [state.ref, `${state.domain} ${state.key}`]));
  const active = states.filter(
    (s) => s.ref !== 0 && (s.titles > 0 || (s.concepts === 0 && s.aliases > 0 && s.aliases <= MAX_ALIASES)),
  );
  for await (const page of carrierPages(db, active)) {
    for (const { key, id, tf } of page) {
      const known = add(byRef.get(key)!, id);
      if (tf === null) known.unmentioned += 1;
    }
  }
  for await (const page of conceptPages(db, states)) {
    for (const { key, domain, id } of page) add(`${domain} ${key}`, id);
  }
  for (const state of found.values()) state.ids = lowest(state.ids);
  return found;
}

function lowest(ids: string[]): string[] {
  return ids.sort(compare).slice(0, ABOUT);
}

interface CarrierRow {
  readonly key: number;
  readonly node: number;
  readonly id: string;
  /** Null where the passage does not mention the key. */
  readonly tf: number | null;
}

const CARRIER = sql`a.key, a.node, n.id, m.tf`;
const NODE_AND_MENTION = sql`join node n on n.ref = a.node left join mention m on m.key = a.key and m.passage = a.node`;

/** Yields the passages about these keys: keys that few carry together, one that many carry in several pages. */
function carrierPages(db: Db, keys: readonly KeyState[]): AsyncGenerator<readonly CarrierRow[]> {
  const page = (state: KeyState, after: number) =>
    sql<CarrierRow>`select ${CARRIER} from about a ${NODE_AND_MENTION}
      where a.key = ${state.ref} and a.alias = ${aliasOf(state)} and a.node > ${after}
      order by a.node limit ${PAGE}`.execute(db);
  return rowPages(keys, ({ titles, aliases }) => titles + aliases, {
    few: (part) =>
      forRows(
        db,
        { ref: 'int', alias: 'int' },
        part.map((state) => [state.ref, aliasOf(state)]),
      )<CarrierRow>`select ${CARRIER} from ${GIVEN}
        join about a on a.key = given.ref and a.alias = given.alias ${NODE_AND_MENTION}`,
    many: (state) => pagesAfter(0, (after) => page(state, after), { placeOf: ({ node }) => node }),
  });
}

function aliasOf({ titles }: KeyState): 0 | 1 {
  return titles > 0 ? 0 : 1;
}

interface NamedConcept {
  readonly key: string;
  readonly domain: number;
  readonly id: string;
}

/** Yields the concepts of these keys; of a key that many have only the first by id. */
function conceptPages(db: Db, keys: readonly KeyState[]): AsyncGenerator<readonly NamedConcept[]> {
  const named = keys.filter((state) => state.concepts > 0);
  return rowPages(named, (state) => state.concepts, {
    few: (part) =>
      forRows(
        db,
        { key: 'text', domain: 'int' },
        part.map((state) => [state.key, state.domain]),
      )<NamedConcept>`select n.key, n.domain, n.id from ${GIVEN}
        join node n on n.key = given.key and n.domain = given.domain where n.kind = 0`,
    async *many({ key, domain }) {
      const { rows } = await sql<NamedConcept>`select n.key, n.domain, n.id from node n
        where n.key = ${key} and n.domain = ${domain} and n.kind = 0 order by n.id limit ${ABOUT}`.execute(db);
      yield rows;
    },
  });
}

/** Returns the keys among these that something is about. */
export async function activeKeys(db: Db, domain: number, keys: readonly string[]): Promise<Set<string>> {
  const rows = await forValues(db, keys)<Pick<KeyStateRow, 'key' | 'titles' | 'aliases'>>`
      select k.key, k.titles, k.aliases from ${GIVEN} join key k on k.key = given.v and k.domain = ${domain}
      where k.titles > 0 or k.aliases > 0
      union all
      select n.key, 1 as titles, 0 as aliases from ${GIVEN}
      join node n on n.key = given.v and n.domain = ${domain} and n.kind = 0`;
  const active = new Set<string>();
  for (const { key, titles, aliases } of rows) if (isActive(titles, aliases)) active.add(key);
  return active;
}

/** Returns all active keys of a domain; undefined where the store may hold more than `most` keys and nodes, whosesoever they are. */
export async function allActiveKeys(db: Db, domain: number, most: number): Promise<Set<string> | undefined> {
  const { rows } = await sql<{ keys: number | null; nodes: number | null }>`
    select (select max(ref) from key) as keys, (select max(ref) from node) as nodes`.execute(db);
  if (Number(rows[0]?.keys ?? 0) + Number(rows[0]?.nodes ?? 0) > most) return undefined;
  const active = new Set<string>();
  const keys = (after: number) =>
    sql<Pick<KeyStateRow, 'ref' | 'key' | 'titles' | 'aliases'>>`
    select ref, key, titles, aliases from key
    where ref > ${after} and domain = ${domain} and (titles > 0 or aliases > 0) order by ref limit ${PAGE}`.execute(db);
  const concepts = (after: number) =>
    sql<Pick<KeyStateRow, 'ref' | 'key'>>`
    select ref, key from node where ref > ${after} and domain = ${domain} and kind = 0 order by ref limit ${PAGE}`.execute(
      db,
    );
  for await (const page of pagesAfter(0, keys, { placeOf: ({ ref }) => ref, lane: 'patient' })) {
    for (const { key, titles, aliases } of page) if (isActive(titles, aliases)) active.add(key);
  }
  for await (const page of pagesAfter(0, concepts, { placeOf: ({ ref }) => ref, lane: 'patient' })) {
    for (const { key } of page) active.add(key);
  }
  return active;
}

export async function hasPassages(db: Db, domain: number): Promise<boolean> {
  // Only passages have no key, and the index of nodes begins with it.
  const { rows } = await sql`select 1 from node where key = '' and domain = ${domain} limit 1`.execute(db);
  return rows.length > 0;
}

/** Returns the ids of the passages that mention one of the keys, in order. */
export async function passagesMentioning(db: Db, domain: number, keys: readonly string[]): Promise<string[]> {
  const ids = new Set<string>();
  const counted = await forValues(db, keys)<{ ref: number; mentions: number }>`
    select k.ref, k.mentions from ${GIVEN} join key k on k.key = given.v and k.domain = ${domain}`;
  for await (const page of mentioningPages(db, counted)) for (const { id } of page) ids.add(id);
  return sortInSlices([...ids], compare);
}

/** Yields the passages that mention these keys: keys of few together, one of many in several pages. */
function mentioningPages(
  db: Db,
  keys: ReadonlyArray<{ readonly ref: number; readonly mentions: number }>,
): AsyncGenerator<ReadonlyArray<{ readonly id: string }>> {
  const page = (ref: number, after: number) =>
    sql<{ id: string; passage: number }>`select n.id, m.passage from mention m join node n on n.ref = m.passage
      where m.key = ${ref} and m.passage > ${after} order by m.passage limit ${PAGE}`.execute(db);
  return rowPages(keys, ({ mentions }) => mentions, {
    few: (part) =>
      forValues(db, refsOf(part))<{
        id: string;
      }>`select n.id from ${GIVEN} join mention m on m.key = given.v join node n on n.ref = m.passage`,
    many: ({ ref }) =>
      pagesAfter(0, (after) => page(ref, after), { placeOf: ({ passage }) => passage, lane: 'patient' }),
  });
}
