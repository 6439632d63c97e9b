import { sql } from 'kysely';
import { forValues, GIVEN } from '../../../backends/store/rows.js';
import type { Db } from '../../../backends/store/schema.js';

/** A source with the path of its file as key. */
export interface FileSource {
  readonly source_id: string;
  readonly domain: string;
  readonly kind: string;
  readonly key: string;
  readonly label: string;
}

/** Files of one name in a domain that are compared, at most. */
const MOST = 2000;

/**
 * Returns labels for files whose name other files of their domain have too, by source id: the end of the path, as long as it
 * takes to tell them apart.
 */
export async function labelsOfFiles(db: Db, sources: readonly FileSource[]): Promise<Map<string, string>> {
  const labels = new Map<string, string>();
  const files = sources.filter(({ kind }) => kind === 'file');
  for (const domain of new Set(files.map((file) => file.domain))) {
    const ours = files.filter((file) => file.domain === domain);
    const names = await sharedNames(db, domain, [...new Set(ours.map(({ label }) => label))]);
    for (const name of names) {
      const paths = await pathsOf(db, domain, name);
      const count = endings(paths);
      for (const { source_id, key, label } of ours) {
        if (label === name) labels.set(source_id, shortestOwn(key, count));
      }
    }
  }
  return labels;
}

/** Returns those of the names that several files of the domain have. */
async function sharedNames(db: Db, domain: string, names: readonly string[]): Promise<string[]> {
  const rows = await forValues(db, names)<{ label: string }>`select given.v as label from ${GIVEN} where exists (
    select 1 from source s where s.kind = 'file' and s.label = given.v
      and s.domain = (select ref from domain where name = ${domain}) limit 1 offset 1)`;
  return rows.map(({ label }) => label);
}

async function pathsOf(db: Db, domain: string, label: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select s.key from source s where s.kind = 'file' and s.label = ${label}
    and s.domain = (select ref from domain where name = ${domain}) order by s.ref limit ${MOST}`.execute(db);
  return rows.map(({ key }) => key);
}

/** Counts the endings of two parts and more that the paths have. */
function endings(paths: readonly string[]): Map<string, number> {
  const count = new Map<string, number>();
  for (const path of paths) for (const ending of endingsOf(path)) count.set(ending, (count.get(ending) ?? 0) + 1);
  return count;
}

/** Yields `b/c`, `a/b/c`, … of a path. */
function* endingsOf(path: string): Generator<string> {
  const parts = path.split(/[\\/]/);
  for (let from = parts.length - 2; from >= 0; from -= 1) yield parts.slice(from).join('/');
}

function shortestOwn(path: string, count: ReadonlyMap<string, number>): string {
  for (const ending of endingsOf(path)) if ((count.get(ending) ?? 1) === 1) return ending;
  return path;
}
