import type { Command } from 'commander';
import type { Check } from '../../check.js';
import { type Cli, type CommonOptions, UsageError } from '../../cli.js';
import { examine } from '../../examine.js';
import { green, red, table, yellow } from '../../output/output.js';

const WORDS = { ok: green('ok'), warning: yellow('warning'), failed: red('failed') };

export function doctorCommand(cli: Cli): Command {
  return cli.command('doctor', 'check the installation and its surroundings').action(async (options: CommonOptions) => {
    const checks = await examine(() => configOrProblem(cli, options));
    cli.print({ checks }, options, () =>
      table<Check>(checks, [
        { title: '', of: (check) => WORDS[check.state] },
        { title: 'Check', of: (check) => check.name },
        { title: 'Found', of: (check) => check.found, wide: 1 },
      ]),
    );
    if (checks.some((check) => check.state === 'failed')) cli.exitCode = 1;
  });
}

/** Returns the configuration, or the sentence about what is wrong with it. */
function configOrProblem(cli: Cli, options: CommonOptions) {
  try {
    return cli.config(options);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}
