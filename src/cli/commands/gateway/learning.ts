import type { Command } from 'commander';
import { Option } from 'commander';
import type { LearningSummary } from '../../../gateway/learning/gateway-learning.js';
import type { Posterior } from '../../../gateway/learning/posteriors.js';
import { type Cli, type CommonOptions, UsageError } from '../../cli.js';
import type { Connection } from '../../connection.js';
import { facts, section, table } from '../../output/output.js';
import { rendered } from '../../output/render.js';
import { dayOf, NOTHING_RECORDED } from './emissions.js';
import { POSTERIORS_HEADER, posteriorLine, runLine, TRACES_HEADER } from './learning-csv.js';
import { pagedTraces, written, writtenLines, writtenList } from './paged.js';

interface ExportOptions extends CommonOptions {
  readonly format: 'json' | 'csv';
  readonly traces: boolean;
  readonly posteriors: boolean;
}

const SHOWN = 10;

/** Makes the commands of the learning gateway: `learning export`, `status` and `config`. */
export function gatewayLearningCommands(cli: Cli): Command[] {
  return [exportCommand(cli), statusCommand(cli), configCommand(cli)];
}

function exportCommand(cli: Cli): Command {
  return cli
    .command('export', 'runs and posteriors of the gateway, as JSON or CSV')
    .addOption(new Option('--format <format>', 'json or csv').choices(['json', 'csv']).default('json'))
    .option('--no-traces', 'posteriors only')
    .option('--no-posteriors', 'runs only')
    .action(async (options: ExportOptions) => {
      if (!options.traces && !options.posteriors) {
        throw new UsageError('--no-traces and --no-posteriors leave nothing to export; pass one of them.');
      }
      const write = options.format === 'csv' ? writeCsv : writeJson;
      await cli.withConnection('learning export', options, (connection) => write(connection, options), {
        onlyReads: true,
      });
    });
}

async function writeCsv(connection: Connection, { traces, posteriors }: ExportOptions): Promise<void> {
  if (traces) {
    await writtenLines(runLines(connection));
  }
  if (traces && posteriors) await written('\n');
  if (posteriors) {
    await written(POSTERIORS_HEADER);
    for (const posterior of await posteriorsOf(connection)) await written(posteriorLine(posterior));
  }
}

async function* runLines(connection: Connection): AsyncGenerator<string> {
  yield TRACES_HEADER;
  const runs = pagedTraces<Parameters<typeof runLine>[0]>(connection, 'gateway_learning_export');
  for await (const run of runs) yield runLine(run);
}

async function writeJson(connection: Connection, { traces, posteriors }: ExportOptions): Promise<void> {
  await written('{');
  if (traces) {
    await written('"traces": ');
    await writtenList(pagedTraces(connection, 'gateway_learning_export'));
  }
  if (posteriors) {
    const rows = (await posteriorsOf(connection)).map(({ armId, alpha, beta, pulls, lastUpdated }) => ({
      armId,
      alpha,
      beta,
      pulls,
      lastUpdated,
    }));
    await written(`${traces ? ', ' : ''}"posteriors": ${JSON.stringify(rows)}`);
  }
  await written('}\n');
}

async function posteriorsOf(connection: Connection): Promise<Posterior[]> {
  return (await connection.call('gateway_learning_posteriors', {})) as Posterior[];
}

function statusCommand(cli: Cli): Command {
  return cli
    .command('status', 'runs of the gateway, its best and its worst arms')
    .action(async (options: CommonOptions) => {
      const read = async (connection: Connection) => {
        const [summary, posteriors] = await Promise.all([
          connection.call('gateway_learning_summary', {}),
          posteriorsOf(connection),
        ]);
        return { summary: summary as LearningSummary, ...extremes(posteriors) };
      };
      const status = await cli.withConnection('learning status', options, read, { onlyReads: true });
      cli.print(status, options, ({ summary, top, bottom }) => {
        if (summary.traceCount === 0 && top.length === 0) return [facts([['runs', 0]]), NOTHING_RECORDED].join('\n\n');
        return [
          facts(factsOf(summary)),
          section('top arms', armsTable(top)),
          ...(bottom.length === 0 ? [] : [section('bottom arms', armsTable(bottom))]),
        ].join('\n\n');
      });
    });
}

/** Returns what the summary says, with units; what is not known is left out. */
function factsOf({ baseline, ...summary }: LearningSummary): Array<readonly [string, unknown]> {
  const sides = (baselineRuns: unknown, selected: unknown) => `${baselineRuns} in baseline runs, ${selected} in others`;
  const { baselineAvgTokens, selectedAvgTokens, baselineAvgDuration, selectedAvgDuration } = baseline;
  const average = (value: number | null, unit: string) => (value === null ? 'none' : `${Math.round(value)}${unit}`);
  const days = `${dayOf(summary.minTimestamp)} to ${dayOf(summary.maxTimestamp)} (UTC)`;
  return [
    ['runs', summary.traceCount],
    ...(summary.traceCount === 0 ? [] : [['days', days] as const]),
    ['arms', summary.armCount],
    ['tokens', summary.totalTokens],
    ['runs with arms', sides(baseline.baselineRuns, baseline.selectedRuns)],
    ['tokens a run', sides(average(baselineAvgTokens, ''), average(selectedAvgTokens, ''))],
    ['duration a run', sides(average(baselineAvgDuration, ' ms'), average(selectedAvgDuration, ' ms'))],
    ...(baseline.tokenSavingsPercent === null
      ? []
      : [['tokens saved', `${Number(baseline.tokenSavingsPercent.toFixed(1))} %`] as const]),
  ];
}

/** Returns the first and the last ten; an arm is in one of the lists only. */
function extremes(posteriors: readonly Posterior[]): { top: Posterior[]; bottom: Posterior[] } {
  const rest = posteriors.slice(SHOWN);
  return { top: posteriors.slice(0, SHOWN), bottom: rest.slice(-SHOWN).reverse() };
}

function armsTable(arms: readonly Posterior[]): string {
  return table(arms, [
    { title: 'arm', of: ({ armId }) => armId },
    { title: 'mean', of: ({ mean }) => mean.toFixed(3), right: true },
    { title: 'pulls', of: ({ pulls }) => pulls, right: true },
    { title: 'confidence', of: ({ confidence }) => confidence },
  ]);
}

function configCommand(cli: Cli): Command {
  return cli
    .command('config', 'settings of the selection of prompt components')
    .action((options: CommonOptions) =>
      cli.show({ command: 'learning config', operation: 'gateway_learning_config', input: {}, options }, rendered),
    );
}
