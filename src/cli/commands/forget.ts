import type { Command } from 'commander';
import { type Cli, type CommonOptions, UsageError } from '../cli.js';

interface Options extends CommonOptions {
  readonly domain?: string;
  readonly source?: string;
}

interface Forgotten {
  readonly sources: number;
  readonly removed: number;
}

export function forgetCommand(cli: Cli): Command {
  return cli
    .command('forget', 'forget what a source asserted, or a whole domain')
    .option('--source <source_id>', 'the source, as `documents` shows it')
    .option('--domain <name>', 'the domain')
    .action((options: Options) => {
      if ((options.source === undefined) === (options.domain === undefined)) {
        throw new UsageError('Give either --source or --domain.');
      }
      const [operation, input] =
        options.source === undefined
          ? ['forget_domain', { name: options.domain }]
          : ['forget_document', { source_id: options.source }];
      return cli.show<Forgotten>(
        { command: 'forget', operation, input, options },
        ({ sources, removed }) => `Forgotten: ${sources} source(s); ${removed} node(s) no longer exist.`,
      );
    });
}
