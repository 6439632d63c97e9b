import type { RelationalDatabase, TableInfo, TableName } from '../../backends/relational/port.js';
import { SvcError } from '../../core/errors.js';
import { withoutVectors } from '../../core/vectorless.js';
import type { LoadPorts } from '../../ingest/write/load.js';
import { loadMany } from '../../ingest/write/load-many.js';
import { referenced, type SchemaView, tableManifest } from '../inspect/schema-graph.js';
import { namedTables } from './references.js';
import { rowPlan } from './row-plan.js';
import { forgetStale, rulesWanted, schemasRead } from './stale.js';
import { syncTable, type TableSync } from './sync-table.js';

export interface SourceSync {
  readonly ports: LoadPorts;
  readonly view: SchemaView;
  readonly database: RelationalDatabase;
  readonly mode: 'full' | 'incremental';
  readonly targets: 'vec' | 'graph' | 'both';
  /** Whether the edges of rows yield rules; default false. */
  readonly deriveRules?: boolean | undefined;
  /** The schemas that were read. */
  readonly schemas: readonly string[];
  /** Names of tables; all when undefined. */
  readonly tables: readonly string[] | undefined;
  readonly signal: AbortSignal | undefined;
  readonly progress: ((done: number, total: number | undefined, message: string) => void) | undefined;
}

export interface SyncTotals {
  readonly tables_synced: number;
  readonly rows_added: number;
  readonly vectors_created: number;
  readonly rows_read: number;
  readonly rows_forgotten: number;
  readonly errors: readonly string[];
}

/** Brings a database's tables in step, one after the other. A table that fails is reported; what it did stays. */
export async function syncSource(sync: SourceSync): Promise<SyncTotals> {
  const { ports, view, database, mode, targets, signal } = sync;
  const tables = await chosen(sync);
  const vectors = targets !== 'graph';
  const everything = sync.tables === undefined || sync.tables.length === 0;
  const totals = { tables_synced: 0, rows_added: 0, vectors_created: 0, rows_read: 0, rows_forgotten: 0 };
  const errors: string[] = [];
  if (targets !== 'vec') {
    const rules = await rulesWanted(ports, view);
    const manifests = tables.map((table) => {
      const manifest = tableManifest(view, table, { rules: rules(table) });
      return vectors ? manifest : withoutVectors(manifest);
    });
    const { changed } = await loadMany(ports, manifests, { signal });
    if (vectors && ports.embedding !== null) totals.vectors_created += changed;
  }
  const stale = await forgetStale(ports, view, {
    tables,
    existing: () => database.existingTables({ schemas: sync.schemas }),
    schemas: everything ? schemasRead(view, database, sync.schemas) : new Set(),
    synced: everything ? 'all' : 'schemas',
    rowsToo: () => false,
  });
  totals.rows_forgotten += stale.forgotten;
  errors.push(...stale.unreadable.map(notReadable));
  const rows = tables.reduce((sum, table) => sum + table.row_count, 0);
  const named = await namedTables(ports.store, view.sourceId, tables);
  let before = 0;
  for (const table of referencedFirst(view, tables)) {
    let done: TableSync | undefined;
    try {
      await syncTable({
        ports,
        view,
        plan: rowPlan(view, table, { edges: targets !== 'vec', vectors, named, deriveRules: sync.deriveRules }),
        database,
        mode,
        signal,
        progress: (now) => {
          done = now;
          const all = before + now.rows_done;
          sync.progress?.(all, Math.max(rows, all), `${table.schema}.${table.name}`);
        },
      });
      totals.tables_synced += 1;
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      errors.push(failure(table, done, error));
      // The connection is lost, and so are the tables after this one; any other failure is this table's own.
      if (error.code === 'unavailable' && error.retriable) break;
    } finally {
      before += done?.rows_done ?? 0;
      totals.rows_added += done?.rows_added ?? 0;
      totals.vectors_created += done?.vectors_created ?? 0;
      totals.rows_read += done?.rows_read ?? 0;
      totals.rows_forgotten += done?.rows_forgotten ?? 0;
    }
  }
  return { ...totals, errors };
}

function notReadable({ schema, name }: TableName): string {
  return `${schema}.${name}: The user of the connection may not read it any more; what was read of it stays. Grant select on it, or forget the table.`;
}

function failure(table: TableInfo, done: TableSync | undefined, error: SvcError): string {
  const count = `${done?.rows_done ?? 0} of ${table.row_count_estimated ? 'about ' : ''}${table.row_count} rows were done`;
  return `${table.schema}.${table.name}: ${error.message} ${count}; the next sync in this mode loads the rest, and of these what changed.`;
}

/** Returns the tables named (by name, or schema and name); all without names. */
async function chosen(sync: SourceSync): Promise<TableInfo[]> {
  const { tables } = sync.view;
  if (sync.tables === undefined || sync.tables.length === 0) return [...tables];
  const found = new Set<TableInfo>();
  for (const name of sync.tables) {
    const table = named(tables, name);
    if (table === undefined) throw await notThere(sync, name);
    found.add(table);
  }
  return [...found];
}

function named(tables: readonly TableInfo[], name: string): TableInfo | undefined {
  return tables.find((t) => `${t.schema}.${t.name}` === name) ?? tables.find((t) => t.name === name);
}

/** Returns the error for a name that is no table's; it tells where it is a view's. */
async function notThere({ database, schemas }: SourceSync, name: string): Promise<SvcError> {
  const view = named(await database.introspect({ schemas, views: true }), name);
  const why = view === undefined ? 'which the source does not have' : 'a view; only tables are synced';
  return new SvcError('invalid_input', `tables names ${JSON.stringify(name)}, ${why}.`, { member: 'tables' });
}

/**
 * Returns the tables in the order of sync: those that others point at first, so that few edges wait for an endpoint.
 * Cycles are cut where they are found.
 */
function referencedFirst(view: Pick<SchemaView, 'tables'>, tables: readonly TableInfo[]): TableInfo[] {
  const ordered = new Set<TableInfo>();
  const open = new Set<TableInfo>();
  const visit = (table: TableInfo): void => {
    if (ordered.has(table) || open.has(table)) return;
    open.add(table);
    for (const key of table.foreign_keys) {
      const target = referenced(view, key);
      if (target !== undefined && tables.includes(target)) visit(target);
    }
    ordered.add(table);
  };
  for (const table of tables) visit(table);
  return [...ordered];
}
