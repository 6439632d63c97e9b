import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { LONGEST, takeLease, timeOf } from '../leases.js';
import type { Database, Db } from '../schema.js';

/** A machine and directory whose processes are gone for so long, ms, leaves its jobs to others. */
const TTL = 5 * 60_000;
const PREFIX = 'job-host ';

/** Notes that a process of this machine and directory is there to work on its jobs; to be repeated every minute or so. */
export async function notePresence(db: Db, host: string, now: number): Promise<void> {
  await takeLease(db, { name: `${PREFIX}${host}`, holder: host, now, ttl: TTL });
  await db.deleteFrom('lease').where('name', 'like', `${PREFIX}%`).where('expires_at', '<', timeOf(db, now)).execute();
}

/** Returns whether a job is for any process, for those of `host`, or for a machine and directory that is gone. */
export function isFor(db: Db, host: string, now: number) {
  const time = timeOf(db, now);
  return (eb: ExpressionBuilder<Database, 'job'>): Expression<SqlBool> =>
    eb.or([
      eb('job.host', 'is', null),
      eb('job.host', '=', host),
      eb.not(
        eb.exists(
          eb
            .selectFrom('lease')
            .select(sql.lit(1).as('one'))
            .where('lease.name', '=', sql<string>`${PREFIX} || job.host`)
            .where('lease.expires_at', '>=', time)
            .where('lease.expires_at', '<=', sql<number>`${time} + ${LONGEST}`),
        ),
      ),
    ]);
}
