import { randomUUID } from 'node:crypto';
import { type Clock, isoTime, systemClock } from '../../../core/clock.js';
import { SvcError } from '../../../core/errors.js';
import { hash20 } from '../../../core/ids.js';
import { int, type Neo4jConnection } from '../../neo4j-connection.js';
import * as kept from '../../store/checkpoints.js';
import { withLease } from '../../store/leases.js';
import type { Row } from '../../store/rows.js';
import type { Store } from '../../store/scope.js';
import { differencesOf, type Prints } from '../node-prints.js';
import type { CheckpointInfo, Restored } from '../port.js';
import {
  dumped,
  LABELS,
  Loading,
  type NodeRow,
  presentPrints,
  type RelationshipRow,
  type Run,
  STAGE,
  unstaged,
} from './checkpoint-rows.js';
import { emptyTables, isTable, keepTables, putRows } from './checkpoint-tables.js';
import type { GraphCheckpoints } from './checkpoints.js';

const KIND = 'neo4j';
const ABANDONED_MS = 24 * 3600 * 1000;
const LEASE = { name: 'graph:neo4j-restore', ttl: 30_000 } as const;
/** Nodes and relationships, old and new together, that one transaction replaces; more go in steps. */
export const AT_ONCE = 150_000;

interface GraphState {
  readonly version: number;
  /** A checkpoint that is being put back in steps: the graph is not whole. */
  readonly restoring: string | null;
  /** One that was put back, while the tables that follow may not be. */
  readonly tables: string | null;
  /** A domain is being removed in steps: a copy would have a rest of it. */
  readonly going: boolean;
  readonly [name: string]: unknown;
}

const STATE = `MATCH (g:Graph {name: 'graph'})
  RETURN g.version AS version, g.restoring AS restoring, g.tables AS tables, EXISTS { (:Going) } AS going`;
const LOCK = "MATCH (g:Graph {name: 'graph'}) SET g.lock = 1 REMOVE g.lock RETURN g.version AS version";

/**
 * Copies of a Neo4j graph in the SQL store, so that a lost volume does not take them along. One is read without holding
 * anybody up, or where something was written meanwhile once more with writers waiting. A graph that fits is put back in
 * one transaction. A larger one goes in steps while readers and writers are told to wait; whoever connects after a crash
 * goes on with it, so the mixture is never seen.
 */
export class StoredCheckpoints implements GraphCheckpoints {
  private readonly clock: Clock;
  private readonly atOnce: number;

  constructor(
    private readonly connection: Neo4jConnection,
    private readonly store: Store,
    options: { readonly clock?: Clock; readonly atOnce?: number } = {},
  ) {
    this.clock = options.clock ?? systemClock;
    this.atOnce = options.atOnce ?? AT_ONCE;
  }

  async make(): Promise<string> {
    const before = isoTime(this.clock() - ABANDONED_MS);
    await this.store.write(({ db }) => kept.deleteUnfinished(db, before));
    const alone: Run = (cypher, params) => this.connection.read(cypher, params);
    const { version } = await this.whole(alone);
    const id = await this.keep(alone);
    if ((await this.state(alone)).version === version) return this.complete(id);
    await this.store.write(({ db }) => kept.deleteCheckpoint(db, id));
    return this.connection.write(async (tx) => {
      const run: Run = (cypher, params) => tx.run(cypher, params);
      await run(LOCK);
      await this.whole(run);
      return this.complete(await this.keep(run));
    });
  }

  async list(): Promise<CheckpointInfo[]> {
    return (await kept.listCheckpoints(this.store.db, KIND)).map(({ kind: _, ...info }) => info);
  }

  async remove(id: string): Promise<void> {
    // One that is being put back is needed to the end.
    await this.exclusively(() =>
      this.store.write(async ({ db }) => {
        await kept.checkpointOf(db, KIND, id);
        await kept.deleteCheckpoint(db, id);
      }),
    );
  }

  async restore(id: string): Promise<Restored> {
    await kept.checkpointOf(this.store.db, KIND, id);
    return this.exclusively(async () => {
      const run: Run = (cypher, params) => this.connection.read(cypher, params);
      const size = (await this.sizeOf(id)) + (await elements(run));
      const restored = size <= this.atOnce ? await this.restoreAtOnce(id) : await this.restoreInSteps(id);
      await this.restoreTables(id);
      return restored;
    });
  }

  /** Goes on with what a process that died left half done. */
  async resume(): Promise<void> {
    const unfinished = async (): Promise<GraphState> => this.state((cypher) => this.connection.read(cypher));
    for (;;) {
      const { restoring, tables } = await unfinished();
      if (restoring === null && tables === null) return;
      const done = await this.leased(async () => {
        const now = await unfinished();
        const id = now.restoring ?? now.tables;
        if (id === null) return;
        await kept.checkpointOf(this.store.db, KIND, id).catch((cause: unknown) => {
          throw notHere(id, cause);
        });
        if (now.restoring !== null) await this.fillInSteps(id);
        await this.restoreTables(id);
      });
      if (done) return;
      // Another process is at it, or died less than the lease's time ago.
      await new Promise((wake) => setTimeout(wake, 1000));
    }
  }

  private async keep(run: Run): Promise<string> {
    const created_at = isoTime(this.clock());
    const id = hash20('checkpoint', created_at, randomUUID());
    const [info] = await run<{ version: number; nodes: number; edges: number }>(
      `MATCH (g:Graph {name: 'graph'}) OPTIONAL MATCH (d:Domain)
       RETURN g.version AS version, sum(d.concepts + d.passages) AS nodes, sum(d.edges) AS edges`,
    );
    await this.store.write(({ db }) => kept.insertCheckpoint(db, { id, kind: KIND, created_at, ...info! }));
    let part = 0;
    for await (const { name, rows } of dumped(run)) {
      const body = await kept.packedPart(rows);
      part += 1;
      const values = { checkpoint: id, part, name, body };
      await this.store.write(({ db }) => kept.insertPart(db, values));
    }
    await keepTables(this.store, id, part);
    return id;
  }

  private async complete(id: string): Promise<string> {
    await this.store.write(({ db }) => kept.completeCheckpoint(db, id));
    return id;
  }

  private async state(run: Run): Promise<GraphState> {
    const [state] = await run<GraphState>(STATE);
    return state ?? { version: 0, restoring: null, tables: null, going: false };
  }

  private async whole(run: Run): Promise<GraphState> {
    const state = await this.state(run);
    if (!state.going) return state;
    throw new SvcError('unavailable', 'A large domain is being removed; try again shortly.', undefined, {
      retriable: true,
      retryAfter: 5,
    });
  }

  /** Nodes and relationships that a checkpoint holds. */
  private async sizeOf(id: string): Promise<number> {
    let size = 0;
    for await (const { name, rows } of kept.checkpointParts(this.store.db, id)) if (!isTable(name)) size += rows.length;
    return size;
  }

  private restoreAtOnce(id: string): Promise<Restored> {
    // Run again after a lost answer it would find the new graph: what the first run found counts too.
    const before: Prints = new Map();
    return this.connection.write(async (tx) => {
      const run: Run = (cypher, params) => tx.run(cypher, params);
      await run(LOCK);
      for (const [node, print] of await presentPrints(run)) if (!before.has(node)) before.set(node, print);
      await unstaged(run);
      for (const label of LABELS) await run(`MATCH (n:${label}) DETACH DELETE n`);
      const loading = await this.load(id, run);
      await run(`MATCH (g:Graph {name: 'graph'}) SET g.version = $version, g.tables = $id`, {
        id,
        version: int(await this.nextVersion(run, id)),
      });
      return differencesOf(before, loading.prints);
    });
  }

  private async restoreInSteps(id: string): Promise<Restored> {
    const before = await this.connection.write(async (tx) => {
      await tx.run(LOCK);
      const run: Run = (cypher, params) => tx.run(cypher, params);
      const prints = await presentPrints(run);
      await run(`MATCH (g:Graph {name: 'graph'}) SET g.restoring = $id REMOVE ${STAGE}`, { id });
      return prints;
    });
    return differencesOf(before, (await this.fillInSteps(id)).prints);
  }

  /** From the mark on nothing else writes: what is there goes, the checkpoint comes, the mark goes last. */
  private async fillInSteps(id: string): Promise<Loading> {
    for (const label of [...LABELS, 'Staged', 'StagedSource', 'Going']) {
      await this.connection.schema(`MATCH (n:${label}) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS`);
    }
    const run: Run = (cypher, params) => this.connection.write((tx) => tx.run(cypher, params));
    const loading = await this.load(id, run);
    const version = int(await this.nextVersion(run, id));
    await run(`MATCH (g:Graph {name: 'graph'}) SET g.version = $version, g.tables = $id REMOVE g.restoring`, {
      id,
      version,
    });
    return loading;
  }

  private async load(id: string, run: Run): Promise<Loading> {
    const loading = new Loading();
    for await (const { name, rows } of kept.checkpointParts(this.store.db, id)) {
      if (name === 'nodes') await loading.nodes(run, rows as NodeRow[]);
      else if (name === 'relationships') await loading.relationships(run, rows as RelationshipRow[]);
    }
    return loading;
  }

  /** Higher than any before, also in a database that is new. */
  private async nextVersion(run: Run, id: string): Promise<number> {
    const { version } = await kept.checkpointOf(this.store.db, KIND, id);
    return Math.max(version, (await this.state(run)).version) + 1;
  }

  private async restoreTables(id: string): Promise<void> {
    await this.store.write(async (scope) => {
      await emptyTables(scope);
      for await (const { name, rows } of kept.checkpointParts(scope.db, id)) {
        if (isTable(name)) await putRows(scope, name, rows as Row[]);
      }
    });
    await this.connection.write((tx) => tx.run("MATCH (g:Graph {name: 'graph'}) REMOVE g.tables"));
  }

  private async exclusively<T>(work: () => Promise<T>): Promise<T> {
    let answer: { readonly value: T } | undefined;
    const done = await this.leased(async () => {
      answer = { value: await work() };
    });
    if (!done || answer === undefined) {
      throw new SvcError('conflict', 'Another process restores this graph; wait until that has ended.');
    }
    return answer.value;
  }

  private async leased(work: () => Promise<void>): Promise<boolean> {
    const lease = { ...LEASE, holder: randomUUID(), clock: this.clock };
    return (await withLease(this.store, lease, async () => work().then(() => true))) ?? false;
  }
}

function notHere(id: string, cause: unknown): SvcError {
  return new SvcError(
    'unavailable',
    `Neo4j holds a part of checkpoint ${id}, which is not in this store; start with the store that began the restore, or empty the database.`,
    undefined,
    { cause },
  );
}

async function elements(run: Run): Promise<number> {
  const [row] = await run<{ size: number }>(
    'CALL { MATCH (n) RETURN count(n) AS nodes } CALL { MATCH ()-[r]->() RETURN count(r) AS edges } RETURN nodes + edges AS size',
  );
  return row?.size ?? 0;
}
