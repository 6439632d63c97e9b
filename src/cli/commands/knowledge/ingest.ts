import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { DOCUMENT_TYPES, kindsRead } from '../../../core/wording/document-types.js';
import { isNamedFirst } from '../../../ingest/read/file-type.js';
import { given } from '../../arguments.js';
import { type Cli, type CommonOptions, checkedInput, type RpcCallOptions, UsageError } from '../../cli.js';
import type { Connection } from '../../connection.js';
import { unreadReason } from '../../output/job-files.js';
import { Progress } from '../../output/progress.js';
import { ProgressLines } from '../../output/progress-lines.js';
import { visible, visibleAnswer } from '../../output/visible.js';
import { besidePath } from '../../typed-names.js';
import { stopSignal } from '../../until-stopped.js';
import { filesToIngest } from '../../walk.js';
import { directoriesOf, forgetGone, forgottenLine, goneAsTyped, goneLine, listGone } from './ingest-gone.js';
import { type FileOutcome, type Ingested, type JobEnd, type JobInput, NONE_GONE, runJob } from './ingest-job.js';
import { type DomainSize, fileLines, linksLine, replacedLine, summary, widthOf } from './ingest-lines.js';
import { planFiles } from './ingest-plan.js';
import { ingestSeeds } from './ingest-seeds.js';
import { watchFiles } from './ingest-watch.js';
import { ingestMessages } from './messages/ingest-messages.js';

interface IngestOptions extends CommonOptions {
  readonly domain?: string;
  readonly type?: string;
  readonly dryRun?: boolean;
  readonly watch?: boolean;
  readonly forgetMissing?: boolean;
  readonly followLinks?: boolean;
}

const TYPES = [...DOCUMENT_TYPES, 'messages', 'seed'];

export function ingestCommand(cli: Cli): Command {
  return cli
    .command('ingest', 'ingest files, and directories with all below them')
    .argument('<paths...>', `${kindsRead('or')} files, or directories`)
    .option('--domain <name>', 'domain to ingest into; rule sets and messages may do without')
    .addOption(
      new Option(
        '--type <type>',
        'what the files are: messages are what WhatsApp, Slack, Telegram, Discord, ChatGPT or Claude exports, or JSON, one a line; a seed is a rule set; by the extension when omitted',
      ).choices(TYPES),
    )
    .option('--watch', 'go on: changed files replace what they said, removed ones are forgotten')
    .option('--forget-missing', 'then forget what was ingested from below the directories and is gone from there')
    .option('--follow-links', 'also read what links below the directories lead to outside of them')
    .option(
      '--dry-run',
      'only list what would be read, with the requests to the language model and their cost; with --forget-missing what would be forgotten',
    )
    .action(async (paths: string[], options: IngestOptions) => {
      if (options.type === 'seed' || options.type === 'messages') refuseFor(options.type, options);
      if (options.type === 'seed') return ingestSeeds(cli, paths, options);
      if (options.type === 'messages') return ingestMessages(cli, paths, options);
      if (options.domain === undefined) throw new UsageError('--domain is missing; name the domain to ingest into.');
      const { files, named, skipped: unread, links } = await filesToIngest(paths, options.followLinks === true);
      if (links.length > 0) process.stderr.write(`${linksLine(links.map(visible))}\n`);
      const started = performance.now();
      const nothing = () =>
        new UsageError(`There is no file to ingest in ${paths.join(', ')}; readable are ${kindsRead('and')}.`);
      if (files.length === 0 && !unread.some(isNamedFirst)) throw nothing();
      checkedInput('job_ingest', inputFor(paths, options));
      const directories = options.forgetMissing === true ? directoriesOf(paths) : [];
      if (options.dryRun === true && directories.length > 0) return listGone(cli, directories, options);
      if (options.dryRun === true) return planFiles(cli, { files, named, skipped: unread, nothing }, options);
      const input = { ...inputFor(paths, options), domain: options.domain };
      if (options.watch === true) return watchFiles(cli, input, options);
      const isOne = files.length === 1 && unread.length === 0 && resolve(paths[0]!) === files[0];
      const width = widthOf(files.map(visible));
      // A reader that is no terminal sees no progress bar, but each line as it comes.
      const line = (outcome: FileOutcome) => cli.print(outcome, options, (shown) => fileLines(shown, width));
      const ended = isOne || options.json === true || process.stdout.isTTY ? undefined : line;
      const { outcomes, empty, gone, seconds, forgotten, known, replaced } = await cli.withConnection(
        'ingest',
        options,
        async (connection) => {
          const found = isOne
            ? await one(cli, connection, { path: files[0]!, options })
            : await many(cli, connection, { input, named, options, ended });
          return {
            ...found,
            seconds: (performance.now() - started) / 1000,
            forgotten:
              directories.length === 0 || cli.exitCode === 130
                ? undefined
                : await forgetGone(connection, directories, input.domain),
            known: await domainNow(connection, input.domain),
            replaced: await isReplaced(connection, cli.config(options).embedding.kind),
          };
        },
      );
      // A file that was named before is read again.
      const read = new Set(outcomes.map(({ path }) => path));
      const passedOver = unread.filter((path) => !read.has(path));
      const skipped = [...empty, ...passedOver.map((path) => ({ path, reason: unreadReason(path) }))];
      const left = forgotten === undefined && gone.total > 0 ? goneAsTyped(gone, paths) : undefined;
      const answer = {
        files: outcomes,
        skipped,
        ...given({ forgotten, gone: left, domain: known }),
      };
      if (replaced && options.json !== true) process.stderr.write(`${replacedLine()}\n`);
      cli.print(answer, options, ({ files }) =>
        [
          ...(ended === undefined ? files.map((file) => fileLines(file, width)) : []),
          summary(files, { skipped: visibleAnswer(skipped), seconds, known }),
          ...(forgotten === undefined ? [] : [forgottenLine(forgotten)]),
          ...(left === undefined ? [] : [goneLine(visibleAnswer(left), paths, options)]),
        ].join('\n'),
      );
      if (cli.exitCode === 0 && outcomes.some((outcome) => outcome.failure !== undefined)) cli.exitCode = 1;
    });
}

/** Throws a usage error for what only documents have: ignored, it would write where a plan was asked for. */
function refuseFor(type: string, { dryRun, watch, forgetMissing, followLinks }: IngestOptions): void {
  const options = {
    '--dry-run': dryRun,
    '--watch': watch,
    '--forget-missing': forgetMissing,
    '--follow-links': followLinks,
  };
  const option = Object.entries(options).find(([, value]) => value === true)?.[0];
  if (option !== undefined) throw new UsageError(`${option} is for documents; leave it out with --type ${type}.`);
}

function inputFor(paths: readonly string[], { domain, type, followLinks }: IngestOptions): Record<string, unknown> {
  return given({ paths: paths.map((path) => resolve(path)), domain, source_type: type, follow_links: followLinks });
}

type Outcomes = Pick<JobEnd, 'outcomes' | 'empty' | 'gone'>;

async function one(
  cli: Cli,
  connection: Connection,
  { path, options }: { readonly path: string; readonly options: IngestOptions },
): Promise<Outcomes> {
  const input = given({ source_path: path, domain: options.domain, source_type: options.type });
  const bar = new Progress(options.json === true);
  const lines = new ProgressLines(options.json === true || process.stderr.isTTY);
  const progress: RpcCallOptions['progress'] = (done, total, step) => {
    bar.update(done, total, step);
    lines.update([{ path, step, done, total }]);
  };
  try {
    const result = (await connection.call('ingest', input, { progress })) as Ingested;
    return { outcomes: [{ path, result }], empty: [], gone: NONE_GONE };
  } catch (error) {
    return { outcomes: [{ path, failure: cli.errorOf(error) }], empty: [], gone: NONE_GONE };
  } finally {
    bar.stop();
  }
}

interface Many {
  readonly input: JobInput;
  readonly named: ReadonlySet<string>;
  readonly options: IngestOptions;
  /** Prints a file. */
  readonly ended: ((outcome: FileOutcome) => void) | undefined;
}

/** Ingests as a job, which the running service works on, or this process; a signal cancels it. */
async function many(cli: Cli, connection: Connection, { input, named, options, ended }: Many): Promise<Outcomes> {
  const { stopped, release } = stopSignal();
  const progress = new Progress(options.json === true || ended !== undefined);
  const lines = new ProgressLines(options.json === true || (ended === undefined && process.stderr.isTTY));
  const noted = ended && ((outcome: FileOutcome) => ended(asTyped(cli, outcome)));
  const run = { stopped, progress, lines, named, ended: noted, givesUp: true };
  try {
    const { cancelled, job_id, ...found } = await runJob(connection, input, run);
    if (cancelled) {
      progress.stop();
      process.stderr.write(`The job was cancelled; \`jobs retry ${job_id}\` goes on with it.\n`);
      cli.exitCode = 130;
    }
    return { ...found, outcomes: found.outcomes.map((one) => asTyped(cli, one)) };
  } finally {
    release();
    progress.stop();
  }
}

/** Returns whether this process embeds by the static model since the one of the settings cannot run here. */
async function isReplaced(connection: Connection, configured: string): Promise<boolean> {
  if (connection.forwarded || configured !== 'minilm') return false;
  const status = (await connection.call('status', {})) as { embedding_model: string; problems?: readonly string[] };
  // The index is of the static model, so that it serves wherever the runtime loads: the status says what to do.
  const isOfIndex = status.problems?.some((problem) => problem.startsWith('embedding:')) ?? false;
  return status.embedding_model === 'static' && !isOfIndex;
}

/** Returns what a domain holds; nothing where it does not exist. */
async function domainNow(connection: Connection, name: string): Promise<DomainSize | undefined> {
  const { domains } = (await connection.call('domains', {})) as { domains: readonly DomainSize[] };
  return domains.find((one) => one.name === name);
}

/** Returns what became of a file of a job, an error in the words of the command. */
function asTyped(cli: Cli, { failure, ...outcome }: FileOutcome): FileOutcome {
  return failure === undefined
    ? outcome
    : { ...outcome, failure: { ...failure, error: cli.typed(besidePath(failure.error)) } };
}
