import type { Command } from 'commander';
import { stringify } from 'yaml';
import { masked, unreadVariables } from '../../../config.js';
import type { Cli, CommonOptions } from '../../cli.js';

export function configCommand(cli: Cli): Command {
  return cli.command('config', 'effective settings, secrets masked').action((options: CommonOptions) => {
    const config = cli.config(options);
    cli.print(masked(config), options, (shown) => stringify(shown).trimEnd());
    for (const sentence of unreadVariables(config)) cli.warn(sentence);
  });
}
