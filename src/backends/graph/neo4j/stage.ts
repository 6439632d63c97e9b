import { randomUUID } from 'node:crypto';
import { SvcError } from '../../../core/errors.js';
import { int, type Neo4jConnection, type Neo4jTransaction, type Params, type Row } from '../../neo4j-connection.js';
import { chunks } from '../../store/sql.js';
import { beingRestored } from './checkpoints.js';

/** What a writer hears while another one stages a large load. */
export class Staging extends Error {
  constructor(
    /** True where whoever staged it died. */
    readonly abandoned: boolean,
  ) {
    super('Another writer stages a large load.');
  }
}

/** Time after which a stage that nobody went on with is cleared away. */
const PATIENCE = 60_000;
/** Rows of one reading statement. */
const READ = 5000;

/**
 * Part of a load that is written before the transaction that makes it seen, in batches of its own: new nodes under the
 * label `Staged`, where no reader looks, with the relationships between them. Other writers wait meanwhile. What a process
 * that died has left is cleared away by the next writer.
 */
export class Stage {
  readonly token = randomUUID();
  private batches = 0;

  private constructor(private readonly connection: Neo4jConnection) {}

  static async open(connection: Neo4jConnection): Promise<Stage> {
    const stage = new Stage(connection);
    await connection.write(async (tx) => {
      const now = await stateOf(tx);
      if (now.staging !== null && now.staging !== stage.token) throw new Staging(now.expired);
      await tx.run("MATCH (g:Graph {name: 'graph'}) SET g.staging = $token, g.staged = 0, g.staging_until = $until", {
        token: stage.token,
        until: int(now.time + PATIENCE),
      });
    });
    return stage;
  }

  /** Runs one batch exactly once, whatever happens to the connection. */
  async batch(work: (tx: Neo4jTransaction) => Promise<unknown>): Promise<void> {
    this.batches += 1;
    await this.connection.write(async (tx) => {
      const now = await stateOf(tx);
      if (now.staging !== this.token) {
        throw new SvcError('unavailable', 'The load took too long and was given up; try again.', undefined, {
          retriable: true,
        });
      }
      if (now.staged >= this.batches) return;
      await work(tx);
      await tx.run("MATCH (g:Graph {name: 'graph'}) SET g.staged = $staged, g.staging_until = $until", {
        staged: int(this.batches),
        until: int(now.time + PATIENCE),
      });
    });
  }

  /**
   * Runs a reading statement over `$rows`, as a `Reads` does. It does not look for a restore: one that began ends the
   * stage, which the next batch is told.
   */
  async each<T extends Row = Row>(cypher: string, rows: Iterable<unknown>, params: Params = {}): Promise<T[]> {
    const answers: T[] = [];
    for (const part of chunks([...rows], READ)) {
      for (const row of await this.connection.read<T>(cypher, { ...params, rows: part })) answers.push(row);
    }
    return answers;
  }

  discard(): Promise<void> {
    return clearStage(this.connection, this.token);
  }
}

interface StageState {
  readonly staging: string | null;
  readonly staged: number;
  readonly time: number;
  readonly expired: boolean;
}

async function stateOf(tx: Neo4jTransaction): Promise<StageState> {
  const [row] = await tx.run<{
    staging: string | null;
    staged: number | null;
    until: number | null;
    restoring: string | null;
    time: number;
  }>(
    `MATCH (g:Graph {name: 'graph'}) SET g.lock = true REMOVE g.lock
     RETURN g.staging AS staging, g.staged AS staged, g.staging_until AS until, g.restoring AS restoring,
       timestamp() AS time`,
  );
  if (typeof row?.restoring === 'string') throw beingRestored();
  const { staging = null, staged, until, time = 0 } = row ?? {};
  return { staging, staged: staged ?? 0, time, expired: (until ?? 0) < time };
}

/** Removes what was staged and not made seen; `token` where only that stage is meant. */
export async function clearStage(connection: Neo4jConnection, token?: string): Promise<void> {
  const stage = await connection.write(async (tx) => {
    const now = await stateOf(tx);
    if (now.staging === null || (token === undefined ? !now.expired : now.staging !== token)) return null;
    // Keeps others out for the time that clearing takes.
    await tx.run("MATCH (g:Graph {name: 'graph'}) SET g.staging_until = $until", { until: int(now.time + PATIENCE) });
    return now.staging;
  });
  if (stage === null) return;
  await connection.schema(
    `MATCH (s:StagedSource) MATCH (a:Assertion {source_id: s.id})
     CALL (a) { DELETE a } IN TRANSACTIONS OF 10000 ROWS`,
  );
  await connection.schema('MATCH (n:Staged) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS');
  await connection.write(async (tx) => {
    await tx.run('MATCH (s:StagedSource) DETACH DELETE s');
    await tx.run(
      "MATCH (g:Graph {name: 'graph'}) WHERE g.staging = $stage REMOVE g.staging, g.staged, g.staging_until",
      { stage },
    );
  });
}

/** Runs a write again while another writer stages; clears a stage that was abandoned. */
export async function afterStages<T>(connection: Neo4jConnection, write: () => Promise<T>): Promise<T> {
  const end = Date.now() + 20 * PATIENCE;
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof Staging)) throw error;
      if (Date.now() > end) {
        throw new SvcError('unavailable', 'A large load keeps other writers waiting; try again.', undefined, {
          retriable: true,
          retryAfter: 30,
        });
      }
      if (error.abandoned) await clearStage(connection);
      else await new Promise((done) => setTimeout(done, 500));
    }
  }
}
