import type { Command } from 'commander';
import type { Cli, CommonOptions } from '../../cli.js';
import { facts, section } from '../../output/output.js';

type Stats = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export function statsCommand(cli: Cli): Command {
  return cli.command('stats', 'knowledge, learning and activity in numbers').action((options: CommonOptions) =>
    cli.show<Stats>({ command: 'stats', operation: 'stats', input: {}, options }, (stats) =>
      Object.entries(stats)
        .map(([group, members]) => section(group, facts(Object.entries(members))))
        .join('\n\n'),
    ),
  );
}
