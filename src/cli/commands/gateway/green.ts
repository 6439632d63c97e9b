import { Argument, Command, Option } from 'commander';
import { decimalNumber, given, wholeNumber } from '../../arguments.js';
import { type Cli, type CommonOptions, checkedInput, UsageError } from '../../cli.js';
import type { Connection } from '../../connection.js';
import { rendered } from '../../output/render.js';
import { emissionsShown, factorsShown, targetShown, targetsShown } from './emissions.js';
import { pagedTraces, written, writtenList } from './paged.js';

const REPORTS = {
  'ghg-protocol': 'green_export_ghg_protocol',
  cdp: 'green_export_cdp',
  tcfd: 'green_export_tcfd',
  iso14064: 'green_export_iso14064',
} as const;

interface ExportOptions extends CommonOptions {
  readonly format: 'json' | keyof typeof REPORTS;
  readonly limit?: number;
  readonly period?: string;
  readonly baseline?: number;
}

/** Makes the commands of the emissions module. */
export function greenCommand(cli: Cli): Command {
  const command = new Command('green').description('carbon and water of model calls').showHelpAfterError();
  const members = [
    exportCommand(cli),
    statusCommand(cli),
    targetsCommand(cli),
    factorsCommand(cli),
    recomputeCommand(cli),
  ];
  for (const member of members) command.addCommand(member.exitOverride());
  return command;
}

function exportCommand(cli: Cli): Command {
  return cli
    .command('export', 'all traces, or a report of a period, as JSON')
    .addOption(
      new Option('--format <format>', 'what to export').choices(['json', ...Object.keys(REPORTS)]).default('json'),
    )
    .option('--limit <n>', 'with json: so many traces at most', wholeNumber)
    .option('--period <period>', 'YYYY, YYYY-Qn, YYYY-MM or YYYY-Wnn (default the current year)')
    .option('--baseline <year>', 'with tcfd: the year to compare with', wholeNumber)
    .action(async (options: ExportOptions) => {
      checkOptions(options);
      if (options.format === 'json') await writeTraces(cli, options);
      else await writeReport(cli, options.format, options);
    });
}

function checkOptions({ format, limit, period, baseline }: ExportOptions): void {
  if (limit !== undefined && (format !== 'json' || limit < 1)) {
    throw new UsageError('--limit goes with --format json and must be at least 1.');
  }
  if (period !== undefined && format === 'json') throw new UsageError('--period goes with a report, not with json.');
  if (baseline !== undefined && format !== 'tcfd') throw new UsageError('--baseline goes with --format tcfd.');
}

async function writeTraces(cli: Cli, options: ExportOptions): Promise<void> {
  const write = async (connection: Connection): Promise<void> => {
    const summary = await connection.call('green_summary', {});
    const { total } = (await connection.call('green_traces', { limit: 0 })) as { total: number };
    await written(`{"summary": ${JSON.stringify(summary)},\n"traces": `);
    await writtenList(pagedTraces(connection, 'green_export_page', options.limit));
    await written(`,\n"total": ${total}}\n`);
  };
  await cli.withConnection('green export', options, write, { onlyReads: true });
}

async function writeReport(cli: Cli, format: keyof typeof REPORTS, options: ExportOptions): Promise<void> {
  const { period, baseline } = options;
  if (format === 'cdp' && period !== undefined && !/^\d{4}$/.test(period)) {
    throw new UsageError('CDP reports a year: --period must be YYYY.');
  }
  const input =
    format === 'cdp'
      ? given({ year: period === undefined ? undefined : Number(period) })
      : given({ period, baseYear: baseline });
  checkedInput(REPORTS[format], input);
  const call = (connection: Connection) => connection.call(REPORTS[format], input);
  const report = await cli.withConnection('green export', options, call, { onlyReads: true });
  await written(`${JSON.stringify(report, null, 2)}\n`);
}

function statusCommand(cli: Cli): Command {
  return cli
    .command('status', 'emissions and water so far')
    .action((options: CommonOptions) =>
      cli.show({ command: 'green status', operation: 'green_summary', input: {}, options }, emissionsShown),
    );
}

function targetsCommand(cli: Cli): Command {
  const command = new Command('targets').description('reduction targets').showHelpAfterError();
  const list = cli
    .command('list', 'targets and where they stand')
    .action((options: CommonOptions) =>
      cli.show({ command: 'green targets', operation: 'green_targets', input: {}, options }, targetsShown),
    );
  const add = cli
    .command('add', 'add a target')
    .addArgument(new Argument('<name>', 'what people call it'))
    .requiredOption('--base-year <year>', 'year that is compared with', wholeNumber)
    .requiredOption('--target-year <year>', 'year in which it is reached', wholeNumber)
    .requiredOption('--reduction <percent>', 'reduction against the base year', decimalNumber)
    .addOption(
      new Option('--pathway <pathway>', '1.5C, well-below-2C or 2C')
        .choices(['1.5C', 'well-below-2C', '2C'])
        .default('1.5C'),
    )
    .option('--base-grams <grams>', 'emissions of the base year (default: what is recorded)', decimalNumber)
    .option('--id <id>', 'its id (default: a new one)')
    .action((name: string, options: CommonOptions & Record<string, unknown>) =>
      cli.show(
        {
          command: 'green targets add',
          operation: 'green_target_add',
          input: given({
            name,
            baseYear: options.baseYear,
            targetYear: options.targetYear,
            targetReductionPercent: options.reduction,
            pathway: options.pathway,
            baseYearEmissionsGrams: options.baseGrams,
            targetId: options.id,
          }),
          options,
        },
        targetShown,
      ),
    );
  const remove = cli
    .command('remove', 'remove a target')
    .addArgument(new Argument('<id>', 'its id'))
    .action((targetId: string, options: CommonOptions) =>
      cli.show(
        { command: 'green targets remove', operation: 'green_target_remove', input: { targetId }, options },
        rendered,
      ),
    );
  for (const member of [list, add, remove]) command.addCommand(member.exitOverride());
  return command;
}

interface Explanation {
  readonly steps: readonly string[];
}

function factorsCommand(cli: Cli): Command {
  return cli
    .command('factors', 'the factor table, or how one factor comes about')
    .option('--explain <provider/model>', 'the derivation for this model')
    .option('--region <region>', 'with --explain: cloud region of the call')
    .action(async (options: CommonOptions & { explain?: string; region?: string }) => {
      const { explain, region } = options;
      if (explain === undefined) {
        if (region !== undefined) throw new UsageError('--region goes with --explain.');
        return cli.show({ command: 'green factors', operation: 'green_factors', input: {}, options }, factorsShown);
      }
      const at = explain.indexOf('/');
      const input = given({
        provider: at < 0 ? undefined : explain.slice(0, at),
        model: explain.slice(at + 1),
        region,
      });
      return cli.show<Explanation>(
        { command: 'green factors', operation: 'green_explain', input, options },
        ({ steps }) => steps.join('\n'),
      );
    });
}

function recomputeCommand(cli: Cli): Command {
  return cli
    .command('recompute', 'compute all emissions anew with the factor table of today')
    .action((options: CommonOptions) =>
      cli.show({ command: 'green recompute', operation: 'green_recompute', input: {}, options }, rendered),
    );
}
