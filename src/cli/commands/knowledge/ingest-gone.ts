import { realpathSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { type Cli, type CommonOptions, UsageError } from '../../cli.js';
import type { Connection } from '../../connection.js';
import { dim, yellow } from '../../output/output.js';
import { counted, endOf, typedWord } from '../../output/paths.js';
import type { GoneFiles } from './ingest-job.js';

type DomainOptions = CommonOptions & { readonly domain?: string };

/** Files that a dry run names at most. */
const NAMED = 1000;

/** Returns the directories below which what is gone is forgotten: real paths, none below another. */
export function directoriesOf(paths: readonly string[]): string[] {
  const real = new Set(paths.filter((path) => statSync(path).isDirectory()).map((path) => realpathSync(path)));
  if (real.size === 0)
    throw new UsageError('--forget-missing needs a directory; `svc forget --source` forgets one document.');
  return [...real].filter((one) => ![...real].some((other) => other !== one && isBelow(one, other)));
}

function isBelow(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

/** Forgets what is gone from directories; returns how many documents. */
export async function forgetGone(
  connection: Connection,
  directories: readonly string[],
  domain: string,
): Promise<number> {
  let sources = 0;
  for (const directory of directories) {
    const result = (await connection.call('forget_missing', { directory, domain })) as { sources: number };
    sources += result.sources;
  }
  return sources;
}

/** Prints what `--forget-missing` would forget; changes nothing. */
export async function listGone(
  cli: Cli,
  directories: readonly string[],
  { domain, ...options }: DomainOptions,
): Promise<void> {
  const files: string[] = [];
  let total = 0;
  const list = async (connection: Connection): Promise<void> => {
    for (const directory of directories) {
      const input = { directory, domain, dry_run: true, limit: NAMED - files.length };
      const found = (await connection.call('forget_missing', input)) as { sources: number; files: string[] };
      total += found.sources;
      files.push(...found.files);
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
export function goneLine({ total, files }: GoneFiles, typed: readonly string[], options: DomainOptions): string {
  const [are, answer, them] = total === 1 ? ['is', 'answers', 'it'] : ['are', 'answer', 'them'];
  const directories = typed.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);
  const where = directories.length === 1 ? 'this directory' : 'these directories';
  const named = files.map(endOf).join(', ');
  const more = total > files.length ? ` and ${total - files.length} more` : '';
  const given = Object.entries({ '--domain': options.domain, '--data-dir': options.dataDir });
  const words = [
    ...directories,
    ...given.flatMap(([name, value]) => (value === undefined ? [] : [name, value])),
    '--forget-missing',
  ].map(typedWord);
  return `${yellow('note')} ${counted(total, 'file')} of ${where} ${are} gone and still ${answer}: ${named}${more}; \`svc ingest ${words.join(' ')}\` forgets ${them}, with --dry-run it only lists ${them}.`;
}
