import { sql } from 'kysely';
import type { Db } from '../../backends/store/schema.js';
import type { MessageFields } from '../../core/model.js';

/** Sessions that are looked at, those that began last. */
const SESSIONS = 200;

/** Returns the latest time (ISO 8601) of a message of these domains (all without), in the sessions that began last. */
export async function latestMessage(db: Db, domains?: readonly string[]): Promise<string | undefined> {
  const within = domains === undefined ? sql`` : sql`and d.name in (${sql.join(domains)})`;
  const { rows } = await sql<{ message: string | null }>`select p.message from (
      select s.ref from source s join domain d on d.ref = s.domain
      where s.kind = 'session' ${within} order by s.ref desc limit ${SESSIONS}
    ) as recent join passage p on p.source = recent.ref
    and p.ord = (select max(last.ord) from passage last where last.source = recent.ref)`.execute(db);
  let latest: string | undefined;
  let time = Number.NEGATIVE_INFINITY;
  for (const { message } of rows) {
    const { timestamp } = JSON.parse(message ?? '{}') as Partial<MessageFields>;
    const at = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
    if (at > time) [latest, time] = [timestamp, at];
  }
  return latest;
}
