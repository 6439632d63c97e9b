import { sql } from 'kysely';
import { timeOf } from '../leases.js';
import type { Db } from '../schema.js';
import { anyOf } from '../sql.js';

/** Keeps a part of an uploaded file. */
export async function addUploadPart(
  db: Db,
  at: { readonly job_id: string; readonly number: number; readonly part: number },
  { body, now }: { readonly body: Uint8Array; readonly now: number },
): Promise<void> {
  await db
    .insertInto('job_upload')
    .values({ ...at, body, created_ms: timeOf(db, now) })
    .execute();
}

/** Returns the bytes of an uploaded file; null where they are not kept any more. */
export async function readUpload(db: Db, job_id: string, number: number): Promise<Buffer | null> {
  const parts: Uint8Array[] = [];
  for (;;) {
    const row = await db
      .selectFrom('job_upload')
      .select('body')
      .where('job_id', '=', job_id)
      .where('number', '=', number)
      .where('part', '=', parts.length)
      .executeTakeFirst();
    if (row === undefined) break;
    parts.push(row.body);
  }
  return parts.length === 0 ? null : Buffer.concat(parts);
}

/** Returns how many bytes these uploaded files of a job have, by number. */
export async function uploadSizes(db: Db, job_id: string, numbers: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('job_upload')
    .select(['number', sql<number>`sum(length(body))`.as('bytes')])
    .where('job_id', '=', job_id)
    .where(anyOf(db, 'number', numbers))
    .groupBy('number')
    .execute();
  return new Map(rows.map(({ number, bytes }) => [number, Number(bytes)]));
}

/** Removes what is kept of a job that needs it no more. */
export async function deleteUploads(db: Db, job_id: string): Promise<void> {
  await db.deleteFrom('job_upload').where('job_id', '=', job_id).execute();
}

/** Removes what is kept of a job that did not come to be; does nothing where the job exists. */
export async function deleteUnused(db: Db, job_id: string): Promise<void> {
  await db
    .deleteFrom('job_upload')
    .where('job_id', '=', job_id)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('job').select('job.ref').where('job.id', '=', job_id))))
    .execute();
}
