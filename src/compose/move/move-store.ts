import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Dialect } from '../../backends/store/columns.js';
import type { PostgresStore } from '../../backends/store/engine/postgres.js';
import { withSnapshot } from '../../backends/store/engine/snapshot.js';
import { storageProblem } from '../../backends/store/engine/storage-problem.js';
import { type CopiedTable, copyTable } from '../../backends/store/move/copy-table.js';
import { keepUnused } from '../../backends/store/move/empty.js';
import { type Table, tableNames } from '../../backends/store/move/tables.js';
import type { Db } from '../../backends/store/schema.js';
import type { Store } from '../../backends/store/scope.js';
import { type CopiedIndex, copyVectors } from '../../backends/vector/stored-vectors.js';
import type { Config } from '../../config.js';
import { SvcError } from '../../core/errors.js';
import { lockUnused } from '../../data-directory.js';
import { identityOf } from '../../ledger/changes.js';
import { finishRestore } from '../finish-restore.js';
import { markStore } from '../store-marker.js';
import {
  dropEmptyIndexes,
  ENGINES,
  notEmpty,
  openSource,
  openTarget,
  requireEmpty,
  storeTables,
  vectorsOf,
} from './ends.js';

export interface MoveOptions {
  /** With the target as the kind of its store; both ends are named in it. */
  readonly config: Config;
  readonly progress: (done: number, total: number | undefined, what: string) => void;
}

export interface MovedStore {
  readonly from: Dialect;
  readonly to: Dialect;
  readonly tables: readonly CopiedTable[];
  /** Vector indexes that lay in the source and lie in the target now; null where the engine lies outside of both. */
  readonly vector_indexes: readonly CopiedIndex[] | null;
  readonly duration_seconds: number;
}

/**
 * Copies the store of a data directory into a PostgreSQL database, or back, with its vectors, and compares what was
 * written with what was read. The target is written in one transaction, and the source is only read: whenever the process
 * ends, the target holds nothing or everything.
 */
export async function moveStore({ config, progress }: MoveOptions): Promise<MovedStore> {
  const started = performance.now();
  const to = config.store.kind;
  const from = to === 'postgres' ? 'sqlite' : 'postgres';
  const directory = config.data.dir;
  if (from === 'sqlite' && !existsSync(directory)) throw noStore(directory);
  const lock = lockUnused(directory, 'migrate store', 'stop it first, then move the store');
  const opened: Store[] = [];
  try {
    finishRestore(directory);
    if (from === 'sqlite' && !existsSync(join(directory, 'svc.sqlite'))) throw noStore(directory);
    const tables = await storeTables();
    const source = await openSource(from, config);
    opened.push(source);
    const target = await openTarget(to, config, tables.all);
    opened.push(target);
    const carriesVectors = config.vectors.kind === ENGINES[to];
    if (to === 'postgres' && carriesVectors) {
      const { prepare } = await import('../../backends/vector/pgvector/tables.js');
      await prepare(target.db);
    }
    const copied = await withSnapshot(source, async ({ db }) => {
      const read = { db, dialect: from } as const;
      await keepUnused(db);
      return target.write(async (scope) => {
        const written = { db: scope.db, dialect: to };
        // A service that starts meanwhile waits, and finds everything.
        await keepUnused(scope.db);
        await requireEmpty(written, tables.all);
        return copyAll({ read, written, tables: tables.moved, carriesVectors, progress });
      });
    });
    progress(1, 1, 'graphs of the vectors');
    await finish(target, config);
    return { from, to, ...copied, duration_seconds: Math.round(performance.now() - started) / 1000 };
  } catch (error) {
    throw storageProblem(error);
  } finally {
    for (const store of opened) await store.close();
    lock.release();
  }
}

type End = Pick<Store, 'db' | 'dialect'>;

async function copyAll({
  read,
  written,
  tables,
  carriesVectors,
  progress,
}: {
  readonly read: End;
  readonly written: End;
  readonly tables: readonly Table[];
  readonly carriesVectors: boolean;
  readonly progress: MoveOptions['progress'];
}): Promise<Pick<MovedStore, 'tables' | 'vector_indexes'>> {
  const vectors = carriesVectors ? await carriedVectors(read, written) : undefined;
  // Everything is read twice: to copy it, and to compare.
  let total = 0;
  for (const { name } of tables) total += 2 * (await countRows(read.db, name));
  for (const index of (await vectors?.from.list(read.db)) ?? [])
    total += 2 * (await vectors!.from.count(read.db, index));
  let done = 0;
  const add = (rows: number, what: string): void => {
    done += rows;
    progress(done, total, what);
  };
  const copied: CopiedTable[] = [];
  for (const table of tables) {
    copied.push(await copyTable({ source: read.db, target: written.db }, table, (rows) => add(rows, table.name)));
  }
  if (!carriesVectors) return { tables: copied, vector_indexes: null };
  if (vectors === undefined) return { tables: copied, vector_indexes: [] };
  const source = { db: read.db, vectors: vectors.from };
  return {
    tables: copied,
    vector_indexes: await copyVectors(source, { db: written.db, vectors: vectors.to }, add),
  };
}

/**
 * Returns how vectors are read and written; undefined where there are none to carry, or the target has them already: an
 * embedded store may have kept them in the same PostgreSQL. Throws `conflict` where it has those of another store.
 */
async function carriedVectors(read: End, written: End) {
  const [from, to] = [await vectorsOf(read), await vectorsOf(written)];
  if (from === undefined || to === undefined) return undefined;
  const filled = await dropEmptyIndexes(written);
  const isOwned = (await tableNames(written.db)).has('pgv_owner');
  if (filled === undefined) {
    if (isOwned) await sql`delete from pgv_owner`.execute(written.db);
    return { from, to };
  }
  const { rows } = isOwned
    ? await sql<{ ledger: string }>`select ledger from pgv_owner`.execute(written.db)
    : { rows: [] };
  if (rows[0]?.ledger === (await identityOf(read.db)())) return undefined;
  throw notEmpty(written.dialect, `vectors in ${filled}`);
}

/** Builds what the target's engines make from the rows. */
async function finish(target: Store, { data, vectors }: Config): Promise<void> {
  if (target.dialect === 'sqlite') {
    // Graphs of an earlier store would be taken for those of this one.
    rmSync(join(data.dir, 'vectors'), { recursive: true, force: true });
    markStore(data.dir);
    return;
  }
  await sql`analyze`.execute(target.db);
  if (vectors.kind !== 'pgvector') return;
  const { PgVectors } = await import('../../backends/vector/pgvector.js');
  const engine = new PgVectors(target as PostgresStore, { joinsStore: true, ledger: identityOf(target.db) });
  await engine.connect();
  await engine.whenBuilt();
}

async function countRows(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db);
  return rows[0]!.count;
}

function noStore(directory: string): SvcError {
  return new SvcError('not_found', `${directory} holds no store; set SVC_DATA_DIR or --data-dir.`);
}
