import { randomUUID } from 'node:crypto';
import { type Clock, isoTime, systemClock } from '../../../../core/clock.js';
import { SvcError } from '../../../../core/errors.js';
import { hash20 } from '../../../../core/ids.js';
import { differencesOf } from '../../../../ledger/checkpoint/node-prints.js';
import { int, type Neo4jConnection } from '../../../neo4j-connection.js';
import * as kept from '../../../store/checkpoints.js';
import { withLease } from '../../../store/leases.js';
import type { Row } from '../../../store/rows.js';
import type { Store } from '../../../store/scope.js';
import type { CheckpointInfo, Restored } from '../../port.js';
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
import { beingRestored, type GraphCheckpoints } from './checkpoints.js';
import { RestoreSteps } from './restore-steps.js';

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
  /** Whoever puts one back, until the tables have followed. */
  readonly restorer: string | null;
  /** A domain is being removed in steps: a copy would have a rest of it. */
  readonly going: boolean;
  readonly [name: string]: unknown;
}

const OF_GRAPH = `RETURN g.version AS version, g.restoring AS restoring, g.tables AS tables, g.restorer AS restorer,
  EXISTS { (:Going) } AS going`;
const STATE = `MATCH (g:Graph {name: 'graph'}) ${OF_GRAPH}`;
const LOCK = `MATCH (g:Graph {name: 'graph'}) SET g.lock = 1 REMOVE g.lock ${OF_GRAPH}`;

/**
 * Copies of a Neo4j graph in the SQL store, so that a lost volume does not take them along. One is read without holding
 * anybody up, or where something was written meanwhile once more with writers waiting. A graph that fits is put back in
 * one transaction. A larger one goes in steps while readers and writers are told to wait; whoever connects after a crash,
 * or finds the note of a restore that broke off, goes on with it, so the mixture is never seen.
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
    const { version } = copyable(await this.state(alone));
    const id = await this.keep(alone);
    const after = await this.state(alone);
    if (after.version === version && isWhole(after)) return this.complete(id);
    await this.store.write(({ db }) => kept.deleteCheckpoint(db, id));
    const copied = await this.connection.write(async (tx) => {
      const run: Run = (cypher, params) => tx.run(cypher, params);
      copyable(await this.state(run, LOCK));
      return this.keep(run);
    });
    return this.complete(copied);
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
      const { restoring } = await this.state(run);
      const size = (await this.sizeOf(id)) + (await elements(run));
      // What an earlier one left is no graph, and how large it was says nothing.
      const fits = restoring === null && size <= this.atOnce;
      const restored = fits ? await this.restoreAtOnce(id) : await this.restoreInSteps(id, restoring !== null);
      await this.restoreTables(id);
      return restored;
    });
  }

  async resume(): Promise<void> {
    // Another process is at it, or died less than the lease's time ago.
    while (!(await this.resumeNow())) await new Promise((wake) => setTimeout(wake, 1000));
  }

  async resumeNow(): Promise<boolean> {
    const run: Run = (cypher, params) => this.connection.read(cypher, params);
    if (isWhole(await this.state(run))) return true;
    return this.leased(async () => {
      const { restoring, tables } = await this.state(run);
      const id = restoring ?? tables;
      if (id === null) return;
      await kept.checkpointOf(this.store.db, KIND, id).catch((cause: unknown) => {
        throw notHere(id, cause);
      });
      if (restoring !== null) await this.fillInSteps(id);
      await this.restoreTables(id);
    });
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

  private async state(run: Run, statement = STATE): Promise<GraphState> {
    const [state] = await run<GraphState>(statement);
    return state ?? { version: 0, restoring: null, tables: null, restorer: null, going: false };
  }

  /** Nodes and relationships that a checkpoint holds. */
  private async sizeOf(id: string): Promise<number> {
    let size = 0;
    for await (const { name, rows } of kept.checkpointParts(this.store.db, id)) if (!isTable(name)) size += rows.length;
    return size;
  }

  private async restoreAtOnce(id: string): Promise<Restored> {
    const { version: least } = await kept.checkpointOf(this.store.db, KIND, id);
    const token = randomUUID();
    let done: Restored | undefined;
    return this.connection.write(async (tx) => {
      const run: Run = (cypher, params) => tx.run(cypher, params);
      const now = await this.state(run, LOCK);
      // Repeated after a commit without an answer it would undo what was written since.
      if (done !== undefined && now.restorer === token) return done;
      if (now.restoring !== null) throw beingRestored();
      const before = await presentPrints(run);
      await unstaged(run);
      for (const label of LABELS) await run(`MATCH (n:${label}) DETACH DELETE n`);
      const loading = await this.load(id, run);
      await run(`MATCH (g:Graph {name: 'graph'}) SET g.version = $version, g.tables = $id, g.restorer = $token`, {
        id,
        token,
        version: int(Math.max(least, now.version) + 1),
      });
      done = differencesOf(before, loading.prints);
      return done;
    });
  }

  /** `broken` where an earlier one was left half done: nobody knows what text and vectors hold, so all nodes differ. */
  private async restoreInSteps(id: string, broken: boolean): Promise<Restored> {
    const before = await this.connection.write(async (tx) => {
      await tx.run(LOCK);
      const run: Run = (cypher, params) => tx.run(cypher, params);
      const prints = await presentPrints(run);
      await run(`MATCH (g:Graph {name: 'graph'}) SET g.restoring = $id REMOVE ${STAGE}`, { id });
      return prints;
    });
    if (broken) for (const node of before.keys()) before.set(node, '');
    return differencesOf(before, (await this.fillInSteps(id)).prints);
  }

  /** From the mark on nothing else writes: what is there goes, the checkpoint comes, the mark goes last. */
  private async fillInSteps(id: string): Promise<Loading> {
    const { version } = await kept.checkpointOf(this.store.db, KIND, id);
    const steps = await RestoreSteps.begin(this.connection, id);
    await steps.empty();
    const loading = await this.load(id, steps.run);
    await steps.end(version);
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

  private async restoreTables(id: string): Promise<void> {
    await this.store.write(async (scope) => {
      await emptyTables(scope);
      for await (const { name, rows } of kept.checkpointParts(scope.db, id)) {
        if (isTable(name)) await putRows(scope, name, rows as Row[]);
      }
    });
    await this.connection.write((tx) => {
      return tx.run("MATCH (g:Graph {name: 'graph'}) WHERE g.tables = $id REMOVE g.tables, g.restorer, g.restored", {
        id,
      });
    });
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

/** False while a checkpoint is being put back, or the tables that follow the graph are not. */
function isWhole({ restoring, tables }: GraphState): boolean {
  return restoring === null && tables === null;
}

/** `unavailable` where a copy would not be of one graph. */
function copyable(state: GraphState): GraphState {
  if (!isWhole(state)) throw beingRestored();
  if (!state.going) return state;
  throw new SvcError('unavailable', 'A large domain is being removed; try again shortly.', undefined, {
    retriable: true,
    retryAfter: 5,
  });
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
