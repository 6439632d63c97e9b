import { deleteRows, deleteTable, listSyncs, type TableAt, unseenRows } from '../../backends/store/sources.js';
import { sourceId as idOfSource } from '../../core/ids.js';
import { forgetMany } from '../../ingest/forget-many.js';
import type { LoadPorts } from '../../ingest/write/load.js';
import { sourceKeyPages } from '../../ledger/read/sources/key-pages.js';
import { databasePrefix, keysNamed, rowSource, tablePrefix } from '../inspect/identity.js';

const BATCH = 100;
/** Sources that are counted at a time. */
const PAGE = 1000;

/**
 * Forgets a table's rows, the table itself, and what is remembered of them: what lies in the domain of its last sync, or
 * `everywhere`.
 */
export async function forgetTable(
  ports: LoadPorts,
  at: TableAt,
  { domain, everywhere }: { readonly domain: string; readonly everywhere: boolean },
): Promise<number> {
  let forgotten = 0;
  for (;;) {
    // No run has this number, so every row counts as unseen.
    const keys = await unseenRows(ports.store.db, { ...at, run: -1 }, BATCH);
    if (keys.length === 0) break;
    const ids = keys.map((key) => idOfSource(rowSource(at.sourceId, { table: at.table, key, domain })));
    forgotten += await forgetMany(ports, domain, ids);
    await ports.store.write((scope) => deleteRows(scope.db, at, keys));
  }
  forgotten += await forgetPrefix(ports, tablePrefix(at.sourceId, at.table), everywhere ? undefined : domain);
  await ports.store.write((scope) => deleteTable(scope.db, at));
  return forgotten;
}

/** Forgets everything that came from a database. */
export async function forgetDatabase(ports: LoadPorts, sourceId: string): Promise<number> {
  let forgotten = 0;
  for (const { table_name, domain } of await listSyncs(ports.store.db, sourceId)) {
    forgotten += await forgetTable(ports, { sourceId, table: table_name }, { domain, everywhere: true });
  }
  return forgotten + (await forgetPrefix(ports, databasePrefix(sourceId)));
}

/**
 * Forgets one row, in whichever domain it is; returns 0 where there is none. `named`: its key as it is kept, or the values
 * of its key columns. The next sync brings it back if the database still has it.
 */
export async function forgetRow(ports: LoadPorts, at: TableAt, named: string): Promise<number> {
  for (const key of keysNamed(named)) {
    let forgotten = 0;
    const sources = await ports.graph.listSources({ kind: 'row', key: `${tablePrefix(at.sourceId, at.table)}${key}` });
    for (const source of sources) forgotten += await forgetMany(ports, source.domain, [source.source_id]);
    await ports.store.write((scope) => deleteRows(scope.db, at, [key]));
    if (forgotten > 0) return forgotten;
  }
  return 0;
}

/** Counts what would be forgotten of a database, of one of its tables, or of one row as `forgetRow` names it. */
export async function countForgettable(
  { graph }: LoadPorts,
  {
    sourceId,
    table,
    row,
  }: { readonly sourceId: string; readonly table: string | undefined; readonly row: string | undefined },
): Promise<number> {
  const prefix = table === undefined ? databasePrefix(sourceId) : tablePrefix(sourceId, table);
  for (const key of row === undefined ? [] : keysNamed(row)) {
    const found = await graph.listSources({ kind: 'row', key: `${prefix}${key}` });
    if (found.length > 0) return found.length;
  }
  if (row !== undefined) return 0;
  let count = 0;
  for await (const page of sourceKeyPages(graph, { kind: 'row', prefix, limit: PAGE })) count += page.length;
  return count;
}

/** Forgets the sources whose keys start with this; in every domain where none is given. */
export async function forgetPrefix(ports: LoadPorts, prefix: string, domain?: string): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const batch = await ports.graph.sourceKeys({ kind: 'row', prefix, domain, limit: BATCH });
    if (batch.length === 0) return forgotten;
    for (const name of new Set(batch.map((source) => source.domain))) {
      const ids = batch.filter((source) => source.domain === name).map((source) => source.source_id);
      forgotten += await forgetMany(ports, name, ids);
    }
  }
}
