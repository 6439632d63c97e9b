import type { Command } from 'commander';
import type { Cli, CommonOptions } from '../../cli.js';
import { section } from '../../output/output.js';
import { rendered } from '../../output/render.js';

type Stats = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export function statsCommand(cli: Cli): Command {
  return cli.command('stats', 'knowledge, learning and activity in numbers').action((options: CommonOptions) =>
    cli.show<Stats>({ command: 'stats', operation: 'stats', input: {}, options }, (stats) =>
      Object.entries(stats)
        .map(([group, members]) => section(group, rendered(members)))
        .join('\n\n'),
    ),
  );
}
