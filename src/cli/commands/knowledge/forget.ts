import type { Command } from 'commander';
import { toSvcError } from '../../../core/errors.js';
import { counted } from '../../../core/wording/counted.js';
import { given } from '../../arguments.js';
import { type Cli, type CommonOptions, checkedInput, UsageError } from '../../cli.js';
import type { Connection } from '../../connection.js';
import { dim, yellow } from '../../output/output.js';
import { forgetSessions } from './messages/forget-sessions.js';
import { documentOf, type Forgotten, named } from './named-documents.js';

interface ForgetOptions extends CommonOptions {
  readonly domain?: string;
  readonly source?: string;
  readonly sessions?: boolean;
  readonly dryRun?: boolean;
}

export function forgetCommand(cli: Cli): Command {
  return cli
    .command('forget', 'forget what a source asserted, or a whole domain')
    .argument(
      '[file]',
      'a document by its path, or a source by its label in `documents`; with --domain, of this domain',
    )
    .option('--source <source_id>', 'the source, as `documents` shows it, or a database, as `sources list` does')
    .option('--domain <name>', 'the domain')
    .option('--sessions', 'all sessions of a chat file that is there; of a name alone, all that are named so')
    .option('--dry-run', 'only count what would be forgotten')
    .action(async (file: string | undefined, options: ForgetOptions) => {
      const output = await cli.withConnection('forget', options, forgetting(file, options));
      cli.print(output as Forgotten, options, ({ status, source_id, sources, removed, documents = [], left = [] }) => {
        if (source_id !== undefined) return forgottenSentence(status, rowsAndTables(sources));
        const nodes = removed === undefined ? '' : nodesOf(status, removed);
        const labels = documents.map(({ label, domain }) => `${label}, in ${domain}`);
        const sentence = forgottenSentence(status, `${counted(sources, 'source')}${nodes}`, labels);
        return left.length === 0 ? sentence : `${sentence}\n${leftLine(left)}`;
      });
    });
}

function nodesOf(status: string, removed: number): string {
  if (status === 'dry_run') return ` with ${counted(removed, 'node')}`;
  return `; ${counted(removed, 'node')} no longer ${removed === 1 ? 'exists' : 'exist'}`;
}

/** Returns what a command line asks for; throws `UsageError` where it does not say one thing. */
function forgetting(file: string | undefined, options: ForgetOptions): (connection: Connection) => Promise<unknown> {
  const { source, domain, sessions = false, dryRun: dry_run } = options;
  if (sessions && (file === undefined || source !== undefined))
    throw new UsageError('--sessions is for the file of a chat; name it.');
  if (file !== undefined) {
    if (source !== undefined) throw new UsageError('Give either a file or --source.');
    if (sessions) return (connection) => forgetSessions(connection, file, { domain, dry_run });
    return async (connection) => {
      const { source_id, label, domain: of } = await documentOf(connection, file, domain);
      const done = (await connection.call('forget_document', given({ source_id, dry_run }))) as Forgotten;
      return { ...done, documents: [{ source_id, label, domain: of }] };
    };
  }
  if ((source === undefined) === (domain === undefined))
    throw new UsageError('Give a file, as `documents` labels it, or one of --source and --domain.');
  if (domain !== undefined) {
    const input = given({ name: domain, dry_run });
    checkedInput('forget_domain', input);
    return (connection) => connection.call('forget_domain', input);
  }
  const input = given({ source_id: source, dry_run });
  checkedInput('forget_document', input);
  return (connection) => forgetSource(connection, input);
}

/** Sessions that are left and named. */
const LEFT_NAMED = 5;

function leftLine(left: NonNullable<Forgotten['left']>): string {
  const more = left.length > LEFT_NAMED ? ` and ${left.length - LEFT_NAMED} more` : '';
  const [are, them] = left.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${yellow('note')} ${counted(left.length, 'session')} of that name ${are} left, since the file does not hold ${them}; --source forgets one: ${named(left.slice(0, LEFT_NAMED))}${more}.`;
}

/** Returns `1 row or table`, `2 rows and tables`. */
export function rowsAndTables(count: number): string {
  return count === 1 ? '1 row or table' : `${count} rows and tables`;
}

/** Says what was forgotten, or would be, with the names of it. */
export function forgottenSentence(status: string, what: string, names: readonly string[] = []): string {
  const dry = status === 'dry_run';
  return [
    dry ? `Would be forgotten: ${what}.` : `Forgotten: ${what}.`,
    ...names.map((name) => `  ${name}`),
    ...(dry ? [dim('A dry run; nothing was changed.')] : []),
  ].join('\n');
}

/** Forgets a document's source, else everything that a database of this name asserted. */
async function forgetSource(connection: Connection, input: object): Promise<unknown> {
  try {
    return await connection.call('forget_document', input);
  } catch (error) {
    if (toSvcError(error).code !== 'source_not_found') throw error;
    const made = await connection.call('source_forget', input).catch(() => null);
    if (made === null || (made as Forgotten).sources === 0) throw error;
    return made;
  }
}
