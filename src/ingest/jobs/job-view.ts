import { listFiles, recentFiles } from '../../backends/store/jobs/files.js';
import type { JobRow } from '../../backends/store/jobs/jobs.js';
import type { JobFileState, JobState } from '../../backends/store/schema/jobs.js';
import type { Store } from '../../backends/store/scope.js';
import { isoTime } from '../../core/clock.js';
import type { GoneFiles } from '../forget-missing.js';
import type { LoadResult } from '../write/ports.js';
import type { FileProgress } from './progress-notes.js';

export interface JobError {
  readonly path: string;
  readonly error: string;
  readonly code: string;
}

/** A job as callers see it. Times are ISO 8601. */
export interface JobSummary {
  readonly job_id: string;
  readonly kind: 'ingest';
  readonly state: JobState;
  readonly domain: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly files: {
    readonly total: number;
    readonly done: number;
    /** Of those done: the same content was ingested before. */
    readonly unchanged: number;
    readonly failed: number;
    /** Empty, or below a directory and of a type that is not read. */
    readonly skipped: number;
  };
  readonly passages: number;
}

export interface JobDetails extends JobSummary {
  /** Over the last minute while it runs, then over the whole run. */
  readonly rate: { readonly files_per_second: number; readonly passages_per_second: number };
  /** At that rate; null where it is not known. */
  readonly remaining_seconds: number | null;
  /** Files that are being worked on. */
  readonly current: string[];
  /** How far those of them are that take longer; without an entry a file is being read and parsed. */
  readonly progress: Array<FileProgress & { readonly path: string }>;
  /** Why its work waits for the store of the process that answers; absent while it goes on. */
  readonly problem?: string;
  /** The first hundred files that failed. */
  readonly errors: JobError[];
  /** The first hundred files that were skipped when they were opened. */
  readonly skipped: JobError[];
  /** Files of its directories that were ingested earlier, were gone when it was made, and still answered then. */
  readonly gone: GoneFiles;
}

export interface JobFile {
  readonly number: number;
  readonly path: string;
  readonly state: JobFileState;
  readonly attempts: number;
  readonly result: LoadResult | null;
  readonly error: string | null;
  readonly code: string | null;
}

const WINDOW_MS = 60_000;
const MAX_ERRORS = 100;

export function jobSummary(row: JobRow): JobSummary {
  return {
    job_id: row.id,
    kind: 'ingest',
    state: row.state,
    domain: row.domain,
    created_at: isoTime(row.created_ms),
    started_at: row.started_ms === null ? null : isoTime(row.started_ms),
    finished_at: row.finished_ms === null ? null : isoTime(row.finished_ms),
    files: {
      total: row.files_total,
      done: row.files_done,
      unchanged: row.files_unchanged,
      failed: row.files_failed,
      skipped: row.files_skipped,
    },
    passages: row.passages,
  };
}

/** Returns a job with its rate, what is being worked on and what failed. */
export async function jobDetails({ db }: Store, row: JobRow, now: number): Promise<JobDetails> {
  const [failed, skipped, running, recent] = await Promise.all([
    listFiles(db, row.ref, { state: 'failed', after: -1, limit: MAX_ERRORS }),
    listFiles(db, row.ref, { state: 'skipped', explained: true, after: -1, limit: MAX_ERRORS }),
    listFiles(db, row.ref, { state: 'running', after: -1, limit: MAX_ERRORS }),
    recentFiles(db, row.ref, { window: WINDOW_MS, now }),
  ]);
  const ended = row.files_done + row.files_failed;
  const whole = row.finished_ms !== null && row.started_ms !== null ? row.finished_ms - row.started_ms : undefined;
  const [files, passages, ms] =
    whole === undefined ? [recent.files, recent.passages, recent.age] : [ended, row.passages, whole];
  const seconds = Math.max(ms, 1) / 1000;
  const perSecond = files === 0 ? 0 : rounded(files / seconds);
  const left = row.files_total - ended - row.files_skipped;
  const isOpen = row.state === 'queued' || row.state === 'running';
  return {
    ...jobSummary(row),
    rate: { files_per_second: perSecond, passages_per_second: rounded(passages / seconds) },
    remaining_seconds: !isOpen || left === 0 ? 0 : perSecond === 0 ? null : Math.ceil(left / perSecond),
    current: running.map(({ path }) => path),
    progress: running.flatMap(({ path, progress }) =>
      progress === null ? [] : [{ path, ...(JSON.parse(progress) as FileProgress) }],
    ),
    errors: failed.map(({ path, error }) => ({ path, ...errorOf(error) })),
    skipped: skipped.map(({ path, error }) => ({ path, ...errorOf(error) })),
    gone: row.gone === null ? { total: 0, files: [] } : (JSON.parse(row.gone) as GoneFiles),
  };
}

/** Lists files of a job; `next` is the number to go on after, null at the end. */
export async function jobFiles(
  { db }: Store,
  job: number,
  { state, after, limit }: { state?: JobFileState | undefined; after: number; limit: number },
): Promise<{ files: JobFile[]; next: number | null }> {
  const rows = await listFiles(db, job, { state, after, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  return {
    files: shown.map(({ number, path, state: at, attempts, result, error }) => ({
      number,
      path,
      state: at,
      attempts,
      result: result === null ? null : (JSON.parse(result) as LoadResult),
      ...(error === null ? { error, code: null } : errorOf(error)),
    })),
    next: rows.length > limit ? (shown.at(-1)?.number ?? null) : null,
  };
}

function errorOf(json: string | null): { error: string; code: string } {
  return json === null ? { error: '', code: 'internal' } : (JSON.parse(json) as { error: string; code: string });
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
