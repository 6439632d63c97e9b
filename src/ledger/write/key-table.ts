import { type Selectable, sql } from 'kysely';
import { forRows, forValues, GIVEN, insertRows } from '../../backends/store/rows.js';
import type { Database, Db } from '../../backends/store/schema.js';
import { forEachInSlices } from '../../core/async/slices.js';
import { MAX_ALIASES } from '../key-limits.js';
import type { AboutChange } from '../manifest/passage-change.js';
import { CONCEPT, NAMED, RENAMED, type Writer } from '../tables.js';

export type KeyRow = Omit<Selectable<Database['key']>, 'domain'>;

const KEY = sql`k.ref, k.key, k.titles, k.aliases, k.mentions, k.node`;

export function keysByName(db: Db, domain: number, keys: Iterable<string>): Promise<KeyRow[]> {
  return forValues(db, keys)<KeyRow>`
    select ${KEY} from ${GIVEN} join key k on k.key = given.v and k.domain = ${domain}`;
}

export function keysByRef(db: Db, refs: Iterable<number>): Promise<KeyRow[]> {
  return forValues(db, refs)<KeyRow>`select ${KEY} from ${GIVEN} join key k on k.ref = given.v`;
}

/** Returns the rows of these keys, made where they are missing. `read`: all that are there, if the caller has read them. */
export async function ensureKeys(
  w: Writer,
  names: Iterable<string>,
  read?: readonly KeyRow[],
): Promise<Map<string, KeyRow>> {
  const wanted = new Set(names);
  const rows = new Map<string, KeyRow>();
  const keep = (row: KeyRow): void => void rows.set(row.key, row);
  await forEachInSlices(read ?? (await keysByName(w.db, w.domain.ref, wanted)), keep);
  const missing = [...wanted].filter((name) => !rows.has(name));
  const made = await insertRows(w.db, 'key', {
    columns: { domain: 'int', key: 'text', titles: 'int', aliases: 'int', mentions: 'int', node: 'int' },
    rows: missing.map((name) => [w.domain.ref, name, 0, 0, 0, 0]),
    tail: sql`returning ref, key, titles, aliases, mentions, node`,
  });
  await forEachInSlices(made as KeyRow[], keep);
  return rows;
}

export interface ConceptCount {
  readonly key: string;
  /** Concepts of that name. */
  readonly concepts: number;
  /** Lowest id among those without a caller's id. */
  readonly hashed: string | null;
  /** Lowest id among those that an edit gave their name. */
  readonly renamed: string | null;
}

/** Returns how many concepts have these keys. */
export function conceptCounts(db: Db, domain: number, keys: Iterable<string>): Promise<ConceptCount[]> {
  return forValues(db, keys)<ConceptCount>`
    select n.key, count(*) as concepts, min(case when n.own = ${NAMED} then n.id end) as hashed,
    min(case when n.own = ${RENAMED} then n.id end) as renamed from ${GIVEN}
    join node n on n.key = given.v and n.domain = ${domain} where n.kind = 0 group by n.key`;
}

/** What is about keys, by title or name (0) or by an alias (1). */
export function aboutArcs(
  db: Db,
  keys: Iterable<number>,
): Promise<Array<{ readonly key: number; readonly node: number; readonly alias: number }>> {
  return forValues(db, keys)`
    select a.key, a.node, a.alias from ${GIVEN} join about a on a.key = given.v
    union all select k.ref as key, n.ref as node, 0 as alias from ${GIVEN} join key k on k.ref = given.v
    join node n on n.key = k.key and n.domain = k.domain and n.kind = ${CONCEPT}`;
}

/** Returns whether something is about a key. */
export function isActive(titles: number, aliases: number): boolean {
  return titles > 0 || (aliases >= 1 && aliases <= MAX_ALIASES);
}

/** How many more titles and aliases a key has after a write. */
export interface KeyStep {
  titles: number;
  aliases: number;
}

/** Writes what passages are about now, with the counts beside the keys: those that were there, and their steps by name. */
export async function writeAbout(
  w: Writer,
  changes: readonly AboutChange[],
  { keys: read, steps }: { readonly keys: readonly KeyRow[]; readonly steps: ReadonlyMap<string, KeyStep> },
): Promise<void> {
  if (changes.length === 0) return;
  const names = changes.map((change) => change.key);
  const keys = await ensureKeys(w, names, read);
  for (const { key, node, after } of changes) {
    w.state.change.setAbout(keys.get(key)!.ref, node, after === null ? null : Number(after));
  }
  const moved = [...steps].filter(([, { titles, aliases }]) => titles !== 0 || aliases !== 0);
  const counts = moved.map(([key, { titles, aliases }]) => [keys.get(key)!.ref, titles, aliases]);
  await forRows(w.db, { ref: 'int', dt: 'int', da: 'int' }, counts)`
    update key set titles = titles + given.dt, aliases = aliases + given.da from ${GIVEN} where key.ref = given.ref`;
  const removed = changes.filter((change) => change.after === null);
  const pairs = removed.map(({ key, node }) => [keys.get(key)!.ref, node]);
  await forRows(w.db, { key: 'int', node: 'int' }, pairs)`
    delete from about where (key, node) in (select key, node from ${GIVEN})`;
  const set = changes.filter((change) => change.after !== null);
  await insertRows(w.db, 'about', {
    columns: { key: 'int', node: 'int', alias: 'int' },
    rows: set.map(({ key, node, after }) => [keys.get(key)!.ref, node, Number(after)]),
    tail: sql`on conflict (key, node) do update set alias = excluded.alias`,
  });
}

/** Removes rows of keys that nothing carries or mentions any more. */
export async function sweepKeys(w: Writer, refs: Iterable<number>): Promise<void> {
  await forValues(w.db, refs)`
    delete from key where ref in (select v from ${GIVEN}) and titles = 0 and aliases = 0 and mentions = 0`;
}
