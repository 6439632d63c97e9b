import { type Selectable, sql } from 'kysely';
import { timeOf } from '../leases.js';
import type { JobFileState, JobTables } from '../schema/jobs.js';
import type { Db } from '../schema.js';
import { isPostgres } from '../sql.js';
import type { ClaimedFile } from './claims.js';

export type JobFileRow = Selectable<JobTables['job_file']>;

export interface Outcome {
  readonly state: Extract<JobFileState, 'done' | 'failed' | 'skipped'>;
  readonly unchanged: boolean;
  readonly passages: number;
  /** JSON. */
  readonly result: string | null;
  readonly error: string | null;
}

/** A file that ended, and how. */
export interface EndedFile {
  readonly file: Pick<ClaimedFile, 'job' | 'job_id' | 'number' | 'uploads'>;
  readonly outcome: Outcome;
}

/** Notes how files of one job ended, and ends the job with the last one. Leaves out those that another process holds by now. */
export async function finishFiles(
  db: Db,
  ended: readonly EndedFile[],
  { holder, now }: { readonly holder: string; readonly now: number },
): Promise<void> {
  const time = timeOf(db, now);
  const noted: EndedFile[] = [];
  for (const one of ended) {
    const { state, result, error } = one.outcome;
    const changed = await db
      .updateTable('job_file')
      .set({ state, result, error, holder: null, finished_ms: time })
      .where('job', '=', one.file.job)
      .where('number', '=', one.file.number)
      .where('state', '=', 'running')
      .where('holder', '=', holder)
      .executeTakeFirst();
    if (changed.numUpdatedRows > 0n) noted.push(one);
  }
  if (noted.length === 0) return;
  const { job: ref } = noted[0]!.file;
  const count = (state: Outcome['state']): number => noted.filter(({ outcome }) => outcome.state === state).length;
  const [done, failed, skipped] = [count('done'), count('failed'), count('skipped')];
  const unchanged = noted.filter(({ outcome }) => outcome.unchanged).length;
  const passages = noted.reduce((sum, { outcome }) => sum + outcome.passages, 0);
  const job = await db
    .updateTable('job')
    .set((eb) => ({
      files_done: eb('files_done', '+', done),
      files_failed: eb('files_failed', '+', failed),
      files_skipped: eb('files_skipped', '+', skipped),
      files_unchanged: eb('files_unchanged', '+', unchanged),
      passages: eb('passages', '+', passages),
    }))
    .where('ref', '=', ref)
    .returning(['state', 'files_total', 'files_done', 'files_failed', 'files_skipped'])
    .executeTakeFirstOrThrow();
  for (const { file, outcome } of noted)
    if (file.uploads === 1 && outcome.state !== 'failed') await deleteUpload(db, file.job_id, file.number);
  const left = job.files_total - job.files_done - job.files_failed - job.files_skipped;
  if (left > 0) return;
  // A job that was cancelled while its last file ended is finished all the same.
  await db
    .updateTable('job')
    .set({ state: job.files_failed > 0 ? 'failed' : 'completed', finished_ms: time })
    .where('ref', '=', ref)
    .execute();
}

/** Notes how far a holder is with a file. Does nothing where another process holds the file by now. */
export async function noteProgress(
  db: Db,
  file: Pick<ClaimedFile, 'job' | 'number'>,
  { holder, progress }: { readonly holder: string; readonly progress: string },
): Promise<void> {
  await db
    .updateTable('job_file')
    .set({ progress })
    .where('job', '=', file.job)
    .where('number', '=', file.number)
    .where('state', '=', 'running')
    .where('holder', '=', holder)
    .execute();
}

/** Gives a file back that was begun and not ended; it may be begun again after `delay` ms. */
export async function releaseFile(
  db: Db,
  file: Pick<ClaimedFile, 'job' | 'number'>,
  { holder, now, delay, counts }: { holder: string; now: number; delay: number; counts: boolean },
): Promise<void> {
  await db
    .updateTable('job_file')
    .set((eb) => ({
      state: 'pending' as const,
      holder: null,
      not_before_ms: sql<number>`${timeOf(db, now)} + ${delay}`,
      attempts: counts ? eb.ref('attempts') : eb('attempts', '-', 1),
    }))
    .where('job', '=', file.job)
    .where('number', '=', file.number)
    .where('state', '=', 'running')
    .where('holder', '=', holder)
    .execute();
}

/** Lists files of a job in order, after a number. */
export function listFiles(
  db: Db,
  job: number,
  {
    state,
    after,
    limit,
    explained = false,
  }: {
    readonly state?: JobFileState | undefined;
    readonly after: number;
    readonly limit: number;
    /** Only those with a reason: files that were left out by their names alone have none. */
    readonly explained?: boolean;
  },
): Promise<JobFileRow[]> {
  return db
    .selectFrom('job_file')
    .selectAll()
    .where('job', '=', job)
    .where('number', '>', after)
    .$if(state !== undefined, (q) => q.where('state', '=', state!))
    .$if(explained, (q) => q.where('error', 'is not', null))
    .orderBy('number')
    .limit(limit)
    .execute();
}

/** Counts the files that a job ended within the last `window` ms, and when the first of them ended, ms before now. */
export async function recentFiles(
  db: Db,
  job: number,
  { window, now }: { readonly window: number; readonly now: number },
): Promise<{ readonly files: number; readonly passages: number; readonly age: number }> {
  const time = timeOf(db, now);
  const row = await db
    .selectFrom('job_file')
    .select((eb) => [
      eb.fn.countAll<number>().as('files'),
      sql<number | null>`${time} - min(finished_ms)`.as('age'),
      sql<
        number | null
      >`sum(cast(${isPostgres(db) ? sql`result::json ->> 'passages'` : sql`json_extract(result, '$.passages')`} as integer))`.as(
        'passages',
      ),
    ])
    .where('job', '=', job)
    .where('finished_ms', '>=', sql<number>`${time} - ${window}`)
    .executeTakeFirstOrThrow();
  return { files: Number(row.files), passages: Number(row.passages ?? 0), age: Number(row.age ?? 0) };
}

async function deleteUpload(db: Db, job_id: string, number: number): Promise<void> {
  await db.deleteFrom('job_upload').where('job_id', '=', job_id).where('number', '=', number).execute();
}
