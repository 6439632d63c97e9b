import { type Selectable, sql } from 'kysely';
import { timeOf } from '../leases.js';
import { insertRows } from '../rows.js';
import type { JobState, JobTables } from '../schema/jobs.js';
import type { Db } from '../schema.js';
import { deleteUploads } from './uploads.js';

export type JobRow = Selectable<JobTables['job']>;

export interface NewJob {
  readonly id: string;
  readonly owner: string;
  readonly idempotency_key: string | null;
  readonly request_hash: string;
  readonly domain: string;
  readonly source_type: string | null;
  readonly host: string | null;
  /** 1 where the files came with the request. */
  readonly uploads: 0 | 1;
  /** Paths, or names of uploads, in order. */
  readonly files: readonly string[];
  /** Files that are listed and not read. */
  readonly skipped: readonly string[];
  /** JSON: files of its directories that are gone; null for none. */
  readonly gone: string | null;
  readonly now: number;
}

const COLUMNS = {
  job: 'int',
  number: 'int',
  path: 'text',
  state: 'text',
  expires_ms: 'int',
  not_before_ms: 'int',
  attempts: 'int',
} as const;

/** Adds a job with its files; null, without adding, where the owner has a job under that idempotency key. */
export async function addJob(db: Db, { files, skipped, now, ...job }: NewJob): Promise<JobRow | null> {
  const time = timeOf(db, now);
  const row = await db
    .insertInto('job')
    .values({
      ...job,
      state: files.length === 0 ? 'completed' : 'queued',
      files_total: files.length + skipped.length,
      files_done: 0,
      files_unchanged: 0,
      files_failed: 0,
      files_skipped: skipped.length,
      passages: 0,
      created_ms: time,
      claimed_ms: time,
    })
    .onConflict((c) => c.columns(['owner', 'idempotency_key']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  const rowsOf = (paths: readonly string[], state: string, from: number) =>
    paths.map((path, i) => [row.ref, from + i, path, state, 0, 0, 0]);
  const rows = [...rowsOf(files, 'pending', 0), ...rowsOf(skipped, 'skipped', files.length)];
  await insertRows(db, 'job_file', { columns: COLUMNS, rows });
  return row;
}

export function readJob(db: Db, id: string): Promise<JobRow | undefined> {
  return db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns the job that an owner asked for under an idempotency key. */
export function jobOfKey(db: Db, owner: string, key: string): Promise<JobRow | undefined> {
  return db
    .selectFrom('job')
    .selectAll()
    .where('owner', '=', owner)
    .where('idempotency_key', '=', key)
    .executeTakeFirst();
}

export interface JobFilter {
  readonly state?: JobState | undefined;
  readonly domain?: string | undefined;
  /** Only jobs of these domains. */
  readonly domains?: readonly string[] | undefined;
  readonly owner?: string | undefined;
  /** Only jobs older than that one. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Lists jobs, the newest first. */
export async function listJobs(db: Db, filter: JobFilter): Promise<JobRow[]> {
  const { state, domain, domains, owner, before, limit } = filter;
  if (domains?.length === 0) return [];
  return db
    .selectFrom('job')
    .selectAll()
    .$if(state !== undefined, (q) => q.where('state', '=', state!))
    .$if(domain !== undefined, (q) => q.where('domain', '=', domain!))
    .$if(domains !== undefined, (q) => q.where('domain', 'in', domains!))
    .$if(owner !== undefined, (q) => q.where('owner', '=', owner!))
    .$if(before !== undefined, (q) => q.where('ref', '<', before!))
    .orderBy('ref', 'desc')
    .limit(limit)
    .execute();
}

/** Counts jobs that are not finished. */
export async function countOpenJobs(db: Db): Promise<number> {
  const row = await db
    .selectFrom('job')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Cancels a job, or those of a domain, where they are not finished; returns the numbers of these. Files stay as they are. */
export async function cancelJobs(
  db: Db,
  of: { readonly id: string } | { readonly domain: string },
  now: number,
): Promise<number[]> {
  const rows = await db
    .updateTable('job')
    .set({ state: 'cancelled', finished_ms: timeOf(db, now) })
    .where((eb) => eb.and(of))
    .where('state', 'in', ['queued', 'running'])
    .returning('ref')
    .execute();
  return rows.map(({ ref }) => ref);
}

/** Puts the files of a finished job that are not done back to work; false where there is none, or the job is not finished. */
export async function retryJob(db: Db, id: string): Promise<boolean> {
  // Locks the job first, as those who finish its files do.
  const job = await db
    .updateTable('job')
    .set({ state: 'queued', finished_ms: null, started_ms: null, files_failed: 0 })
    .where('id', '=', id)
    .where('state', 'in', ['failed', 'cancelled'])
    .returning('ref')
    .executeTakeFirst();
  if (job === undefined) return false;
  await db
    .updateTable('job_file')
    .set({ state: 'pending', holder: null, not_before_ms: 0, attempts: 0, error: null, finished_ms: null })
    .where('job', '=', job.ref)
    .where('state', 'in', ['failed', 'pending'])
    .execute();
  return true;
}

/** Removes finished jobs that ended before `before`, all but the newest `keep`, and uploads without a job. Returns how many jobs. */
export async function pruneJobs(
  db: Db,
  { before, keep }: { readonly before: number; readonly keep: number },
): Promise<number> {
  const finished = db.selectFrom('job').select(['ref', 'id']).where('state', 'not in', ['queued', 'running']);
  const [old, beyond] = await Promise.all([
    finished.where('finished_ms', '<', before).execute(),
    finished.orderBy('ref', 'desc').limit(1_000_000).offset(keep).execute(),
  ]);
  const jobs = new Map([...old, ...beyond].map(({ ref, id }) => [ref, id]));
  let pruned = 0;
  for (const [ref, id] of jobs) {
    // The job first, and only while it is finished: it may have been put back to work since it was listed.
    const removed = await db
      .deleteFrom('job')
      .where('ref', '=', ref)
      .where('state', 'not in', ['queued', 'running'])
      .returning('id')
      .executeTakeFirst();
    if (removed === undefined) continue;
    await db.deleteFrom('job_file').where('job', '=', ref).execute();
    await deleteUploads(db, id);
    pruned += 1;
  }
  await db
    .deleteFrom('job_upload')
    .where('created_ms', '<', before)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('job').select(sql.lit(1).as('one')).whereRef('job.id', '=', 'job_upload.job_id'))),
    )
    .execute();
  return pruned;
}
