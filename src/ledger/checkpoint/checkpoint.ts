import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import {
  checkpointOf,
  completeCheckpoint,
  deleteCheckpoint,
  deleteUnfinished,
  insertCheckpoint,
  insertPart,
  listCheckpoints,
  packedPart,
} from '../../backends/store/checkpoints.js';
import { withSnapshot } from '../../backends/store/engine/snapshot.js';
import type { Db } from '../../backends/store/schema.js';
import type { Store, WriteScope } from '../../backends/store/scope.js';
import { isPostgres } from '../../backends/store/sql.js';
import { type Clock, isoTime } from '../../core/clock.js';
import { hash20 } from '../../core/ids.js';
import { type ChangeLimits, ledgerVersion } from '../changes.js';
import type { CheckpointInfo, Restored } from '../types.js';
import { recountSessionKeys } from '../write/session-keys.js';
import { WriteState } from '../write/write-state.js';
import { applyDifference, differenceTo, touchedBy } from './difference.js';
import { differencesOf, readNodeFingerprints } from './node-fingerprints.js';
import { TABLES, type Table } from './table-columns.js';
import { pagesOf } from './table-pages.js';

const KIND = 'embedded';
/** A checkpoint that was never finished is removed by a later one after this time. */
const ABANDONED_MS = 24 * 3600 * 1000;

/**
 * Copies of the whole graph in the store. A copy is read from one snapshot while writes continue, written part by part,
 * and counts from its last write on; putting one back is one transaction, which writes only what differs, so a crash
 * leaves the old graph or the new one.
 */
export class Checkpoints {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly limits: ChangeLimits,
  ) {}

  async make(): Promise<string> {
    const now = this.clock();
    await this.store.write(({ db }) => deleteUnfinished(db, isoTime(now - ABANDONED_MS)));
    const created_at = isoTime(now);
    const id = hash20('checkpoint', created_at, randomUUID());
    await withSnapshot(this.store, async ({ db, write }) => {
      const info = { id, kind: KIND, created_at, version: await ledgerVersion(db), ...(await counted(db)) };
      await write((to) => insertCheckpoint(to, info));
      let part = 0;
      for (const name of Object.keys(TABLES) as Table[]) {
        for await (const rows of pagesOf(db, name)) {
          const body = await packedPart(rows);
          part += 1;
          const values = { checkpoint: id, part, name, body };
          await write((to) => insertPart(to, values));
        }
      }
      await write((to) => completeCheckpoint(to, id));
    });
    return id;
  }

  async list(): Promise<CheckpointInfo[]> {
    return (await listCheckpoints(this.store.db, KIND)).map(({ kind: _, ...info }) => info);
  }

  /** Returns what differs from the graph before, so that text and vectors can follow in the same transaction. */
  restore(id: string, scope?: WriteScope): Promise<Restored> {
    return scope === undefined
      ? this.store.write((own) => putBack(own, id, this.limits))
      : putBack(scope, id, this.limits);
  }

  async delete(id: string): Promise<void> {
    await this.store.write(async ({ db }) => {
      await checkpointOf(db, KIND, id);
      await deleteCheckpoint(db, id);
    });
  }
}

async function putBack(scope: WriteScope, id: string, limits: ChangeLimits): Promise<Restored> {
  const { db } = scope;
  await checkpointOf(db, KIND, id);
  const names = Object.keys(TABLES) as Table[];
  if (isPostgres(db))
    await sql`lock table ${sql.join(names.map((name) => sql.table(name)))} in exclusive mode`.execute(db);
  const state = WriteState.of(scope, limits);
  state.change.everything = true;
  state.touched = true;
  const difference = await differenceTo(db, id);
  const passages = touchedBy(difference, 'passage');
  const nodes = new Set([...touchedBy(difference, 'node'), ...touchedBy(difference, 'concept'), ...passages]);
  const before = await readNodeFingerprints(db, nodes);
  await applyDifference(db, id, difference);
  if (passages.length > 0) await recountSessionKeys(db);
  return differencesOf(before, await readNodeFingerprints(db, nodes));
}

async function counted(db: Db): Promise<{ nodes: number; edges: number }> {
  const result = await sql<{ nodes: number | null; edges: number | null }>`
    select sum(concepts + passages) as nodes, sum(edges) as edges from domain`.execute(db);
  return { nodes: Number(result.rows[0]?.nodes ?? 0), edges: Number(result.rows[0]?.edges ?? 0) };
}
