import { sql } from 'kysely';
import { columnTypes, forValues, GIVEN, insertRows } from '../../backends/store/rows.js';
import type { Db } from '../../backends/store/schema.js';
import type { Manifest } from '../../core/model.js';
import type { Row, Writer } from '../tables.js';

export type SourceRow = Pick<Row<'source'>, 'ref' | 'id' | 'domain' | 'content_hash'>;

export async function findSource(db: Db, id: string): Promise<SourceRow | undefined> {
  return db
    .selectFrom('source')
    .select(['ref', 'id', 'domain', 'content_hash'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Returns the name of the domain of a source, which never changes. */
export async function domainOfSource(db: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select d.name from source s join domain d on d.ref = s.domain
    where s.id = ${id}`.execute(db);
  return rows[0]?.name;
}

export async function findSources(db: Db, ids: readonly string[]): Promise<Map<string, SourceRow>> {
  const rows = await forValues(db, ids)<SourceRow>`
    select s.ref, s.id, s.domain, s.content_hash from ${GIVEN} join source s on s.id = given.v`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Writes the sources' rows and returns their numbers by id. */
export async function saveSources(
  { db, domain }: Writer,
  sources: ReadonlyArray<{ readonly id: string; readonly manifest: Pick<Manifest, 'source' | 'content_hash'> }>,
  updated_at: string,
): Promise<Map<string, number>> {
  const rows = sources.map(({ id, manifest: { source, content_hash } }) => {
    return [id, domain.ref, source.kind, source.key, source.label, content_hash, updated_at];
  });
  const saved = (await insertRows(db, 'source', {
    columns: columnTypes('id text, domain int, kind text, key text, label text, content_hash text, updated_at text'),
    rows,
    tail: sql`on conflict (id) do update set label = excluded.label, content_hash = excluded.content_hash,
      updated_at = excluded.updated_at returning id, ref`,
  })) as Array<{ id: string; ref: number }>;
  return new Map(saved.map(({ id, ref }) => [id, ref]));
}

export async function deleteSource(db: Db, ref: number): Promise<void> {
  await sql`delete from session_key where source = ${ref}`.execute(db);
  await sql`delete from source where ref = ${ref}`.execute(db);
}
