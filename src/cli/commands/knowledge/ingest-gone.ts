import { realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { counted } from '../../../core/wording/counted.js';
import { directoryIdentity } from '../../../ingest/read/directory-identity.js';
import { type Cli, type CommonOptions, UsageError } from '../../cli.js';
import type { Connection } from '../../connection.js';
import { type GoneFiles, namesOfGone } from '../../output/job-files.js';
import { dim, yellow } from '../../output/output.js';
import { endOf, typedWord } from '../../output/paths.js';
import { isDirectory } from '../../walk.js';

type DomainOptions = CommonOptions & { readonly domain?: string };

/** Files that a dry run names at most. */
const NAMED = 1000;

/** A directory as it was typed, and its real path. */
export interface TypedDirectory {
  readonly typed: string;
  readonly real: string;
}

/** Returns the directories below which what is gone is forgotten: none below another. */
export function directoriesOf(paths: readonly string[]): TypedDirectory[] {
  const typed = paths.filter(isDirectory);
  if (typed.length === 0)
    throw new UsageError('--forget-missing needs a directory; `svc forget --source` forgets one document.');
  // Of several that lead to one directory the first counts.
  const byReal = new Map<string, string>();
  for (const path of typed) {
    const real = realpathSync(path);
    if (!byReal.has(real)) byReal.set(real, path);
  }
  const all = [...byReal].map(([real, path]) => ({ typed: path, real }));
  return all.filter(({ real }) => !all.some((other) => other.real !== real && isBelow(real, other.real)));
}

/** Returns gone files as below the directories that were typed; the service was asked with their absolute paths. */
export function goneAsTyped({ total, files }: GoneFiles, typed: readonly string[]): GoneFiles {
  const named = (file: string): string => {
    const directory = typed.find((path) => isBelow(file, resolve(path)));
    return directory === undefined ? file : join(directory, relative(resolve(directory), file));
  };
  return { total, files: files.map(named) };
}

function isBelow(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

/** Forgets what is gone from directories; returns how many documents. */
export async function forgetGone(
  connection: Connection,
  directories: readonly TypedDirectory[],
  domain: string,
): Promise<number> {
  let sources = 0;
  for (const { real: directory } of directories) {
    const result = (await connection.call('forget_missing', { directory, domain })) as { sources: number };
    sources += result.sources;
  }
  return sources;
}

/** Prints what `--forget-missing` would forget; changes nothing. */
export async function listGone(
  cli: Cli,
  directories: readonly TypedDirectory[],
  { domain, ...options }: DomainOptions,
): Promise<void> {
  const files: string[] = [];
  let total = 0;
  const list = async (connection: Connection): Promise<void> => {
    for (const { typed } of directories) {
      const input = { directory: resolve(typed), domain, limit: NAMED - files.length };
      const found = (await connection.call('missing_files', input)) as GoneFiles;
      total += found.total;
      files.push(...goneAsTyped(found, [typed]).files);
    }
  };
  await cli.withConnection('ingest', options, list, { onlyReads: true });
  cli.print({ dry_run: true, gone: { total, files } }, options, ({ gone }) => dryRun(gone));
}

function dryRun({ total, files }: GoneFiles): string {
  if (total === 0) return 'No document would be forgotten: of those ingested from there earlier, no file is gone.';
  return [
    `Would be forgotten: ${counted(total, 'document')} whose ${total === 1 ? 'file is' : 'files are'} gone:`,
    ...files.map((path) => `  ${endOf(path)}`),
    ...(total > files.length ? [dim(`  and ${total - files.length} more`)] : []),
    dim('A dry run; nothing was changed.'),
  ].join('\n');
}

/** Says how many documents were forgotten because their files are gone. */
export function forgottenLine(forgotten: number): string {
  return forgotten === 0
    ? 'No document was forgotten: of those ingested from there earlier, no file is gone.'
    : `Forgotten: ${counted(forgotten, 'document')} whose ${forgotten === 1 ? 'file is' : 'files are'} gone.`;
}

/** Names files that are gone and still answer, and the command that forgets them; `typed` is what an ingest was called with. */
export function goneLine(gone: GoneFiles, typed: readonly string[], options: DomainOptions): string {
  const { total } = gone;
  const [are, answer, them] = total === 1 ? ['is', 'answers', 'it'] : ['are', 'answer', 'them'];
  const directories = typed.filter((path) => directoryIdentity(path) !== undefined);
  const where = directories.length === 1 ? 'this directory' : 'these directories';
  const given = Object.entries({ '--domain': options.domain, '--data-dir': options.dataDir });
  const words = [
    ...directories,
    ...given.flatMap(([name, value]) => (value === undefined ? [] : [name, value])),
    '--forget-missing',
  ].map(typedWord);
  return `${yellow('note')} ${counted(total, 'file')} of ${where} ${are} gone and still ${answer}: ${namesOfGone(gone)}; \`svc ingest ${words.join(' ')}\` forgets ${them}, with --dry-run it only lists ${them}.`;
}
