import { relative, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { given } from '../../arguments.js';
import { type Cli, type CommonOptions, checkedInput, UsageError } from '../../cli.js';
import { dim, red, shortened, yellow } from '../../output/output.js';
import { Progress } from '../../output/progress.js';
import { stopSignal } from '../../until-stopped.js';
import { filesToIngest } from '../../walk.js';
import { type FileOutcome, type Ingested, type JobInput, runJob } from './ingest-job.js';
import { ingestMessages } from './ingest-messages.js';
import { planFiles } from './ingest-plan.js';
import { ingestSeeds } from './ingest-seeds.js';
import { watchFiles } from './ingest-watch.js';

interface IngestOptions extends CommonOptions {
  readonly domain?: string;
  readonly type?: string;
  readonly dryRun?: boolean;
  readonly watch?: boolean;
}

const TYPES = ['text', 'markdown', 'pdf', 'html', 'docx', 'messages', 'seed'];

export function ingestCommand(cli: Cli): Command {
  return cli
    .command('ingest', 'ingest files, and directories with all below them')
    .argument('<paths...>', 'text, Markdown, PDF, HTML or DOCX files, or directories')
    .option('--domain <name>', 'domain to ingest into; rule sets and messages may do without')
    .addOption(
      new Option(
        '--type <type>',
        'what the files are: messages are JSON, one a line, a seed is a rule set; by the extension when omitted',
      ).choices(TYPES),
    )
    .option('--watch', 'go on: changed files replace what they said, removed ones are forgotten')
    .option('--dry-run', 'only report the requests to the language model and their cost')
    .action(async (paths: string[], options: IngestOptions) => {
      if (options.type === 'seed' || options.type === 'messages') refuseFor(options.type, options);
      if (options.type === 'seed') return ingestSeeds(cli, paths, options);
      if (options.type === 'messages') return ingestMessages(cli, paths, options);
      if (options.domain === undefined) throw new UsageError('--domain is missing; name the domain to ingest into.');
      const { files, skipped } = await filesToIngest(paths);
      const started = performance.now();
      if (files.length === 0)
        throw new UsageError(
          `There is no file to ingest in ${paths.join(', ')}; readable are text, Markdown, PDF, HTML and DOCX.`,
        );
      checkedInput('job_ingest', inputFor(paths, options));
      if (options.dryRun === true) return planFiles(cli, { files, skipped }, options);
      const input = { ...inputFor(paths, options), domain: options.domain };
      if (options.watch === true) return watchFiles(cli, input, options);
      const isOne = files.length === 1 && skipped.length === 0 && resolve(paths[0]!) === files[0];
      const outcomes = isOne ? [await one(cli, files[0]!, options)] : await many(cli, input, options);
      const seconds = (performance.now() - started) / 1000;
      cli.print({ files: outcomes, skipped }, options, () => human(outcomes, { skipped, seconds }));
      if (cli.exitCode === 0 && outcomes.some((outcome) => outcome.failure !== undefined)) cli.exitCode = 1;
    });
}

/** Throws a usage error for what only documents have: ignored, it would write where a plan was asked for. */
function refuseFor(type: string, { dryRun, watch }: IngestOptions): void {
  const option = dryRun === true ? '--dry-run' : watch === true ? '--watch' : undefined;
  if (option !== undefined) throw new UsageError(`${option} is for documents; leave it out with --type ${type}.`);
}

function inputFor(paths: readonly string[], { domain, type }: IngestOptions): Record<string, unknown> {
  return given({ paths: paths.map((path) => resolve(path)), domain, source_type: type });
}

async function one(cli: Cli, path: string, { domain, type, ...options }: IngestOptions): Promise<FileOutcome> {
  const input = given({ source_path: path, domain, source_type: type });
  try {
    return { path, result: await cli.answerOf<Ingested>({ command: 'ingest', operation: 'ingest', input, options }) };
  } catch (error) {
    return { path, failure: cli.errorOf(error) };
  }
}

/** Ingests as a job, which the running service works on, or this process; a signal cancels it. */
async function many(cli: Cli, input: JobInput, options: IngestOptions): Promise<FileOutcome[]> {
  const { stopped, release } = stopSignal();
  const progress = new Progress(options.json === true);
  try {
    return await cli.withConnection('ingest', options, async (connection) => {
      const { outcomes: found, cancelled, job_id } = await runJob(connection, input, { stopped, progress });
      const outcomes = found.map((one) => asTyped(cli, one));
      if (!cancelled) return outcomes;
      progress.stop();
      process.stderr.write(`The job was cancelled; \`jobs retry ${job_id}\` goes on with it.\n`);
      cli.exitCode = 130;
      return outcomes;
    });
  } finally {
    release();
    progress.stop();
  }
}

/** Returns what became of a file of a job, an error in the words of the command. */
function asTyped(cli: Cli, { failure, ...outcome }: FileOutcome): FileOutcome {
  return failure === undefined ? outcome : { ...outcome, failure: { ...failure, error: cli.typed(failure.error) } };
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
  const again = outcomes.some(({ failure }) => failure !== undefined)
    ? [dim('Mend or remove what failed, then type the same command again: what is unchanged takes no time.')]
    : [];
  return [...lines, ...left, '', totals(outcomes, skipped.length, seconds), ...again].join('\n');
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
