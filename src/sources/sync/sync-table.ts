import type { DatabaseRow, RelationalDatabase } from '../../backends/relational/port.js';
import {
  deleteRows,
  getSync,
  type SyncState,
  saveRows,
  saveSync,
  type TableAt,
  touchRows,
  unseenRows,
} from '../../backends/store/sources.js';
import { readAhead } from '../../core/async/read-ahead.js';
import { slicer } from '../../core/async/slices.js';
import { sourceId as idOfSource } from '../../core/ids.js';
import type { Manifest } from '../../core/model.js';
import { withoutVectors } from '../../core/vectorless.js';
import { forgetMany } from '../../ingest/forget-many.js';
import type { LoadPorts } from '../../ingest/write/load.js';
import { type PreparedMany, prepareMany, writeMany } from '../../ingest/write/load-many.js';
import { rowKey, rowSource, tableKey } from '../inspect/identity.js';
import type { SchemaView } from '../inspect/schema-graph.js';
import { changeColumn, latestChange, sinceText } from './changes.js';
import { forgetTable } from './forget-rows.js';
import { type RowPage, rowPages } from './pages.js';
import { referencedRows } from './references.js';
import { rowManifest } from './row-graph.js';
import type { ReferencedRows, RowPlan } from './row-plan.js';
import { rowFingerprint } from './row-text.js';
import { hashesInGraph } from './rows-in-graph.js';

const PAGE = 500;
/** Rows forgotten in one transaction. */
const FORGET = 250;
/**
 * The pages of a table need not wait for the disk: a loss of power takes the last of them back together with the
 * position that was saved with them, and the next sync does them again. The last write of the table waits.
 */
const PAGES = { durable: false } as const;

export interface SyncTask {
  readonly ports: LoadPorts;
  readonly view: SchemaView;
  readonly plan: RowPlan;
  readonly database: RelationalDatabase;
  readonly mode: 'full' | 'incremental';
  readonly signal?: AbortSignal | undefined;
  /** Receives, after each batch, all that was done so far. */
  readonly progress: (done: TableSync) => void;
}

export interface TableSync {
  readonly rows_read: number;
  readonly rows_added: number;
  readonly vectors_created: number;
  readonly rows_forgotten: number;
  /** Rows processed since the run began. */
  readonly rows_done: number;
}

/**
 * Brings one table in step: pages in key order; loads the rows whose content changed (`full`: asserts all, of which the
 * graph writes those that differ); forgets rows that were deleted. Every page is noted with its rows. A sync after an
 * interrupted one reads the table from its start, and passes over the rows that are as the interrupted one loaded them.
 */
export async function syncTable(task: SyncTask): Promise<TableSync> {
  const { ports, view, plan } = task;
  const { store } = ports;
  const at = { sourceId: view.sourceId, table: tableKey(plan.table) };
  const startedAt = ports.clock();
  let state = await startRun(task, at);
  const from = task.mode === 'full' ? firstRun(state) : 0;
  let done: TableSync = { rows_read: 0, rows_added: 0, vectors_created: 0, rows_forgotten: 0, rows_done: 0 };
  const column = changeColumn(plan.table);
  const shortcut = task.mode === 'incremental' && column !== undefined && state.high_water !== null;
  let latest = state.high_water;
  const pages = rowPages(
    { database: task.database, table: plan.table },
    {
      limit: PAGE,
      known: async (keys) => new Set((await hashesInGraph(ports, { ...at, plan }, keys)).keys()),
      since: shortcut ? { column, value: sinceText(state.high_water ?? '') } : undefined,
    },
  );
  for await (const { page, seen, prepared } of readAhead(preparedPages(task, { ...at, from }, pages))) {
    task.signal?.throwIfAborted();
    const loaded = await writeMany(task.ports, prepared, { signal: task.signal, ...PAGES });
    if (column !== undefined) latest = latestChange(latest, page.rows, { column, now: startedAt });
    const read = page.rows.length + page.untouched.length;
    state = { ...state, rows_done: state.rows_done + read };
    await store.write(async (scope) => {
      await saveRows(scope.db, { ...at, run: state.run }, [...seen.values()]);
      await touchRows(scope.db, { ...at, run: state.run }, page.untouched);
      await saveSync(scope.db, at, state);
    }, PAGES);
    done = {
      ...done,
      rows_read: done.rows_read + read,
      rows_added: done.rows_added + loaded.loaded,
      vectors_created: done.vectors_created + (task.plan.vectors && task.ports.embedding !== null ? loaded.changed : 0),
      rows_done: state.rows_done,
    };
    task.progress(done);
  }
  done = { ...done, rows_forgotten: await forgetDeleted(task, { ...at, run: state.run }) };
  await store.write((scope) => saveSync(scope.db, at, { ...state, position: null, finished: 1, high_water: latest }));
  task.progress(done);
  return done;
}

/**
 * Starts a run. One that follows an interrupted one in the same mode continues its series: rows that a run of the series
 * loaded are loaded again only where they changed since, unless the table means something else now.
 */
async function startRun({ ports, plan, mode }: SyncTask, at: TableAt): Promise<SyncState> {
  const before = await getSync(ports.store.db, at);
  const same = before?.signature === plan.signature;
  const run = (before?.run ?? 0) + 1;
  const first = same && before.finished === 0 && before.mode === mode ? firstRun(before) : run;
  // Rows cannot move between domains: those in the former one are forgotten and loaded anew.
  if (before !== undefined && before.domain !== plan.domain) {
    await forgetTable(ports, at, { domain: before.domain, everywhere: false });
  }
  const state: SyncState = {
    run,
    mode,
    domain: plan.domain,
    signature: plan.signature,
    position: JSON.stringify({ first }),
    rows_done: 0,
    finished: 0,
    high_water: same ? before.high_water : null,
  };
  await ports.store.write((scope) => saveSync(scope.db, at, state));
  return state;
}

/** Returns the first run of a series of interrupted ones; earlier releases kept a place in the table there. */
function firstRun({ position, run }: SyncState): number {
  const { first } = JSON.parse(position ?? '{}') as { readonly first?: number };
  return first ?? run;
}

interface HashedRow {
  readonly key: string;
  readonly hash: string;
  readonly cells: DatabaseRow;
}

/** Returns fingerprints by key: rows that are alike in a table without a key are one. */
async function fingerprints(
  plan: RowPlan,
  { rows, found }: { readonly rows: readonly DatabaseRow[]; readonly found: ReferencedRows },
): Promise<Map<string, HashedRow>> {
  const pause = slicer();
  const seen = new Map<string, HashedRow>();
  for (const cells of rows) {
    const key = rowKey(plan.table, cells);
    seen.set(key, { key, hash: rowFingerprint(plan, { cells, found }), cells });
    await pause();
  }
  return seen;
}

interface PreparedPage {
  readonly page: RowPage;
  readonly seen: ReadonlyMap<string, HashedRow>;
  readonly prepared: PreparedMany;
}

/** A table, and the run from which on what was loaded counts as known. */
type LoadedTable = TableAt & { readonly from: number };

/** Yields pages as they will be written: the next is read and embedded while one is written. */
async function* preparedPages(
  task: SyncTask,
  at: LoadedTable,
  pages: AsyncIterable<RowPage>,
): AsyncGenerator<PreparedPage> {
  for await (const page of pages) {
    const found = await referencedRows(task.database, task.plan, page.rows);
    const seen = await fingerprints(task.plan, { rows: page.rows, found });
    yield { page, seen, prepared: await prepareChanged(task, at, { seen, found }) };
  }
}

/**
 * Returns the rows that are not known as they are. They are loaded before they are noted: a crash between repeats,
 * never loses.
 */
async function prepareChanged(
  task: SyncTask,
  at: LoadedTable,
  { seen, found }: { readonly seen: ReadonlyMap<string, HashedRow>; readonly found: ReferencedRows },
): Promise<PreparedMany> {
  const { ports, view, plan } = task;
  const known = await hashesInGraph(ports, { ...at, plan }, [...seen.keys()]);
  const changed = [...seen.values()].filter(({ key, hash }) => known.get(key) !== hash);
  const pause = slicer();
  const manifests: Manifest[] = [];
  for (const { cells, hash } of changed) {
    const manifest = rowManifest(view, plan, { cells, found, hash });
    manifests.push(plan.vectors ? manifest : { ...withoutVectors(manifest), content_hash: hash });
    await pause();
  }
  return prepareMany(ports, manifests, { signal: task.signal });
}

/** Forgets, by provenance, the rows that this run did not see. */
async function forgetDeleted(task: SyncTask, at: TableAt & { readonly run: number }): Promise<number> {
  const { ports, view, plan } = task;
  let forgotten = 0;
  for (;;) {
    const keys = await unseenRows(ports.store.db, at, FORGET);
    if (keys.length === 0) return forgotten;
    const ids = keys.map((key) => idOfSource(rowSource(view.sourceId, { table: at.table, key, domain: plan.domain })));
    await forgetMany(ports, plan.domain, ids);
    await ports.store.write((scope) => deleteRows(scope.db, at, keys));
    forgotten += keys.length;
  }
}
