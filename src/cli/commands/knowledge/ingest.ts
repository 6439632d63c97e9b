import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import stringWidth from 'string-width';
import { given } from '../../arguments.js';
import { type Cli, type CommonOptions, checkedInput, UsageError } from '../../cli.js';
import { dim, padded, red, shortened, yellow } from '../../output/output.js';
import { counted, endOf, PATH_WIDTH } from '../../output/paths.js';
import { Progress } from '../../output/progress.js';
import { visibleAnswer } from '../../output/visible.js';
import { stopSignal } from '../../until-stopped.js';
import { filesToIngest } from '../../walk.js';
import { type FileOutcome, type Ingested, type JobEnd, type JobInput, runJob, type SkippedFile } from './ingest-job.js';
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
      const { files, skipped: unread } = await filesToIngest(paths);
      const started = performance.now();
      if (files.length === 0)
        throw new UsageError(
          `There is no file to ingest in ${paths.join(', ')}; readable are text, Markdown, PDF, HTML and DOCX.`,
        );
      checkedInput('job_ingest', inputFor(paths, options));
      if (options.dryRun === true) return planFiles(cli, { files, skipped: unread }, options);
      const input = { ...inputFor(paths, options), domain: options.domain };
      if (options.watch === true) return watchFiles(cli, input, options);
      const isOne = files.length === 1 && unread.length === 0 && resolve(paths[0]!) === files[0];
      const { outcomes, empty } = isOne ? await one(cli, files[0]!, options) : await many(cli, input, options);
      const seconds = (performance.now() - started) / 1000;
      const skipped = [...empty, ...unread.map((path) => ({ path, reason: READ }))];
      const answer = { files: outcomes, skipped: skipped.map(({ path }) => path) };
      cli.print(answer, options, ({ files }) => human(files, { skipped: visibleAnswer(skipped), seconds }));
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

type Outcomes = Pick<JobEnd, 'outcomes' | 'empty'>;

async function one(cli: Cli, path: string, { domain, type, ...options }: IngestOptions): Promise<Outcomes> {
  const input = given({ source_path: path, domain, source_type: type });
  try {
    const result = await cli.answerOf<Ingested>({ command: 'ingest', operation: 'ingest', input, options });
    return { outcomes: [{ path, result }], empty: [] };
  } catch (error) {
    return { outcomes: [{ path, failure: cli.errorOf(error) }], empty: [] };
  }
}

/** Ingests as a job, which the running service works on, or this process; a signal cancels it. */
async function many(cli: Cli, input: JobInput, options: IngestOptions): Promise<Outcomes> {
  const { stopped, release } = stopSignal();
  const progress = new Progress(options.json === true);
  try {
    return await cli.withConnection('ingest', options, async (connection) => {
      const { cancelled, job_id, ...found } = await runJob(connection, input, { stopped, progress });
      const ended = { ...found, outcomes: found.outcomes.map((one) => asTyped(cli, one)) };
      if (!cancelled) return ended;
      progress.stop();
      process.stderr.write(`The job was cancelled; \`jobs retry ${job_id}\` goes on with it.\n`);
      cli.exitCode = 130;
      return ended;
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
  { skipped, seconds }: { readonly skipped: readonly SkippedFile[]; readonly seconds: number },
): string {
  const width = Math.min(PATH_WIDTH, Math.max(0, ...outcomes.map(({ path }) => stringWidth(endOf(path)))));
  const lines = outcomes.flatMap((outcome) => [
    `${stateOf(outcome)} ${padded(endOf(outcome.path), width)}  ${outcome.failure?.error ?? countsOf(outcome.result)}`,
    ...(outcome.result?.warnings ?? []).map((warning) => `  ${yellow('note')} ${shortened(warning)}`),
  ]);
  const left = skipped.map(({ path, reason }) => dim(`skipped   ${endOf(path)} (${reason})`));
  const again = outcomes.some(({ failure }) => failure !== undefined)
    ? [dim('Mend or remove what failed, then type the same command again: what is unchanged takes no time.')]
    : [];
  const hints = [...outcomes.filter(({ failure }) => failure !== undefined), ...skipped].some(isChat)
    ? [dim('A chat export with a JSON message a line is read with --type messages.')]
    : [];
  return [...lines, ...left, '', totals(outcomes, skipped.length, seconds), ...again, ...hints].join('\n');
}

/** Returns whether a file's name is that of JSON Lines, as chats are exported. */
function isChat({ path }: { readonly path: string }): boolean {
  return /\.(jsonl|ndjson)$/i.test(path);
}

/** Why a file below a directory is left out. */
const READ = 'text, Markdown, PDF, HTML and DOCX are read';

const STATE_WIDTH = 9;

function stateOf({ result, failure }: FileOutcome): string {
  if (failure !== undefined) return red('failed'.padEnd(STATE_WIDTH));
  return (result?.unchanged === true ? 'unchanged' : 'ingested').padEnd(STATE_WIDTH);
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
