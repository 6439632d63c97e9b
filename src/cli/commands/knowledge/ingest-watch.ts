import { realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { watch } from 'chokidar';
import { SvcError, toSvcError } from '../../../core/errors.js';
import { counted } from '../../../core/wording/counted.js';
import { isLinkLeftOut } from '../../../ingest/read/below.js';
import { isDocument } from '../../../ingest/read/file-type.js';
import { isInside } from '../../../ingest/read/roots.js';
import { given } from '../../arguments.js';
import type { Cli, CommonOptions } from '../../cli.js';
import { type Connection, connect } from '../../connection.js';
import { dim, red } from '../../output/output.js';
import { endOf } from '../../output/paths.js';
import { Progress } from '../../output/progress.js';
import { untilStopped } from '../../until-stopped.js';
import { type FileOutcome, type JobInput, runJob } from './ingest-job.js';

/** A file that is still being written is read when it has not changed for so long, ms. */
const QUIET_MS = 300;
const RETRY_MS = 1000;

/** Keeps a domain in line with files and directories until a signal: changed files are ingested again, removed ones forgotten. */
export async function watchFiles(cli: Cli, input: JobInput, options: CommonOptions): Promise<void> {
  const stopped = untilStopped();
  const paths = input.paths as string[];
  // Resolved before the first change: a directory may go away while it is watched.
  const watched = paths.filter((path) => statSync(path).isDirectory()).map((top) => ({ top, real: realpathSync(top) }));
  const followLinks = input.follow_links === true;
  const isLeftOut = (path: string): boolean =>
    watched.some(({ top, real }) => isInside(path, top) && isLinkLeftOut(path, real, { followLinks }));
  const changes = new Changes();
  const watcher = watch(paths, {
    ignoreInitial: true,
    ignored: (path) => !paths.includes(path) && (basename(path).startsWith('.') || isLeftOut(path)),
    awaitWriteFinish: { stabilityThreshold: QUIET_MS, pollInterval: 100 },
  });
  watcher.on('all', (event, path) => changes.note(event, path));
  const mirror = new Mirror(cli, { input, options, directories: watched.map(({ real }) => real) });
  const say = (line: object): void => cli.print(line, options, sentenceOf);
  try {
    // Watched before the first pass, so that what changes meanwhile is not missed.
    await new Promise<void>((ready) => watcher.once('ready', ready));
    say(await mirror.begin(stopped));
    let running = true;
    void stopped.then(() => {
      running = false;
      changes.wake();
    });
    while (running) {
      await changes.some();
      for (const change of changes.take()) if (running) say(await mirror.apply(change));
    }
  } finally {
    await watcher.close();
    await mirror.close();
  }
}

type Change = { readonly path: string } | 'removed';

/** What changed since it was last looked at, each path once. */
class Changes {
  private readonly changed = new Set<string>();
  private removed = false;
  private waiting: (() => void) | undefined;

  note(event: string, path: string): void {
    if (event === 'unlink' || event === 'unlinkDir') this.removed = true;
    else if ((event === 'add' || event === 'change') && isDocument(path)) this.changed.add(path);
    else return;
    this.wake();
  }

  wake(): void {
    this.waiting?.();
  }

  async some(): Promise<void> {
    if (this.changed.size > 0 || this.removed) return;
    await new Promise<void>((resolve) => {
      this.waiting = resolve;
    });
  }

  take(): Change[] {
    const found: Change[] = [...this.changed].map((path) => ({ path }));
    if (this.removed) found.unshift('removed');
    this.changed.clear();
    this.removed = false;
    return found;
  }
}

/** Brings changes into the service, and connects again where the one that did the work went away. */
class Mirror {
  private connection: Connection | undefined;

  constructor(
    private readonly cli: Cli,
    private readonly parts: {
      readonly input: JobInput;
      readonly options: CommonOptions;
      readonly directories: readonly string[];
    },
  ) {}

  /** Ingests everything once, and forgets what is gone since it was ingested. */
  async begin(stopped: Promise<unknown>): Promise<object> {
    const progress = new Progress(this.parts.options.json === true);
    try {
      const connection = await this.connected();
      const { outcomes } = await runJob(connection, this.parts.input, { stopped, progress });
      const failed = outcomes.filter(({ failure }) => failure !== undefined);
      return { watching: this.parts.input.paths, files: outcomes.length, failed, ...(await this.forget()) };
    } finally {
      progress.stop();
    }
  }

  /** Applies one change; a failure is part of the answer. */
  async apply(change: Change): Promise<object> {
    for (;;) {
      try {
        return change === 'removed' ? await this.forget() : await this.ingest(change.path);
      } catch (thrown) {
        const error = toSvcError(thrown);
        const about = change === 'removed' ? {} : { path: change.path };
        if (error.code === 'not_found' && change !== 'removed') return this.apply('removed');
        if (error.details?.empty === true) return { ...about, skipped: 'empty' };
        if (error.code !== 'unavailable') return { ...about, error: this.cli.typed(error.message), code: error.code };
        await this.close();
        await sleep(RETRY_MS);
      }
    }
  }

  async close(): Promise<void> {
    await this.connection?.close().catch(() => undefined);
    this.connection = undefined;
  }

  private async connected(): Promise<Connection> {
    const { options } = this.parts;
    this.connection ??= await connect(this.cli.config(options), {
      command: 'ingest',
      serveRpc: true,
      quiet: options.json,
    });
    return this.connection;
  }

  private async ingest(path: string): Promise<object> {
    const { domain, source_type } = this.parts.input;
    const connection = await this.connected();
    const result = await connection.call('ingest', given({ source_path: path, domain, source_type }));
    return { path, ...(result as object) };
  }

  private async forget(): Promise<{ forgotten: number }> {
    const connection = await this.connected();
    let forgotten = 0;
    for (const directory of this.parts.directories) {
      const input = { directory, domain: this.parts.input.domain };
      const result = (await connection.call('forget_missing', input).catch(unlessMissing)) as { sources: number };
      forgotten += result.sources;
    }
    return { forgotten };
  }
}

/** A directory that is gone as a whole may be a volume that is not mounted: what it held stays. */
function unlessMissing(error: unknown): { sources: number } {
  if (error instanceof SvcError && error.code === 'not_found') return { sources: 0 };
  throw error;
}

/** What is printed: how it begins, and what became of each change. */
interface Line {
  readonly watching?: readonly string[];
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
  if (line.error !== undefined) return `${red('failed   ')} ${path === '' ? '' : `${endOf(path)}  `}${line.error}`;
  if (line.skipped !== undefined) return dim(`skipped   ${endOf(path)} (${line.skipped})`);
  if (path !== '') {
    return `${line.unchanged === true ? 'unchanged' : 'ingested '} ${endOf(path)}  ${counted(passages, 'passage')}`;
  }
  return forgotten === 0
    ? dim('removed   a file or folder of which nothing was known')
    : `forgotten ${counted(forgotten, 'file')} that ${forgotten === 1 ? 'was' : 'were'} removed`;
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
