import type { RelationalDatabase, Row } from '../backends/relational/port.js';
import {
  deleteRows,
  getSync,
  rowHashes,
  type SyncState,
  saveRows,
  saveSync,
  unseenRows,
} from '../backends/store/sources.js';
import { sourceId as idOfSource } from '../core/ids.js';
import { forgetSource } from '../ingest/forget.js';
import type { LoadPorts } from '../ingest/load.js';
import { loadMany } from '../ingest/load-many.js';
import { rowHash, rowKey, rowSource } from './identity.js';
import { changedRowsColumn, rowPages } from './pages.js';
import { type RowPlan, rowManifest } from './row-graph.js';
import type { SchemaView } from './schema-graph.js';

const BATCH = 500;

export interface SyncTask {
  readonly ports: LoadPorts;
  readonly view: SchemaView;
  readonly plan: RowPlan;
  readonly database: RelationalDatabase;
  readonly mode: 'full' | 'incremental';
  /** False for sources that feed vectors only. */
  readonly edges: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((rows: number) => void) | undefined;
}

export interface TableSync {
  readonly rows_read: number;
  readonly rows_added: number;
  readonly vectors_created: number;
  readonly rows_forgotten: number;
}

/**
 * Brings one table in step: pages in key order, loads rows whose content hash changed (all of them in a full sync that
 * starts anew are compared too: an unchanged row costs its hash), forgets rows that are gone. The position is saved after
 * every batch, so an interrupted sync goes on where it was.
 */
export async function syncTable(task: SyncTask): Promise<TableSync> {
  const { ports, view, plan } = task;
  const at = { sourceId: view.sourceId, table: `${plan.table.schema}.${plan.table.name}` };
  let state = await startOrResume(task, at);
  const totals = { rows_read: 0, rows_added: 0, vectors_created: 0 };
  const shortcut = task.mode === 'incremental' ? changedRowsColumn(plan.table) : undefined;
  let high = state.high_water;
  const pages = rowPages(task, {
    limit: BATCH,
    position: state.position,
    known: (keys) => rowHashes(ports.store.db, at, keys),
    since:
      shortcut !== undefined && state.high_water !== null ? { column: shortcut, value: state.high_water } : undefined,
  });
  for await (const page of pages) {
    task.signal?.throwIfAborted();
    const loaded = await loadChanged(task, at, page.rows);
    totals.rows_read += page.rows.length + page.untouched.length;
    totals.rows_added += loaded;
    totals.vectors_created += ports.embedding === null ? 0 : loaded;
    for (const row of page.rows) high = later(high, shortcut === undefined ? null : row[shortcut]);
    state = {
      ...state,
      position: page.position,
      rows_done: state.rows_done + page.rows.length + page.untouched.length,
    };
    const seen = [...page.rows.map((row) => ({ key: rowKey(plan.table, row), hash: rowHash(row) })), ...page.untouched];
    await ports.store.write(async (scope) => {
      await saveRows(scope.db, { ...at, run: state.run }, unique(seen));
      await saveSync(scope.db, at, state);
    });
    task.progress?.(state.rows_done);
  }
  const rows_forgotten = await forgetGone(task, { ...at, run: state.run });
  await ports.store.write((scope) =>
    saveSync(scope.db, at, { ...state, position: null, finished: 1, high_water: high }),
  );
  return { ...totals, rows_forgotten };
}

interface At {
  readonly sourceId: string;
  readonly table: string;
}

async function startOrResume(task: SyncTask, at: At): Promise<SyncState> {
  const before = await getSync(task.ports.store.db, at.sourceId, at.table);
  if (before !== undefined && before.finished === 0 && before.mode === task.mode) return before;
  const state: SyncState = {
    run: (before?.run ?? 0) + 1,
    mode: task.mode,
    position: null,
    rows_done: 0,
    finished: 0,
    high_water: before?.high_water ?? null,
  };
  await task.ports.store.write((scope) => saveSync(scope.db, at, state));
  return state;
}

/** Loads the rows whose hash differs from the one read before; answers how many. Loading comes before noting. */
async function loadChanged(task: SyncTask, at: At, rows: readonly Row[]): Promise<number> {
  const { ports, view, plan, edges } = task;
  const keys = rows.map((row) => rowKey(plan.table, row));
  const known = await rowHashes(ports.store.db, at, keys);
  const changed = new Map<string, Row>();
  rows.forEach((row, i) => {
    const key = keys[i]!;
    if (known.get(key) !== rowHash(row)) changed.set(key, row);
  });
  const manifests = [...changed.values()].map((cells) => rowManifest(view, plan, { cells, edges }));
  await loadMany(ports, manifests, { signal: task.signal });
  return manifests.length;
}

/** Forgets, by provenance, the rows that this run did not see. */
async function forgetGone(task: SyncTask, at: At & { readonly run: number }): Promise<number> {
  const { ports, view, plan } = task;
  let forgotten = 0;
  for (;;) {
    const keys = await unseenRows(ports.store.db, at, 200);
    if (keys.length === 0) return forgotten;
    for (const key of keys) {
      const source = rowSource(view.sourceId, plan.table, { key, domain: plan.domain });
      await forgetSource(ports, idOfSource(source)).catch((error: { code?: string }) => {
        if (error.code !== 'source_not_found') throw error;
      });
    }
    await ports.store.write((scope) => deleteRows(scope.db, at, keys));
    forgotten += keys.length;
  }
}

function later(a: string | null, b: unknown): string | null {
  if (typeof b !== 'string') return a;
  return a === null || b > a ? b : a;
}

function unique(rows: ReadonlyArray<{ readonly key: string; readonly hash: string }>) {
  return [...new Map(rows.map((row) => [row.key, row])).values()];
}
