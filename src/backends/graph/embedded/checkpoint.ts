import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import { type Clock, isoTime } from '../../../core/clock.js';
import { SvcError } from '../../../core/errors.js';
import { hash20 } from '../../../core/ids.js';
import { slicer } from '../../../core/slices.js';
import type { Database } from '../../store/schema.js';
import type { Store } from '../../store/scope.js';
import { withSnapshot } from '../../store/snapshot.js';
import { isPostgres } from '../../store/sql.js';
import type { CheckpointInfo } from '../port.js';
import { TABLES, type Table } from './checkpoint-tables.js';
import { insertRows, type Row } from './rows.js';
import { graphVersion, WriteState } from './write-state.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

const ROWS = 2000;
/** A checkpoint that was never finished is removed by a later one after this time. */
const ABANDONED_MS = 24 * 3600 * 1000;

/**
 * Copies of the whole graph in the store. A copy is read from one snapshot while writes go on, written part by part, and
 * counts from its last write on; putting one back is one transaction, so a crash leaves the old graph or the new one.
 */
export class Checkpoints {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  async make(): Promise<string> {
    await this.removeAbandoned();
    const created_at = isoTime(this.clock());
    const id = hash20('checkpoint', created_at, randomUUID());
    await withSnapshot(this.store, async ({ db, write }) => {
      const info = { id, created_at, version: await graphVersion(db), ...(await counted(db)) };
      await write((to) =>
        to
          .insertInto('graph_checkpoint')
          .values({ ...info, complete: 0 })
          .execute(),
      );
      let part = 0;
      for (const name of Object.keys(TABLES) as Table[]) {
        for await (const rows of pagesOf(db, name)) {
          const body = await compress(JSON.stringify(rows));
          part += 1;
          const values = { checkpoint: id, part, name, body };
          await write((to) => to.insertInto('graph_checkpoint_part').values(values).execute());
        }
      }
      await write((to) => to.updateTable('graph_checkpoint').set({ complete: 1 }).where('id', '=', id).execute());
    });
    return id;
  }

  async list(): Promise<CheckpointInfo[]> {
    return this.store.db
      .selectFrom('graph_checkpoint')
      .select(['id', 'created_at', 'version', 'nodes', 'edges'])
      .where('complete', '=', 1)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
  }

  async restore(id: string): Promise<void> {
    await this.store.write(async (scope) => {
      const { db } = scope;
      await mustExist(db, id);
      const state = await WriteState.of(scope);
      state.change.everything = true;
      state.touched = true;
      const names = Object.keys(TABLES) as Table[];
      if (isPostgres(db))
        await sql`lock table ${sql.join(names.map((name) => sql.table(name)))} in exclusive mode`.execute(db);
      for (const name of names) await sql`delete from ${sql.table(name)}`.execute(db);
      for (let after = 0; ; ) {
        const [part] = await db
          .selectFrom('graph_checkpoint_part')
          .selectAll()
          .where('checkpoint', '=', id)
          .where('part', '>', after)
          .orderBy('part')
          .limit(1)
          .execute();
        if (part === undefined) return;
        const rows = JSON.parse((await decompress(part.body)).toString('utf8')) as Row[];
        await insertRows(db, part.name as Table, { columns: TABLES[part.name as Table].columns, rows });
        after = part.part;
      }
    });
  }

  async delete(id: string): Promise<void> {
    await this.store.write(async ({ db }) => {
      await mustExist(db, id);
      await remove(db, id);
    });
  }

  private async removeAbandoned(): Promise<void> {
    const before = isoTime(this.clock() - ABANDONED_MS);
    await this.store.write(async ({ db }) => {
      const old = await db
        .selectFrom('graph_checkpoint')
        .select('id')
        .where('complete', '=', 0)
        .where('created_at', '<', before)
        .execute();
      for (const { id } of old) await remove(db, id);
    });
  }
}

async function mustExist(db: Kysely<Database>, id: string): Promise<void> {
  const found = await db
    .selectFrom('graph_checkpoint')
    .select('id')
    .where('id', '=', id)
    .where('complete', '=', 1)
    .executeTakeFirst();
  if (found === undefined) throw new SvcError('checkpoint_not_found', `Checkpoint ${id} does not exist.`);
}

async function remove(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('graph_checkpoint').where('id', '=', id).execute();
  await db.deleteFrom('graph_checkpoint_part').where('checkpoint', '=', id).execute();
}

async function counted(db: Kysely<Database>): Promise<{ nodes: number; edges: number }> {
  const result = await sql<{ nodes: number | null; edges: number | null }>`
    select sum(concepts + passages) as nodes, sum(edges) as edges from domain`.execute(db);
  return { nodes: Number(result.rows[0]?.nodes ?? 0), edges: Number(result.rows[0]?.edges ?? 0) };
}

/** A table's rows as arrays in the order of its columns, a page at a time; bytes as hexadecimal text. */
async function* pagesOf(db: Kysely<Database>, name: Table): AsyncGenerator<Row[]> {
  const pause = slicer();
  const { by, columns } = TABLES[name];
  const order = sql.join(by.map((column) => sql.ref(column)));
  for (let after: readonly number[] = by.map(() => -1); ; ) {
    const found = await sql<Record<string, string | number | null | Uint8Array>>`select * from ${sql.table(name)}
      where (${order}) > (${sql.join(after)}) order by ${order} limit ${ROWS}`.execute(db);
    const last = found.rows.at(-1);
    if (last === undefined) return;
    const names = Object.keys(columns);
    yield found.rows.map((row) => names.map((column) => plain(row[column] ?? null)));
    after = by.map((column) => last[column] as number);
    await pause();
  }
}

function plain(value: string | number | null | Uint8Array): string | number | null {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}
