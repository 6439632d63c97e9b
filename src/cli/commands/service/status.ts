import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Cli, CommonOptions } from '../../cli.js';
import type { Connection } from '../../connection.js';
import { facts, green, yellow } from '../../output/output.js';
import { visible } from '../../output/visible.js';

interface Status {
  readonly status: string;
  readonly problems?: readonly string[];
  readonly [member: string]: unknown;
}

export function statusCommand(cli: Cli): Command {
  return cli.command('status', 'backends, models and health').action(async (options: CommonOptions) => {
    const { dir } = cli.config(options).data;
    const directory = visible(dir) + (existsSync(dir) ? '' : ' (does not exist yet)');
    const read = async (connection: Connection) => {
      // What the status tells matters most where the store, which counts the grams, does not answer.
      const today = connection.call('green_today', {}).catch(() => ({}));
      const [found, { grams }] = await Promise.all([
        connection.call('status', {}),
        today as Promise<{ grams?: number }>,
      ]);
      return { ...(found as Status), ...(grams === undefined ? {} : { co2_grams_today: grams }) };
    };
    const status = await cli.withConnection('status', options, read, { onlyReads: true });
    cli.print(status, options, (shown) => human(shown, directory));
  });
}

function human({ status, problems = [], interoception, health, ...rest }: Status, directory: string): string {
  const lines: Array<readonly [string, unknown]> = [
    ['status', status === 'ok' ? green(status) : yellow(status)],
    ['data_directory', directory],
  ];
  for (const [name, value] of Object.entries(rest)) lines.push([name, value]);
  for (const [group, members] of Object.entries({ health, interoception })) {
    for (const [name, value] of Object.entries((members ?? {}) as Record<string, unknown>)) {
      lines.push([`${group}.${name}`, value]);
    }
  }
  return [facts(lines), ...problems.map((problem) => yellow(problem))].join('\n');
}
