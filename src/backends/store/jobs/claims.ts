import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { groupBy } from '../../../core/group-by.js';
import { LONGEST, timeOf } from '../leases.js';
import type { Database, Db } from '../schema.js';
import { anyOf, isPostgres } from '../sql.js';
import { isFor } from './hosts.js';

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

/**
 * Takes the next files of one job to work on, in order and `most` at most; none where there is nothing to do. A file that was begun
 * before is taken alone: it may be what ends the process.
 */
export async function claimFiles(db: Db, { holder, host, ttl, now }: Claim, most: number): Promise<ClaimedFile[]> {
  const next = nextJob(db, { host, now });
  const job = await (isPostgres(db) ? next.forUpdate() : next).executeTakeFirst();
  if (job === undefined) return [];
  const time = timeOf(db, now);
  const waiting = await db
    .selectFrom('job_file')
    .select(['number', 'path', 'attempts'])
    .where('job', '=', job.ref)
    .where(claimable(db, now))
    .orderBy('number')
    .limit(most)
    .execute();
  const begun = waiting.findIndex(({ attempts }) => attempts > 0);
  const files = begun === -1 ? waiting : waiting.slice(0, Math.max(1, begun));
  if (files.length === 0) return [];
  await db
    .updateTable('job_file')
    .set((eb) => ({
      state: 'running' as const,
      holder,
      expires_ms: sql<number>`${time} + ${ttl}`,
      attempts: eb('attempts', '+', 1),
      progress: null,
    }))
    .where('job', '=', job.ref)
    .where(
      anyOf(
        db,
        'number',
        files.map(({ number }) => number),
      ),
    )
    .execute();
  await db
    .updateTable('job')
    .set({ state: 'running', claimed_ms: time, started_ms: sql<number>`coalesce(started_ms, ${time})` })
    .where('ref', '=', job.ref)
    .execute();
  const { ref, id, ...rest } = job;
  return files.map((file) => ({ ...rest, job: ref, job_id: id, ...file, attempts: file.attempts + 1 }));
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
  const numbers = groupBy(files, ({ job }) => job);
  for (const [job, ofJob] of [...numbers].sort(([a], [b]) => a - b)) {
    await db
      .updateTable('job_file')
      .set({ expires_ms: sql<number>`${time} + ${ttl}` })
      .where('job', '=', job)
      .where(
        anyOf(
          db,
          'number',
          ofJob.map(({ number }) => number),
        ),
      )
      .where('state', '=', 'running')
      .where('holder', '=', holder)
      .execute();
  }
  const jobs = await db
    .selectFrom('job')
    .select('ref')
    .where('state', '=', 'cancelled')
    .where(anyOf(db, 'ref', [...numbers.keys()]))
    .execute();
  return jobs.map(({ ref }) => ref);
}

/** Frees all files that are being worked on, for a start that has proved that no other process uses the store. */
export async function clearClaims(db: Db): Promise<void> {
  await db.updateTable('job_file').set({ state: 'pending', holder: null }).where('state', '=', 'running').execute();
}
