import { setTimeout as sleep } from 'node:timers/promises';
import { SvcError, toSvcError } from '../../../core/errors.js';
import { counted } from '../../../core/wording/counted.js';
import { isNamedFirst } from '../../../ingest/read/file-type.js';
import { given } from '../../arguments.js';
import type { Cli, CommonOptions } from '../../cli.js';
import { type Connection, connect } from '../../connection.js';
import { dim, red, yellow } from '../../output/output.js';
import { endOf } from '../../output/paths.js';
import { Progress } from '../../output/progress.js';
import { untilUnread } from '../../output/until-unread.js';
import { untilStopped } from '../../until-stopped.js';
import { type FileOutcome, type JobInput, runJob } from './ingest-job.js';
import { type Change, QUIET_MS, WatchedPath } from './ingest-watched.js';

const RETRY_MS = 1000;
/** Changes that go on are looked at after so long, ms. */
const LONGEST_MS = 10_000;

/**
 * Keeps a domain in line with files and directories until a signal, or until nobody reads the output any more: changed files
 * are ingested again, removed ones forgotten. Without a reader, what has begun is still done.
 */
export async function watchFiles(cli: Cli, input: JobInput, options: CommonOptions): Promise<void> {
  const stopped = untilStopped();
  const over = Promise.race([stopped, untilUnread()]);
  let wake = (): void => undefined;
  const followLinks = input.follow_links === true;
  const watched = (input.paths as string[]).map((path) => new WatchedPath(path, { followLinks, wake: () => wake() }));
  const mirror = new Mirror(cli, { input, options, stopped, over });
  const say = (line: object): void => cli.print(line, options, sentenceOf);
  const isNews = (one: WatchedPath): boolean => one.isChanged || one.isOther;
  // A volume that is mounted or not any more is no event.
  const looking = setInterval(() => watched.some(isNews) && wake(), RETRY_MS);
  let running = true;
  void over.then(() => {
    running = false;
    wake();
  });
  try {
    // Watched before the first pass, so that what changes meanwhile is not missed.
    for (const one of watched) await one.open();
    // What does not start at all is said, and ends the command; from then on the service may go away and come back.
    await mirror.connected();
    for (const line of await mirror.begin(watched)) say(line);
    while (running) {
      if (!watched.some(isNews)) await new Promise<void>((resolve) => (wake = resolve));
      await untilQuiet(watched, over);
      for (const one of watched) {
        if (running && one.isOther) {
          await one.open();
          for (const line of await mirror.begin([one])) say(line);
        }
        for (const change of one.take()) if (running) for (const line of await mirror.apply(change, one)) say(line);
      }
    }
  } finally {
    clearInterval(looking);
    for (const one of watched) await one.close();
    await mirror.close();
  }
}

/** Brings changes into the service, and connects again where the one that did the work went away. */
class Mirror {
  private connection: Connection | undefined;
  private isOver = false;
  /** Directories that are away, or hold nothing: what they held stays until they hold a file. */
  private readonly waiting = new Set<WatchedPath>();

  constructor(
    private readonly cli: Cli,
    private readonly parts: {
      readonly input: JobInput;
      readonly options: CommonOptions;
      /** A signal, which cancels a job. */
      readonly stopped: Promise<unknown>;
      /** A signal, or the end of who reads the output. */
      readonly over: Promise<unknown>;
    },
  ) {
    void parts.over.then(() => {
      this.isOver = true;
    });
  }

  /** Ingests all that paths hold, and forgets what is gone from the directories since it was ingested. */
  async begin(watched: readonly WatchedPath[]): Promise<object[]> {
    const lines: object[] = [];
    const filled: WatchedPath[] = [];
    for (const one of watched) {
      const why = await whyWaiting(one);
      if (why === undefined) filled.push(one);
      else lines.push({ waiting: one.path, why });
      this.waiting[why === undefined ? 'delete' : 'add'](one);
    }
    if (filled.length > 0) lines.push(await this.patiently(() => this.pass(filled)));
    return lines;
  }

  /** Applies one change; a failure is part of the answer. */
  async apply(change: Change, watched: WatchedPath): Promise<object[]> {
    if (this.waiting.has(watched)) return change === 'removed' ? [] : this.begin([watched]);
    if (change === 'removed') return [await this.patiently(() => this.forget([watched]))];
    return [await this.patiently(() => this.ingest(change.path, watched), { path: change.path })];
  }

  async close(): Promise<void> {
    await this.connection?.close().catch(() => undefined);
    this.connection = undefined;
  }

  /** Tries again while the service is away, until all is over; another failure is the answer. */
  private async patiently(work: () => Promise<object>, about: object = {}): Promise<object> {
    for (;;) {
      try {
        return await work();
      } catch (thrown) {
        const error = toSvcError(thrown);
        if (error.details?.empty === true) return { ...about, skipped: 'empty' };
        if (error.details?.skipped === true) return { ...about, skipped: this.cli.typed(error.message) };
        if (error.code !== 'unavailable' || this.isOver) {
          return { ...about, error: this.cli.typed(error.message), code: error.code };
        }
        await this.close();
        await Promise.race([sleep(RETRY_MS), this.parts.over]);
      }
    }
  }

  async connected(): Promise<Connection> {
    const { options } = this.parts;
    this.connection ??= await connect(this.cli.config(options), {
      command: 'ingest',
      serveRpc: true,
      quiet: options.json,
    });
    return this.connection;
  }

  private async pass(watched: readonly WatchedPath[]): Promise<object> {
    const { input, options, stopped } = this.parts;
    const paths = watched.map(({ path }) => path);
    const progress = new Progress(options.json === true);
    try {
      const named = new Set(watched.filter(({ isDirectory }) => !isDirectory).map(({ path }) => path));
      const { outcomes } = await runJob(await this.connected(), { ...input, paths }, { stopped, progress, named });
      for (const one of watched) for (const { path } of outcomes) if (isNamedFirst(path)) one.noteRead(path);
      const failed = outcomes.filter(({ failure }) => failure !== undefined);
      return { watching: paths, files: outcomes.length, failed, ...(await this.forget(watched)) };
    } finally {
      progress.stop();
    }
  }

  private async ingest(path: string, watched: WatchedPath): Promise<object> {
    const { domain, source_type } = this.parts.input;
    const connection = await this.connected();
    try {
      const result = await connection.call('ingest', given({ source_path: path, domain, source_type }));
      return { path, ...(result as object) };
    } catch (error) {
      if (toSvcError(error).code === 'not_found') return this.forget([watched]);
      throw error;
    }
  }

  private async forget(watched: readonly WatchedPath[]): Promise<{ forgotten: number }> {
    const connection = await this.connected();
    let forgotten = 0;
    for (const { isDirectory, real: directory } of watched) {
      if (!isDirectory) continue;
      const input = { directory, domain: this.parts.input.domain };
      const result = (await connection.call('forget_missing', input).catch(unlessMissing)) as { sources: number };
      forgotten += result.sources;
    }
    return { forgotten };
  }
}

/** Waits until nothing changed for a while: what changes together is looked at together, and of a directory that is removed the files go first. */
async function untilQuiet(watched: readonly WatchedPath[], over: Promise<unknown>): Promise<void> {
  const last = performance.now() + LONGEST_MS;
  do await Promise.race([sleep(QUIET_MS), over]);
  while (performance.now() < last && watched.some((one) => one.isBusy));
}

async function whyWaiting(watched: WatchedPath): Promise<'gone' | 'empty' | undefined> {
  if (!watched.isDirectory) return undefined;
  if (!watched.isThere) return 'gone';
  try {
    return (await watched.holdsDocument()) ? undefined : 'empty';
  } catch {
    return 'gone';
  }
}

/** Counts nothing where the directory went away meanwhile, which is said when it is looked at next. */
function unlessMissing(error: unknown): { sources: number } {
  if (error instanceof SvcError && error.code === 'not_found') return { sources: 0 };
  throw error;
}

/** What is printed: how it begins, and what became of each change. */
interface Line {
  readonly watching?: readonly string[];
  /** A directory that is away, or holds nothing. */
  readonly waiting?: string;
  readonly why?: 'gone' | 'empty';
  readonly files?: number;
  readonly failed?: readonly FileOutcome[];
  readonly forgotten?: number;
  readonly path?: string;
  readonly passages?: number;
  readonly unchanged?: boolean;
  readonly skipped?: string;
  readonly error?: string;
}

function sentenceOf(line: Line): string {
  const { watching, path = '', forgotten = 0, passages = 0 } = line;
  if (watching !== undefined) return beginning(line, watching);
  if (line.waiting !== undefined) return waitingFor(line.waiting, line.why);
  if (line.error !== undefined) return `${red('failed   ')} ${path === '' ? '' : `${endOf(path)}  `}${line.error}`;
  if (line.skipped !== undefined) return dim(`skipped   ${endOf(path)} (${line.skipped})`);
  if (path !== '') {
    return `${line.unchanged === true ? 'unchanged' : 'ingested '} ${endOf(path)}  ${counted(passages, 'passage')}`;
  }
  return forgotten === 0
    ? dim('removed   a file or folder of which nothing was known')
    : `forgotten ${counted(forgotten, 'file')} that ${forgotten === 1 ? 'was' : 'were'} removed`;
}

function waitingFor(path: string, why: Line['why']): string {
  const [what, until] = why === 'empty' ? ['holds no file', 'holds one'] : ['is not there', 'is back'];
  return `${yellow('waiting  ')} ${endOf(path)} ${what}: what was read from it is kept until it ${until}`;
}

function beginning({ files = 0, failed = [], forgotten = 0 }: Line, watching: readonly string[]): string {
  const read = [
    `${counted(files - failed.length, 'file')} read`,
    ...(failed.length === 0 ? [] : [`${failed.length} failed`]),
    ...(forgotten === 0 ? [] : [`${forgotten} forgotten that were removed since the last time`]),
  ].join(', ');
  return [
    ...failed.map(({ path, failure }) => `${red('failed   ')} ${endOf(path)}  ${failure?.error}`),
    `Watching ${watching.map(endOf).join(', ')}: ${read}. A file is read again when it is saved; Ctrl-C ends this.`,
  ].join('\n');
}
