import { opendirSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

/** What Notion puts behind the name of a page that it exports, and behind that of a table with all its columns. */
const PAGE_ID = /(?<=\S)[ _-][\da-f]{32}(?:_all)?$/u;
/** What Notion exports pages and tables as; the number of another file may be its hash. */
const EXPORTED = /^\.(?:md|csv|html)$/iu;
const OF_VIEW = /(?<= [\da-f]{32})\.csv$/u;
/** Entries of a directory that are looked at. */
const MOST = 1000;

/** Returns the name of a file without the number that Notion gives each page, and with its ending. */
export function withoutPageId(file: string): string {
  const ending = extname(file);
  if (!EXPORTED.test(ending)) return basename(file);
  return basename(file, ending).replace(PAGE_ID, '') + ending;
}

/** Returns whether a file is called as a table that Notion exports, with the number of its page. */
export function isTableOfPages(name: string): boolean {
  return name.endsWith('.csv') && PAGE_ID.test(basename(name, '.csv'));
}

/**
 * Returns whether a file is a table that Notion exports beside the pages of its rows, which say all that the table does, or the table of a view beside that of all
 * rows.
 */
export function isRepeatedTable(path: string): boolean {
  if (!isTableOfPages(path)) return false;
  const whole = path.replace(OF_VIEW, '_all.csv');
  if (whole !== path && holds(dirname(path), (name) => name === basename(whole))) return true;
  const folder = basename(path, '.csv').replace(/_all$/u, '');
  return [folder, folder.replace(PAGE_ID, '')].some((name) => holds(join(dirname(path), name), isPage));
}

function isPage(name: string): boolean {
  return name.endsWith('.md') && PAGE_ID.test(basename(name, '.md'));
}

/** Returns whether a directory holds an entry among the first of it. */
function holds(directory: string, isSought: (name: string) => boolean): boolean {
  try {
    const open = opendirSync(directory);
    try {
      for (let i = 0; i < MOST; i += 1) {
        const entry = open.readSync();
        if (entry === null) return false;
        if (isSought(entry.name)) return true;
      }
      return false;
    } finally {
      open.closeSync();
    }
  } catch {
    return false;
  }
}

/** Returns the name of the table of which a page that Notion exported is a row; undefined for another file. */
export async function tableOfPage(path: string): Promise<string | undefined> {
  if (!isPage(path)) return undefined;
  const folder = dirname(path);
  const name = basename(folder);
  const called = name.replace(PAGE_ID, '');
  const isOfFolder = (entry: string): boolean =>
    isTableOfPages(entry) && (PAGE_ID.test(name) ? entry.startsWith(name) : withoutPageId(entry) === `${called}.csv`);
  try {
    let count = 0;
    for await (const entry of await opendir(dirname(folder))) {
      if (isOfFolder(entry.name)) return called;
      count += 1;
      if (count >= MOST) return undefined;
    }
  } catch {
    // A directory that may not be read names no table.
  }
  return undefined;
}
