import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { operations } from '../../../operations/index.js';
import type { Operation } from '../../../operations/operation.js';
import { type Cli, type CommonOptions, UsageError } from '../../cli.js';
import { table } from '../../output/output.js';
import { visibleJson } from '../../output/visible.js';

interface CallOptions extends CommonOptions {
  readonly input?: string;
  readonly list?: boolean;
}

/** Makes `call`, which runs any operation by name. */
export function callCommand(cli: Cli): Command {
  return cli
    .command('call', 'call any operation by name')
    .argument('[operation]', 'name of the operation')
    .option('--input <json>', 'input as JSON, @file, or - for standard input')
    .option('--list', 'name the operations')
    .action(async (operation: string | undefined, options: CallOptions) => {
      if (options.list === true) return list(cli, options);
      if (operation === undefined) throw new UsageError('Name an operation, or pass --list.');
      const input = parsed(await readInput(options.input));
      await cli.show({ command: `call ${operation}`, operation, input, options }, (_, exact) =>
        visibleJson(JSON.stringify(exact, null, 2)),
      );
    });
}

function list(cli: Cli, options: CallOptions): void {
  const all = Object.values(operations as Readonly<Record<string, Operation>>).map(({ name, summary }) => ({
    name,
    summary,
  }));
  cli.print(all, options, (rows) =>
    table(rows, [
      { title: 'Operation', of: (row) => row.name },
      { title: 'Summary', of: (row) => row.summary, wide: 1 },
    ]),
  );
}

async function readInput(given: string | undefined): Promise<string> {
  if (given === undefined) return '{}';
  if (given === '-') return text(process.stdin);
  if (!given.startsWith('@')) return given;
  try {
    return readFileSync(given.slice(1), 'utf8');
  } catch (cause) {
    throw new UsageError(`${given.slice(1)} cannot be read.`, { cause });
  }
}

function parsed(json: string): object {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new UsageError('--input is not valid JSON.', { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('--input must be a JSON object.');
  return value;
}
