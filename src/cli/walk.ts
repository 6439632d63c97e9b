import { type Dirent, realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { UsageError } from './cli.js';

const READABLE = new Set(['.txt', '.text', '.md', '.markdown', '.pdf', '.html', '.htm', '.docx']);

export interface Walk {
  /** Absolute paths in a fixed order, each once. */
  readonly files: string[];
  /** Files below the directories whose type is not read. */
  readonly skipped: string[];
}

/** Finds the files to ingest: those named, and the readable ones below the directories named. */
export async function filesToIngest(paths: readonly string[]): Promise<Walk> {
  const found = new Set<string>();
  const skipped = new Set<string>();
  for (const path of paths) {
    const absolute = resolve(path);
    if (isDirectory(absolute))
      for (const file of await below(absolute, new Set())) (isReadable(file) ? found : skipped).add(file);
    else found.add(absolute);
  }
  return { files: [...found], skipped: [...skipped] };
}

/** Returns whether a file can be ingested, by its extension. */
export function isReadable(path: string): boolean {
  return READABLE.has(extname(path).toLowerCase());
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (cause) {
    throw new UsageError(`${path} does not exist or cannot be read.`, { cause });
  }
}

/** Lists the files below a directory. Hidden entries are left out; a directory that two links name is walked once. */
async function below(directory: string, seen: Set<string>): Promise<string[]> {
  const real = realpathSync(directory);
  if (seen.has(real)) return [];
  seen.add(real);
  const entries = await readdir(directory, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const files: string[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = join(directory, entry.name);
    if (leadsToDirectory(entry, path)) files.push(...(await below(path, seen)));
    else files.push(path);
  }
  return files;
}

function leadsToDirectory(entry: Dirent, path: string): boolean {
  if (entry.isDirectory()) return true;
  if (!entry.isSymbolicLink()) return false;
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
