import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConceptIndex } from '../backends/store/concept-index.js';
import { openSqlite } from '../backends/store/engine/sqlite.js';
import type { Store } from '../backends/store/scope.js';
import { CONCEPTS } from '../compose/concept-index.js';
import { finishRestore } from '../compose/finish-restore.js';
import { requireStoreFile } from '../compose/store-marker.js';
import type { Config } from '../config.js';
import { tryLock } from '../data-directory.js';
import type { Check } from './check.js';
import { compareEngines } from './compare-engines.js';

/**
 * Checks the SQLite store of a directory that no service uses: SQLite's integrity check, indexes that interrupted
 * reindexes left, and whether the engines that lie in it hold the same nodes. Empty for PostgreSQL, a new directory, and one
 * that is in use: `examineService` asks there.
 */
export async function examineStore({ store: { kind }, data }: Config): Promise<Check[]> {
  const file = join(data.dir, 'svc.sqlite');
  if (kind !== 'sqlite') return [];
  if (!existsSync(data.dir)) return [];
  const taken = tryLock(data.dir, 'doctor');
  if (taken === null) return [];
  try {
    finishRestore(data.dir);
    requireStoreFile(data.dir);
    if (!existsSync(file)) return [];
    const store = await openSqlite(file);
    try {
      return [await integrity(store), await leftovers(store), ...(await compareEngines(store))];
    } finally {
      await store.close();
    }
  } catch (error) {
    return [failed(error)];
  } finally {
    taken.release();
  }
}

function failed(error: unknown): Check {
  return { name: 'store', state: 'failed', found: error instanceof Error ? error.message : 'cannot be opened' };
}

async function integrity(store: Store): Promise<Check> {
  const problems = await store.integrity();
  if (problems.length === 0) return { name: 'store', state: 'ok', found: 'sound' };
  return { name: 'store', state: 'failed', found: `damaged: ${problems.slice(0, 3).join('; ')}; restore a backup` };
}

async function leftovers(store: Store): Promise<Check> {
  const state = await readConceptIndex(store.db);
  const waiting = (state?.retired ?? []).map(({ index }) => index);
  const known = new Set([state?.serving.index, state?.building?.index, ...waiting]);
  const rows = await store.db.selectFrom('vector_index').select('name').orderBy('name').execute();
  const left = rows.map((row) => row.name).filter((name) => name.startsWith(CONCEPTS) && !known.has(name));
  if (left.length === 0) return { name: 'concept indexes', state: 'ok', found: 'none left over' };
  const found = `${left.join(', ')} left by interrupted reindexes; the next start removes them`;
  return { name: 'concept indexes', state: 'warning', found };
}
