import type { Command } from 'commander';
import { counted } from '../../../core/wording/counted.js';
import type { Check } from '../../check.js';
import { type Cli, type CommonOptions, UsageError } from '../../cli.js';
import { examine } from '../../examine.js';
import { examineService } from '../../examine-service.js';
import { green, red, table, yellow } from '../../output/output.js';

const WORDS = { ok: green('ok'), warning: yellow('warning'), failed: red('failed') };

interface DoctorOptions extends CommonOptions {
  readonly repair?: boolean;
}

interface Repaired {
  readonly counts: readonly string[];
  readonly indexed: number;
  readonly engines: ReadonlyArray<{ readonly engine: string; readonly written: number; readonly removed: number }>;
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
      cli.print(found, options, (shown) => [...sentences(shown.repaired), tableOf(shown.checks)].join('\n'));
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

/** Returns what a repair did, a line each. */
function sentences(repaired: Repaired | undefined): string[] {
  if (repaired === undefined) return [];
  const { counts, indexed, engines } = repaired;
  const lines = [
    ...(counts.length > 0 ? [`Counted the rows of ${counts.join(', ')} anew.`] : []),
    ...(indexed > 0 ? [`Brought text index and vectors in line for ${counted(indexed, 'node')}.`] : []),
    ...engines
      .filter(({ written, removed }) => written + removed > 0)
      .map(
        ({ engine, written, removed }) => `Wrote ${counted(written, 'record')} to ${engine} and removed ${removed}.`,
      ),
  ];
  return [...(lines.length > 0 ? lines : ['Nothing had to be mended.']), ''];
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
