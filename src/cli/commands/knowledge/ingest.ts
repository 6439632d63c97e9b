import { relative } from 'node:path';
import type { Command } from 'commander';
import { errorBody, toSvcError } from '../../../core/errors.js';
import { given } from '../../arguments.js';
import { type Cli, type CommonOptions, checkedInput, UsageError } from '../../cli.js';
import type { Connection } from '../../connection.js';
import { dim, red, shortened, yellow } from '../../output/output.js';
import { Progress } from '../../output/progress.js';
import { filesToIngest } from '../../walk.js';
import { planFiles } from './ingest-plan.js';
import { ingestSeeds } from './ingest-seeds.js';

interface IngestOptions extends CommonOptions {
  readonly domain?: string;
  readonly type?: string;
  readonly dryRun?: boolean;
}

interface Ingested {
  readonly concepts: number;
  readonly edges: number;
  readonly rules: number;
  readonly passages: number;
  readonly warnings: readonly string[];
  readonly unchanged?: boolean;
}

interface FileOutcome {
  readonly path: string;
  readonly result?: Ingested;
  readonly failure?: { readonly error: string; readonly code: string };
}

export function ingestCommand(cli: Cli): Command {
  return cli
    .command('ingest', 'ingest files, and directories with all below them')
    .argument('<paths...>', 'text, Markdown, PDF, HTML or DOCX files, or directories')
    .option('--domain <name>', 'domain to ingest into; a rule set may do without')
    .option('--type <type>', 'text, markdown, pdf, html, docx or seed (a rule set); by the extension when omitted')
    .option('--dry-run', 'only report the requests to the language model and their cost')
    .action(async (paths: string[], options: IngestOptions) => {
      if (options.type === 'seed') return ingestSeeds(cli, paths, options);
      if (options.domain === undefined) throw new UsageError('--domain is missing; name the domain to ingest into.');
      const { files, skipped } = await filesToIngest(paths);
      const started = performance.now();
      if (files.length === 0)
        throw new UsageError(
          `There is no file to ingest in ${paths.join(', ')}; readable are text, Markdown, PDF, HTML and DOCX.`,
        );
      checkedInput('ingest', inputFor(files[0]!, options));
      if (options.dryRun === true) return planFiles(cli, { files, skipped }, options);
      const outcomes = await cli.withConnection('ingest', options, (connection) => all(files, options, connection));
      const seconds = (performance.now() - started) / 1000;
      cli.print({ files: outcomes, skipped }, options, () => human(outcomes, { skipped, seconds }));
      if (outcomes.some((outcome) => outcome.failure !== undefined)) cli.exitCode = 1;
    });
}

function inputFor(path: string, options: IngestOptions): Record<string, unknown> {
  return given({ source_path: path, domain: options.domain, source_type: options.type });
}

async function all(files: readonly string[], options: IngestOptions, connection: Connection): Promise<FileOutcome[]> {
  const progress = new Progress(options.json === true);
  const outcomes: FileOutcome[] = [];
  try {
    for (const [i, path] of files.entries()) {
      const report = (done: number, total: number | undefined) =>
        progress.update(i + (total === undefined || total === 0 ? 0 : done / total), files.length, endOf(path));
      report(0, undefined);
      outcomes.push(await one(path, options, { connection, report }));
    }
  } finally {
    progress.stop();
  }
  return outcomes;
}

async function one(
  path: string,
  options: IngestOptions,
  { connection, report }: { connection: Connection; report: (done: number, total: number | undefined) => void },
): Promise<FileOutcome> {
  try {
    return {
      path,
      result: (await connection.call('ingest', inputFor(path, options), { progress: report })) as Ingested,
    };
  } catch (error) {
    return { path, failure: errorBody(toSvcError(error)) };
  }
}

/** Formats one line per file, the remarks, and the totals. */
function human(
  outcomes: readonly FileOutcome[],
  { skipped, seconds }: { readonly skipped: readonly string[]; readonly seconds: number },
): string {
  const width = Math.min(PATH_WIDTH, Math.max(...outcomes.map(({ path }) => endOf(path).length)));
  const lines = outcomes.flatMap((outcome) => [
    `${stateOf(outcome)} ${endOf(outcome.path).padEnd(width)}  ${outcome.failure?.error ?? countsOf(outcome.result)}`,
    ...(outcome.result?.warnings ?? []).map((warning) => `  ${yellow('note')} ${shortened(warning)}`),
  ]);
  const left = skipped.map((path) => dim(`skipped   ${endOf(path)} (text, Markdown, PDF, HTML and DOCX are read)`));
  return [...lines, ...left, '', totals(outcomes, skipped.length, seconds)].join('\n');
}

const STATE_WIDTH = 9;
const PATH_WIDTH = 60;

function stateOf({ result, failure }: FileOutcome): string {
  if (failure !== undefined) return red('failed'.padEnd(STATE_WIDTH));
  return (result?.unchanged === true ? 'unchanged' : 'ingested').padEnd(STATE_WIDTH);
}

/** Shows a path from here; of a long one its end, which names the file. */
function endOf(path: string): string {
  const text = relative('.', path) || path;
  return text.length <= PATH_WIDTH ? text : `…${text.slice(-(PATH_WIDTH - 1))}`;
}

function countsOf(result: Pick<Ingested, 'passages' | 'concepts' | 'edges' | 'rules'> | undefined): string {
  if (result === undefined) return '';
  const { passages, concepts, edges, rules } = result;
  return [
    counted(passages, 'passage'),
    counted(concepts, 'concept'),
    counted(edges, 'edge'),
    counted(rules, 'rule'),
  ].join(', ');
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function totals(outcomes: readonly FileOutcome[], skipped: number, seconds: number): string {
  const results = outcomes.flatMap(({ result }) => (result === undefined ? [] : [result]));
  const sum = (member: 'passages' | 'concepts' | 'edges' | 'rules') =>
    results.reduce((total, result) => total + result[member], 0);
  const unchanged = results.filter((result) => result.unchanged === true).length;
  const files = [
    `${results.length - unchanged} ingested`,
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(outcomes.length > results.length ? [`${outcomes.length - results.length} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ');
  const counts = countsOf({
    passages: sum('passages'),
    concepts: sum('concepts'),
    edges: sum('edges'),
    rules: sum('rules'),
  });
  return `${files}: ${counts} in ${seconds.toFixed(1)} s (${(outcomes.length / Math.max(seconds, 0.001)).toFixed(1)} files/s).`;
}
