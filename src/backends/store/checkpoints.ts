import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Kysely } from 'kysely';
import { SvcError } from '../../core/errors.js';
import type { Database } from './schema.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

export interface CheckpointRow {
  readonly id: string;
  /** Kind of the graph that made it. */
  readonly kind: string;
  readonly created_at: string;
  readonly version: number;
  readonly nodes: number;
  readonly edges: number;
}

export interface CheckpointPart {
  /** 1-based, without gaps. */
  readonly part: number;
  /** What its rows are. */
  readonly name: string;
  readonly rows: unknown[];
}

/** Begins a checkpoint; it counts from `completeCheckpoint` on. */
export async function insertCheckpoint(db: Kysely<Database>, row: CheckpointRow): Promise<void> {
  await db
    .insertInto('graph_checkpoint')
    .values({ ...row, complete: 0 })
    .execute();
}

/** Packs a part as it is stored, outside the transaction that writes it. */
export async function packedPart(rows: readonly unknown[]): Promise<Buffer> {
  return compress(JSON.stringify(rows));
}

export async function insertPart(
  db: Kysely<Database>,
  part: { readonly checkpoint: string; readonly part: number; readonly name: string; readonly body: Buffer },
): Promise<void> {
  await db.insertInto('graph_checkpoint_part').values(part).execute();
}

export async function completeCheckpoint(db: Kysely<Database>, id: string): Promise<void> {
  await db.updateTable('graph_checkpoint').set({ complete: 1 }).where('id', '=', id).execute();
}

/** Returns the checkpoints, oldest first. */
export async function listCheckpoints(db: Kysely<Database>, kind: string): Promise<CheckpointRow[]> {
  return db
    .selectFrom('graph_checkpoint')
    .select(['id', 'kind', 'created_at', 'version', 'nodes', 'edges'])
    .where('complete', '=', 1)
    .where('kind', '=', kind)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Returns a checkpoint; throws `checkpoint_not_found` where it is absent, unfinished, or of another kind of graph. */
export async function checkpointOf(db: Kysely<Database>, kind: string, id: string): Promise<CheckpointRow> {
  const found = await db
    .selectFrom('graph_checkpoint')
    .select(['id', 'kind', 'created_at', 'version', 'nodes', 'edges'])
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('complete', '=', 1)
    .executeTakeFirst();
  if (found === undefined) {
    throw new SvcError(
      'checkpoint_not_found',
      `Checkpoint ${id} does not exist; list them with \`graph checkpoints\`.`,
    );
  }
  return found;
}

/** Yields the parts in order, one in memory at a time. */
export async function* checkpointParts(db: Kysely<Database>, id: string): AsyncGenerator<CheckpointPart> {
  for (let last = 0; ; ) {
    const part = await partsOf(db, id).where('part', '>', last).orderBy('part').limit(1).executeTakeFirst();
    if (part === undefined) return;
    yield unpacked(part);
    last = part.part;
  }
}

/** Returns a part by its number. */
export async function checkpointPart(db: Kysely<Database>, id: string, number: number): Promise<CheckpointPart> {
  return unpacked(await partsOf(db, id).where('part', '=', number).executeTakeFirstOrThrow());
}

function partsOf(db: Kysely<Database>, id: string) {
  return db.selectFrom('graph_checkpoint_part').select(['part', 'name', 'body']).where('checkpoint', '=', id);
}

async function unpacked({
  body,
  ...part
}: Omit<CheckpointPart, 'rows'> & { readonly body: Uint8Array }): Promise<CheckpointPart> {
  return { ...part, rows: JSON.parse((await decompress(body)).toString('utf8')) as unknown[] };
}

export async function deleteCheckpoint(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('graph_checkpoint').where('id', '=', id).execute();
  await db.deleteFrom('graph_checkpoint_part').where('checkpoint', '=', id).execute();
}

/** Removes what was begun before that time and never finished. */
export async function deleteUnfinished(db: Kysely<Database>, before: string): Promise<void> {
  const old = await db
    .selectFrom('graph_checkpoint')
    .select('id')
    .where('complete', '=', 0)
    .where('created_at', '<', before)
    .execute();
  for (const { id } of old) await deleteCheckpoint(db, id);
}
