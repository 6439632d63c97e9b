import { randomUUID } from 'node:crypto';
import { SvcError } from '../../../../core/errors.js';
import { int, type Neo4jConnection, type Neo4jTransaction, type Params, type Row } from '../../../neo4j-connection.js';
import { chunks } from '../../../store/sql.js';
import { clearStage } from '../write/clearing.js';
import { hold, NOW, PATIENCE, stateOf } from './stage-state.js';

/** What a writer hears while another one stages a large load. */
export class Staging extends Error {
  constructor(
    /** True where whoever staged it died. */
    readonly abandoned: boolean,
  ) {
    super('Another writer stages a large load.');
  }
}

/** Rows of one reading statement. */
const READ = 5000;

/**
 * Part of a load that is written before the transaction that makes it seen, in batches of its own: new nodes under the
 * label `Staged`, where no reader looks, with the relationships between them. Other writers wait meanwhile, for as long
 * as the owner lives: it says so by a timer. What a process that died has left is cleared away by the next writer.
 */
export class Stage {
  readonly token = randomUUID();
  private batches = 0;
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly connection: Neo4jConnection,
    private readonly patience: number,
  ) {
    this.timer = setInterval(() => this.renew(), patience / 4);
    this.timer.unref();
  }

  /** Throws `Staging` while another writer stages. Whoever opens one must `close` it. */
  static async open(connection: Neo4jConnection, patience = PATIENCE): Promise<Stage> {
    const stage = new Stage(connection, patience);
    try {
      await connection.write(async (tx) => {
        const now = await stateOf(tx);
        if (now.staging !== null && now.staging !== stage.token) throw new Staging(now.expired);
        await hold(tx, { staging: stage.token, staged: 0, patience });
      });
    } catch (error) {
      stage.close();
      throw error;
    }
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
      await hold(tx, { staging: this.token, staged: this.batches, patience: this.patience });
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

  /** Ends the timer. What was staged stays, unless it was made seen. */
  close(): void {
    clearInterval(this.timer);
  }

  discard(): Promise<void> {
    return clearStage(this.connection, this.token);
  }

  /** Waits for a batch under way, which holds the lock; does nothing once the stage is no longer ours. */
  private renew(): void {
    const { token, patience } = this;
    const renewed = this.connection.write((tx) =>
      tx.run(
        `MATCH (g:Graph {name: 'graph'}) SET g.lock = true REMOVE g.lock
         WITH g WHERE g.staging = $token SET g.staging_until = ${NOW} + $patience`,
        { token, patience: int(patience) },
      ),
    );
    // The next turn tries again; if none gets through, the stage is given up as that of a dead process.
    renewed.catch(() => undefined);
  }
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
