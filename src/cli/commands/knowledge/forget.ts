import type { Command } from 'commander';
import { toSvcError } from '../../../core/errors.js';
import { type Cli, type CommonOptions, checkedInput, UsageError } from '../../cli.js';
import type { Connection } from '../../connection.js';

interface ForgetOptions extends CommonOptions {
  readonly domain?: string;
  readonly source?: string;
}

interface Forgotten {
  readonly sources: number;
  /** Nodes that no longer exist; a database does not count them. */
  readonly removed?: number;
}

export function forgetCommand(cli: Cli): Command {
  return cli
    .command('forget', 'forget what a source asserted, or a whole domain')
    .option('--source <source_id>', 'the source, as `documents` shows it, or a database, as `sources list` does')
    .option('--domain <name>', 'the domain')
    .action(async (options: ForgetOptions) => {
      const { source, domain } = options;
      if ((source === undefined) === (domain === undefined)) {
        throw new UsageError('Give either --source or --domain.');
      }
      const [operation, input] =
        source === undefined ? ['forget_domain', { name: domain }] : ['forget_document', { source_id: source }];
      checkedInput(operation, input);
      const output = await cli.withConnection('forget', options, (connection) =>
        source === undefined ? connection.call(operation, input) : forgetSource(connection, source),
      );
      cli.print(output as Forgotten, options, ({ sources, removed }) =>
        removed === undefined
          ? `Forgotten: ${sources} row(s) and table(s).`
          : `Forgotten: ${sources} source(s); ${removed} node(s) no longer exist.`,
      );
    });
}

/** Forgets a document's source, else everything that a database of this name asserted. */
async function forgetSource(connection: Connection, source_id: string): Promise<unknown> {
  try {
    return await connection.call('forget_document', { source_id });
  } catch (error) {
    if (toSvcError(error).code !== 'source_not_found') throw error;
    const made = await connection.call('source_forget', { source_id }).catch(() => null);
    if (made === null || (made as Forgotten).sources === 0) throw error;
    return made;
  }
}
