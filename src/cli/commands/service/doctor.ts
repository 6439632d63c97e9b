import type { Command } from 'commander';
import type { Check } from '../../check.js';
import { type Cli, type CommonOptions, UsageError } from '../../cli.js';
import { examine } from '../../examine.js';
import { examineService } from '../../examine-service.js';
import { green, red, table, yellow } from '../../output/output.js';
import { type Repaired, repairedLines } from '../../output/repaired.js';

const WORDS = { ok: green('ok'), warning: yellow('warning'), failed: red('failed') };

interface DoctorOptions extends CommonOptions {
  readonly repair?: boolean;
}

interface Found {
  readonly checks: readonly Check[];
  readonly repaired?: Repaired;
}

export function doctorCommand(cli: Cli): Command {
  return cli
    .command('doctor', 'check the installation and its surroundings')
    .option('--repair', 'bring counts, text index, vectors and engines in line with the ledger first')
    .action(async ({ repair, ...options }: DoctorOptions) => {
      const call = { command: 'doctor', operation: 'repair', input: {}, options };
      const repaired = repair === true ? await cli.answerOf<Repaired>(call) : undefined;
      const examined = await examine(() => configOrProblem(cli, options));
      const checks = [...examined, ...(await examineService(cli, options, examined))];
      const found: Found = { checks, ...(repaired === undefined ? {} : { repaired }) };
      cli.print(found, options, ({ repaired, checks }) =>
        [...(repaired === undefined ? [] : [...repairedLines(repaired), '']), tableOf(checks)].join('\n'),
      );
      if (checks.some((check) => check.state === 'failed')) cli.exitCode = 1;
    });
}

function tableOf(checks: readonly Check[]): string {
  return table<Check>(checks, [
    { title: '', of: (check) => WORDS[check.state] },
    { title: 'Check', of: (check) => check.name },
    { title: 'Found', of: (check) => check.found, wide: 1 },
  ]);
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
