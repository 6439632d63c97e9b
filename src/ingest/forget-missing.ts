import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { SvcError } from '../core/errors.js';
import type { SourceKeyInfo } from '../ledger/read/filters.js';
import { sourceKeyPages } from '../ledger/read/sources/key-pages.js';
import { type ForgetResult, forgetSource } from './forget.js';
import { directoryIdentity } from './read/directory-identity.js';
import type { LoadPorts } from './write/load.js';

/** Files that were ingested and are gone, while their passages still answer. */
export interface GoneFiles {
  readonly total: number;
  /** The first of them in the order of paths, below their directory as the caller gave it. */
  readonly files: string[];
}

/** A directory that a caller named. */
export interface NamedDirectory {
  /** As the caller gave it. Answers name files below it: they never say how it was resolved. */
  readonly given: string;
  /** Its real path. */
  readonly real: string;
}

/** Files of one domain below a directory, which is a real path. */
interface Below {
  readonly directory: string;
  readonly domain: string;
}

const PAGE = 500;

/**
 * Forgets the sources of a domain that were files below a directory and are gone. Throws `not_found` where the directory
 * itself goes away meanwhile: a volume that is not mounted any more forgets nothing.
 */
export async function forgetMissing(ports: LoadPorts, below: Below): Promise<ForgetResult> {
  let sources = 0;
  let removed = 0;
  for await (const { source_id } of goneSources(ports, below)) {
    const result = await forgetSource(ports, source_id).catch(unlessGone);
    sources += result.sources;
    removed += result.removed;
  }
  return { sources, removed };
}

/** Counts the gone files of a domain below directories and names the first `limit`. Files in `known` are there. */
export async function goneFiles(
  { graph }: Pick<LoadPorts, 'graph'>,
  {
    directories,
    domain,
    known,
    limit,
  }: Pick<Below, 'domain'> & {
    readonly directories: readonly NamedDirectory[];
    readonly known?: ReadonlySet<string> | undefined;
    readonly limit: number;
  },
): Promise<GoneFiles> {
  const files: string[] = [];
  let total = 0;
  for (const { given, real } of directories) {
    for await (const { key } of goneSources({ graph }, { directory: real, domain }, known)) {
      total += 1;
      if (files.length < limit) files.push(join(given, key.slice(real.length)));
    }
  }
  return { total, files };
}

/** Yields the sources whose file is gone, a page of sources in memory at a time. Throws `not_found` without the directory. */
async function* goneSources(
  { graph }: Pick<LoadPorts, 'graph'>,
  { directory, domain }: Below,
  known?: ReadonlySet<string>,
): AsyncGenerator<SourceKeyInfo> {
  const prefix = directory.endsWith('/') ? directory : `${directory}/`;
  const identity = directoryIdentity(directory);
  for await (const page of sourceKeyPages(graph, { kind: 'file', prefix, domain, limit: PAGE })) {
    const there = await Promise.all(page.map(({ key }) => known?.has(key) === true || exists(key)));
    if (identity === undefined || directoryIdentity(directory) !== identity) throw directoryGone();
    yield* page.filter((_, i) => there[i] === false);
  }
}

function directoryGone(): SvcError {
  const sentence =
    'directory names no directory, or another one took its place; call again when it is back. What its files said is kept.';
  return new SvcError('not_found', sentence, { member: 'directory' });
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}

/** Counts nothing where another call forgot the source meanwhile. */
function unlessGone(error: unknown): ForgetResult {
  if (error instanceof SvcError && error.code === 'source_not_found') return { sources: 0, removed: 0 };
  throw error;
}
