import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../../connection.js';
import type { Progress } from '../../output/progress.js';

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

/** What became of a job and of its files. */
export interface JobEnd {
  readonly job_id: string;
  /** Files that were read. */
  readonly outcomes: FileOutcome[];
  /** Files that turned out to be empty. */
  readonly empty: SkippedFile[];
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
}

interface Files {
  readonly files: ReadonlyArray<{
    readonly path: string;
    readonly state: string;
    readonly result: Ingested | null;
    readonly error: string | null;
    readonly code: string | null;
  }>;
  readonly next: number | null;
}

const POLL_MS = 200;

/** Starts a job, shows its progress until it is finished, and returns what became of each file that was read. */
export async function runJob(
  connection: Connection,
  input: JobInput,
  { stopped, progress }: { readonly stopped: Promise<unknown>; readonly progress: Progress },
): Promise<JobEnd> {
  const { job_id } = (await connection.call('job_ingest', input)) as Job;
  let wanted = true;
  void stopped.then(() => {
    wanted = false;
  });
  for (;;) {
    const job = (await connection.call('job', { job_id })) as Job;
    showProgress(job, progress);
    if (job.state !== 'queued' && job.state !== 'running') {
      return { job_id, ...(await outcomesOf(connection, job_id)), cancelled: job.state === 'cancelled' };
    }
    if (wanted) await Promise.race([sleep(POLL_MS), stopped]);
    else await connection.call('job_cancel', { job_id });
  }
}

function showProgress({ files, rate, current }: Job, progress: Progress): void {
  const { total, done, failed, skipped } = files;
  const speed = `${rate.files_per_second.toFixed(1)} files/s, ${rate.passages_per_second.toFixed(0)} passages/s`;
  progress.update(done + failed, total - skipped, `${speed} ${current[0] ?? ''}`);
}

/** Returns the files that were read, and those that are empty, in the order of the job. */
async function outcomesOf(connection: Connection, job_id: string): Promise<Pick<JobEnd, 'outcomes' | 'empty'>> {
  const outcomes: FileOutcome[] = [];
  const empty: SkippedFile[] = [];
  let after: number | null = -1;
  while (after !== null) {
    const page = (await connection.call('job_files', { job_id, after, limit: 1000 })) as Files;
    for (const { path, state, result, error, code } of page.files) {
      if (result !== null) outcomes.push({ path, result });
      else if (state === 'skipped' && error !== null) empty.push({ path, reason: 'empty' });
      else if (error !== null) outcomes.push({ path, failure: { error, code: code ?? 'internal' } });
    }
    after = page.next;
  }
  return { outcomes, empty };
}
