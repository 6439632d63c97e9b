import { setTimeout as sleep } from 'node:timers/promises';
import { SvcError } from '../../../core/errors.js';
import type { Connection } from '../../connection.js';
import type { GoneFiles } from '../../output/job-files.js';
import { endOf } from '../../output/paths.js';
import type { Progress } from '../../output/progress.js';
import type { ProgressLines } from '../../output/progress-lines.js';
import { asIngested } from '../../typed-names.js';

/** What the ingest of a file answers. */
export interface Ingested {
  readonly concepts: number;
  readonly edges: number;
  readonly rules: number;
  readonly passages: number;
  readonly warnings: readonly string[];
  readonly unchanged?: boolean;
}

export interface FileOutcome {
  readonly path: string;
  readonly result?: Ingested;
  readonly failure?: { readonly error: string; readonly code: string };
}

/** A file that is not read, and why. */
export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}

export const NONE_GONE: GoneFiles = { total: 0, files: [] };

/** What became of a job and of its files. */
export interface JobEnd {
  readonly job_id: string;
  /** Files that were read. */
  readonly outcomes: FileOutcome[];
  /** Files below directories that turned out to be empty or no documents. */
  readonly empty: SkippedFile[];
  /** Files of the job's directories that were ingested earlier, are gone, and still answer. */
  readonly gone: GoneFiles;
  readonly cancelled: boolean;
}

/** Input of the operation `job_ingest`. */
export type JobInput = Record<string, unknown> & { readonly domain: string };

interface Job {
  readonly job_id: string;
  readonly state: string;
  readonly files: { readonly total: number; readonly done: number; readonly failed: number; readonly skipped: number };
  readonly rate: { readonly files_per_second: number; readonly passages_per_second: number };
  readonly current: readonly string[];
  /** Absent where the service is of a release before. */
  readonly progress?: ReadonlyArray<{
    readonly path: string;
    readonly step: string;
    readonly done: number;
    readonly total: number | null;
    /** Of a large file the store takes passages before its end. */
    readonly passages?: { readonly written: number } | null;
  }>;
  /** Absent where the service is of a release before. */
  readonly gone?: GoneFiles;
  /** Why the job waits for its store. */
  readonly problem?: string;
}

interface Files {
  readonly files: ReadonlyArray<{
    readonly number: number;
    readonly path: string;
    readonly state: string;
    readonly result: Ingested | null;
    readonly error: string | null;
    readonly code: string | null;
  }>;
  readonly next: number | null;
}

const POLL_MS = 200;
/** So many answers in a row that name a problem of the store, while it takes nothing, end the wait for the job: some ten seconds. */
const PROBLEMS = 50;

export interface JobRun {
  /** Resolves where the job is to be cancelled. */
  readonly stopped: Promise<unknown>;
  readonly progress: Progress;
  /** Tells of files that take long, where the progress is no bar. */
  readonly lines?: ProgressLines | undefined;
  /** Files that were named themselves: one that is left out is a failure. */
  readonly named?: ReadonlySet<string>;
  /** Receives each file that was read while the job runs, in the order of the job. */
  readonly ended?: ((outcome: FileOutcome) => void) | undefined;
  /** Whether to end with the reason where the store goes on to refuse what the job writes; else the job is waited for. */
  readonly givesUp?: boolean;
}

/**
 * Starts a job, shows its progress until it is finished, and returns what became of each file that was read. Where the
 * service or its store goes away meanwhile, the error names the job, which is kept.
 */
export async function runJob(connection: Connection, input: JobInput, run: JobRun): Promise<JobEnd> {
  const { job_id } = (await connection.call('job_ingest', input)) as Job;
  try {
    return await untilEnd(connection, job_id, run);
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'unavailable') throw error;
    const sentence = `${error.message} The job is kept and goes on by itself, at the latest when the service starts again: \`jobs show ${job_id}\` tells how far it is, \`jobs retry ${job_id}\` works on files that failed meanwhile once it has ended, \`jobs cancel ${job_id}\` ends it.`;
    throw new SvcError('unavailable', sentence, { ...error.details, job_id }, { cause: error });
  }
}

async function untilEnd(connection: Connection, job_id: string, run: JobRun): Promise<JobEnd> {
  const { stopped, ended } = run;
  const results = new Results(connection, job_id, run);
  let wanted = true;
  const refusals = new Refusals();
  void stopped.then(() => {
    wanted = false;
  });
  for (;;) {
    const job = (await connection.call('job', { job_id })) as Job;
    showProgress(job, run);
    if (job.state !== 'queued' && job.state !== 'running') {
      await results.read({ toEnd: true });
      const { outcomes, empty } = results;
      return { job_id, outcomes, empty, gone: job.gone ?? NONE_GONE, cancelled: job.state === 'cancelled' };
    }
    if (ended !== undefined) await results.read({ toEnd: false });
    if (run.givesUp === true) refusals.check(job);
    if (wanted) await Promise.race([sleep(POLL_MS), stopped]);
    else await connection.call('job_cancel', { job_id });
  }
}

function showProgress({ files, rate, current, problem, progress: steps = [] }: Job, { progress, lines }: JobRun): void {
  const { total, done, failed, skipped } = files;
  // Of a file that is being worked on the part counts that is done.
  const part = steps.reduce((sum, step) => sum + (step.total ? Math.min(0.99, step.done / step.total) : 0), 0);
  const speed = `${rate.files_per_second.toFixed(1)} files/s, ${rate.passages_per_second.toFixed(0)} passages/s`;
  const [step] = steps;
  const message = step === undefined ? `${speed} ${current[0] ?? ''}` : `${endOf(step.path)}: ${step.step}`;
  progress.update(done + failed + part, total - skipped, problem ?? message);
  lines?.update(current.map((path) => steps.find((one) => one.path === path) ?? { path }));
}

/** Counts the answers in a row that name a problem of the store. */
class Refusals {
  private count = 0;
  private ended = 0;
  /** The most passages that were written of each large file: another try begins with fewer. */
  private readonly written = new Map<string, number>();

  /** Throws the problem where the store took nothing for too long. */
  check({ problem, files, progress = [] }: Job): void {
    const ended = files.done + files.failed + files.skipped;
    const grown = progress
      .map(({ path, passages }) => ({ path, written: passages?.written ?? 0 }))
      .filter(({ path, written }) => written > (this.written.get(path) ?? 0));
    for (const { path, written } of grown) this.written.set(path, written);
    const goesOn = problem === undefined || ended !== this.ended || grown.length > 0;
    this.ended = ended;
    this.count = goesOn ? 0 : this.count + 1;
    if (this.count >= PROBLEMS) throw new SvcError('unavailable', problem!);
  }
}

/** Returns why a file was left out once it was opened. */
export function skippedReason(error: string, code: string | null): string {
  return code === 'unsupported_media' ? asIngested(error).replace(/\.$/u, '') : 'empty';
}

/** Reads what became of the files of a job, in the order of the job: those that were read, and those that are empty or no documents. */
class Results {
  readonly outcomes: FileOutcome[] = [];
  readonly empty: SkippedFile[] = [];
  private after = -1;

  constructor(
    private readonly connection: Connection,
    private readonly job_id: string,
    private readonly run: Pick<JobRun, 'named' | 'ended'>,
  ) {}

  /** Goes on to the first file that is not finished; to the last one where none will be any more. */
  async read({ toEnd }: { readonly toEnd: boolean }): Promise<void> {
    for (let next: number | null = this.after; next !== null; ) {
      const input = { job_id: this.job_id, after: next, limit: toEnd ? 1000 : 100 };
      const page = (await this.connection.call('job_files', input)) as Files;
      for (const file of page.files) {
        if (!toEnd && (file.state === 'pending' || file.state === 'running')) return;
        this.note(file);
        this.after = file.number;
      }
      next = page.next;
    }
  }

  private note({ path, state, result, error, code }: Files['files'][number]): void {
    const isLeftOut = state === 'skipped' && this.run.named?.has(path) !== true;
    if (isLeftOut && error !== null) this.empty.push({ path, reason: skippedReason(error, code) });
    if (result === null && (isLeftOut || error === null)) return;
    const outcome =
      result !== null ? { path, result } : { path, failure: { error: error ?? '', code: code ?? 'internal' } };
    this.outcomes.push(outcome);
    this.run.ended?.(outcome);
  }
}
