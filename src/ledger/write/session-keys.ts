import { sql } from 'kysely';
import { forRows, GIVEN, insertRows, type ValueRow } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import { PAGE, pagesAfter } from '../groups.js';
import { countKeys } from '../mention-blob.js';

/** A key that passages of a session mention more or less often than before. */
export interface SessionStep {
  /** Number of the session's source. */
  readonly source: number;
  readonly key: number;
  readonly step: number;
}

const COLUMNS = { source: 'int', key: 'int', passages: 'int' } as const;

/** Counts in how many passages each key of a session occurs: no message is read again to know what it mentions. */
export async function stepSessionKeys(db: Db, steps: readonly SessionStep[]): Promise<void> {
  const sums = new Map<string, ValueRow>();
  for (const { source, key, step } of steps) {
    const at = `${source},${key}`;
    sums.set(at, [source, key, ((sums.get(at)?.[2] as number | undefined) ?? 0) + step]);
  }
  const rows = [...sums.values()].filter((row) => row[2] !== 0);
  await insertRows(db, 'session_key', {
    columns: COLUMNS,
    rows,
    tail: sql`on conflict (source, key) do update set passages = session_key.passages + excluded.passages`,
  });
  const fewer = rows.filter((row) => (row[2] as number) < 0);
  const pairs = fewer.map(([source, key]) => [source!, key!]);
  await forRows(db, { source: 'int', key: 'int' }, pairs)`
    delete from session_key where (source, key) in (select source, key from ${GIVEN}) and passages <= 0`;
}

/** Counts the keys of all sessions anew: for a store of an earlier release and after a restore. */
export async function recountSessionKeys(db: Db): Promise<void> {
  await sql`delete from session_key`.execute(db);
  const pages = pagesAfter(
    0,
    (after) =>
      sql<{ node: number; source: number; mentions: Uint8Array }>`select node, source, mentions from passage
        where message is not null and node > ${after} order by node limit ${PAGE}`.execute(db),
    { placeOf: ({ node }) => node, lane: 'patient' },
  );
  for await (const rows of pages) {
    const steps = rows.flatMap(({ source, mentions }) =>
      [...countKeys(mentions).keys()].map((key) => ({ source, key, step: 1 })),
    );
    await stepSessionKeys(db, steps);
  }
}
