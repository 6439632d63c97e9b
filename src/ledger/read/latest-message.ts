import { type Kysely, sql } from 'kysely';
import type { Database } from '../../backends/store/schema.js';
import type { MessageFields } from '../../core/model.js';

/** Sessions that are looked at, those that began last. */
const SESSIONS = 200;

/**
 * Returns the time of the latest message of these domains (all without), ISO 8601: the last ones of the sessions that began
 * last are looked at. Undefined where none has a time.
 */
export async function latestMessage(db: Kysely<Database>, domains?: readonly string[]): Promise<string | undefined> {
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
