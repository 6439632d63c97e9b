import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { LONGEST, timeOf } from '../leases.js';
import type { JobFileState, JobTables } from '../schema/jobs.js';
import type { Database, Db } from '../schema.js';
import { isPostgres } from '../sql.js';
import { isFor } from './hosts.js';

export type JobFileRow = Selectable<JobTables['job_file']>;

/** A file to work on, and the job it is of. */
export interface ClaimedFile {
  readonly job: number;
  readonly job_id: string;
  readonly domain: string;
  readonly source_type: string | null;
  readonly host: string | null;
  /** 1 where the file came with the request: its bytes are in the store. */
  readonly uploads: number;
  readonly number: number;
  readonly path: string;
  /** When the job was made. */
  readonly created_ms: number;
  /** How often it was begun, this time included. */
  readonly attempts: number;
}

export interface Claim {
  /** Who asks. */
  readonly holder: string;
  /** Of the machine and directory that the process works for. */
  readonly host: string;
  /** Milliseconds that the claim holds unless it is renewed. */
  readonly ttl: number;
  readonly now: number;
}

/** Returns whether a file waits to be begun and its pause is over, or its holder's claim has run out. */
function claimable(db: Db, now: number) {
  const time = timeOf(db, now);
  // What was written under a wrong clock binds nobody, neither a pause nor a claim.
  const latest = sql<number>`${time} + ${LONGEST}`;
  return (eb: ExpressionBuilder<Database, 'job_file'>): Expression<SqlBool> =>
    eb.or([
      eb.and([
        eb('job_file.state', '=', 'pending'),
        eb.or([eb('job_file.not_before_ms', '<=', time), eb('job_file.not_before_ms', '>', latest)]),
      ]),
      eb.and([
        eb('job_file.state', '=', 'running'),
        eb.or([eb('job_file.expires_ms', '<', time), eb('job_file.expires_ms', '>', latest)]),
      ]),
    ]);
}

/** Returns the job whose turn it is: the one that was served longest ago of those with a file to begin. */
function nextJob(db: Db, { host, now }: Pick<Claim, 'host' | 'now'>) {
  return db
    .selectFrom('job')
    .select(['job.ref', 'job.id', 'job.domain', 'job.source_type', 'job.host', 'job.uploads', 'job.created_ms'])
    .where('job.state', 'in', ['queued', 'running'])
    .where(isFor(db, host, now))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('job_file')
          .select(sql.lit(1).as('one'))
          .whereRef('job_file.job', '=', 'job.ref')
          .where(claimable(db, now)),
      ),
    )
    .orderBy('job.claimed_ms')
    .orderBy('job.ref')
    .limit(1);
}

/** Returns whether there is a file to begin. */
export async function hasWork(db: Db, claim: Pick<Claim, 'host' | 'now'>): Promise<boolean> {
  return (await nextJob(db, claim).executeTakeFirst()) !== undefined;
}

/** Takes the next file to work on; undefined where there is none. */
export async function claimFile(db: Db, { holder, host, ttl, now }: Claim): Promise<ClaimedFile | undefined> {
  const next = nextJob(db, { host, now });
  const job = await (isPostgres(db) ? next.forUpdate() : next).executeTakeFirst();
  if (job === undefined) return undefined;
  const time = timeOf(db, now);
  const file = await db
    .selectFrom('job_file')
    .select(['number', 'path', 'attempts'])
    .where('job', '=', job.ref)
    .where(claimable(db, now))
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  if (file === undefined) return undefined;
  await db
    .updateTable('job_file')
    .set({
      state: 'running',
      holder,
      expires_ms: sql<number>`${time} + ${ttl}`,
      attempts: file.attempts + 1,
      progress: null,
    })
    .where('job', '=', job.ref)
    .where('number', '=', file.number)
    .execute();
  await db
    .updateTable('job')
    .set({ state: 'running', claimed_ms: time, started_ms: sql<number>`coalesce(started_ms, ${time})` })
    .where('ref', '=', job.ref)
    .execute();
  const { ref, id, ...rest } = job;
  return { ...rest, job: ref, job_id: id, ...file, attempts: file.attempts + 1 };
}

/**
 * Renews the claims of a holder on files that it works on; returns the jobs of those that were cancelled. Its claim on any
 * other file, whose end it could not note, runs out.
 */
export async function renewClaims(
  db: Db,
  files: ReadonlyArray<Pick<ClaimedFile, 'job' | 'number'>>,
  { holder, ttl, now }: Omit<Claim, 'host'>,
): Promise<number[]> {
  if (files.length === 0) return [];
  const time = timeOf(db, now);
  const claimed = await db
    .updateTable('job_file')
    .set({ expires_ms: sql<number>`${time} + ${ttl}` })
    .where('state', '=', 'running')
    .where('holder', '=', holder)
    .where((eb) => eb.or(files.map(({ job, number }) => eb.and({ job, number }))))
    .returning('job')
    .execute();
  if (claimed.length === 0) return [];
  const jobs = await db
    .selectFrom('job')
    .select('ref')
    .where('state', '=', 'cancelled')
    .where('ref', 'in', [...new Set(claimed.map(({ job }) => job))])
    .execute();
  return jobs.map(({ ref }) => ref);
}

export interface Outcome {
  readonly state: Extract<JobFileState, 'done' | 'failed' | 'skipped'>;
  readonly unchanged: boolean;
  readonly passages: number;
  /** JSON. */
  readonly result: string | null;
  readonly error: string | null;
}

/** Notes how a file ended, and ends its job with the last one. Does nothing where another process holds the file by now. */
export async function finishFile(
  db: Db,
  file: Pick<ClaimedFile, 'job' | 'job_id' | 'number'>,
  { holder, now, outcome }: { readonly holder: string; readonly now: number; readonly outcome: Outcome },
): Promise<void> {
  const time = timeOf(db, now);
  const { state, result, error } = outcome;
  const noted = await db
    .updateTable('job_file')
    .set({ state, result, error, holder: null, finished_ms: time })
    .where('job', '=', file.job)
    .where('number', '=', file.number)
    .where('state', '=', 'running')
    .where('holder', '=', holder)
    .returning('number')
    .executeTakeFirst();
  if (noted === undefined) return;
  const oneIf = (wanted: Outcome['state']): number => (state === wanted ? 1 : 0);
  const job = await db
    .updateTable('job')
    .set((eb) => ({
      files_done: eb('files_done', '+', oneIf('done')),
      files_failed: eb('files_failed', '+', oneIf('failed')),
      files_skipped: eb('files_skipped', '+', oneIf('skipped')),
      files_unchanged: eb('files_unchanged', '+', outcome.unchanged ? 1 : 0),
      passages: eb('passages', '+', outcome.passages),
    }))
    .where('ref', '=', file.job)
    .returning(['state', 'files_total', 'files_done', 'files_failed', 'files_skipped'])
    .executeTakeFirstOrThrow();
  if (state !== 'failed') await deleteUpload(db, file.job_id, file.number);
  const left = job.files_total - job.files_done - job.files_failed - job.files_skipped;
  if (left > 0) return;
  // A job that was cancelled while its last file ended is finished all the same.
  await db
    .updateTable('job')
    .set({ state: job.files_failed > 0 ? 'failed' : 'completed', finished_ms: time })
    .where('ref', '=', file.job)
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

/** Frees all files that are being worked on, for a start that has proved that no other process uses the store. */
export async function clearClaims(db: Db): Promise<void> {
  await db.updateTable('job_file').set({ state: 'pending', holder: null }).where('state', '=', 'running').execute();
}

/** Lists files of a job in order, after a number. */
export function listFiles(
  db: Db,
  job: number,
  {
    state,
    after,
    limit,
  }: { readonly state?: JobFileState | undefined; readonly after: number; readonly limit: number },
): Promise<JobFileRow[]> {
  return db
    .selectFrom('job_file')
    .selectAll()
    .where('job', '=', job)
    .where('number', '>', after)
    .$if(state !== undefined, (q) => q.where('state', '=', state!))
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
