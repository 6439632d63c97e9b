import { type Kysely, sql } from 'kysely';
import type { Manifest } from '../../../core/model.js';
import type { Database } from '../../store/schema.js';
import type { Asserted } from '../asserted.js';
import type { DomainRef } from './tables.js';

/** What one source is to assert from now on. */
export interface SourceChange {
  readonly ref: number;
  readonly id: string;
  /** True where it asserted something before. */
  readonly existed: boolean;
  /** Adds to what it asserted instead of replacing it. */
  readonly append: boolean;
  /** Null where the source is forgotten. */
  readonly next: Asserted | null;
}

export interface SourceRow {
  readonly ref: number;
  readonly id: string;
  readonly domain: number;
  readonly content_hash: string;
}

export async function findSource(db: Kysely<Database>, id: string): Promise<SourceRow | undefined> {
  return db
    .selectFrom('source')
    .select(['ref', 'id', 'domain', 'content_hash'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Writes the source's row and answers its number. */
export async function saveSource(
  db: Kysely<Database>,
  domain: DomainRef,
  { id, manifest, updated_at }: { readonly id: string; readonly manifest: Manifest; readonly updated_at: string },
): Promise<number> {
  const { kind, key, label } = manifest.source;
  const { content_hash } = manifest;
  const row = await db
    .insertInto('source')
    .values({ id, domain: domain.ref, kind, key, label, content_hash, updated_at })
    .onConflict((oc) => oc.column('id').doUpdateSet({ label, content_hash, updated_at }))
    .returning('ref')
    .executeTakeFirstOrThrow();
  return row.ref;
}

export async function deleteSource(db: Kysely<Database>, ref: number): Promise<void> {
  await sql`delete from source where ref = ${ref}`.execute(db);
}
