import type { Command } from 'commander';
import { toSvcError } from '../../../core/errors.js';
import { given } from '../../arguments.js';
import { type Cli, type CommonOptions, checkedInput, UsageError } from '../../cli.js';
import type { Connection } from '../../connection.js';
import { dim } from '../../output/output.js';

interface ForgetOptions extends CommonOptions {
  readonly domain?: string;
  readonly source?: string;
  readonly dryRun?: boolean;
}

interface Forgotten {
  readonly status: string;
  readonly sources: number;
  /** Nodes that no longer exist; a database does not count them. */
  readonly removed?: number;
}

export function forgetCommand(cli: Cli): Command {
  return cli
    .command('forget', 'forget what a source asserted, or a whole domain')
    .option('--source <source_id>', 'the source, as `documents` shows it, or a database, as `sources list` does')
    .option('--domain <name>', 'the domain')
    .option('--dry-run', 'only count what would be forgotten')
    .action(async (options: ForgetOptions) => {
      const { source, domain, dryRun: dry_run } = options;
      if ((source === undefined) === (domain === undefined)) {
        throw new UsageError('Give either --source or --domain.');
      }
      const [operation, input] =
        source === undefined
          ? ['forget_domain', given({ name: domain, dry_run })]
          : ['forget_document', given({ source_id: source, dry_run })];
      checkedInput(operation, input);
      const output = await cli.withConnection('forget', options, (connection) =>
        source === undefined ? connection.call(operation, input) : forgetSource(connection, input),
      );
      cli.print(output as Forgotten, options, ({ status, sources, removed }) => {
        if (removed === undefined) return forgottenSentence(status, `${sources} row(s) and table(s)`);
        const nodes = status === 'dry_run' ? '' : `; ${removed} node(s) no longer exist`;
        return forgottenSentence(status, `${sources} source(s)${nodes}`);
      });
    });
}

/** Says what was forgotten, or would be. */
export function forgottenSentence(status: string, what: string): string {
  return status === 'dry_run'
    ? `Would be forgotten: ${what}.\n${dim('A dry run; nothing was changed.')}`
    : `Forgotten: ${what}.`;
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
