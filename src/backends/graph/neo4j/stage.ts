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

/** Milliseconds after which a stage that nobody went on with is cleared away. */
const PATIENCE = 60_000;
/** Rows of one reading statement. */
const READ = 5000;
/** Nodes that clearing removes in one transaction. */
const CLEARED = 5000;
/** The server's time now, not that of the statement's start: a statement may have waited for the lock. */
const NOW = 'datetime.realtime().epochMillis';

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

/** Keeps others out from now on. */
function hold(
  tx: Neo4jTransaction,
  { staging, staged, patience }: { readonly staging: string; readonly staged: number; readonly patience: number },
): Promise<unknown> {
  return tx.run(
    `MATCH (g:Graph {name: 'graph'})
     SET g.staging = $staging, g.staged = $staged, g.staging_until = ${NOW} + $patience`,
    { staging, staged: int(staged), patience: int(patience) },
  );
}

interface StageState {
  readonly staging: string | null;
  readonly staged: number;
  readonly expired: boolean;
}

async function stateOf(tx: Neo4jTransaction): Promise<StageState> {
  const [row] = await tx.run<{
    staging: string | null;
    staged: number | null;
    expired: boolean;
    restoring: string | null;
  }>(
    `MATCH (g:Graph {name: 'graph'}) SET g.lock = true REMOVE g.lock
     RETURN g.staging AS staging, g.staged AS staged, g.restoring AS restoring,
       coalesce(g.staging_until, 0) < ${NOW} AS expired`,
  );
  if (typeof row?.restoring === 'string') throw beingRestored();
  return { staging: row?.staging ?? null, staged: row?.staged ?? 0, expired: row?.expired ?? true };
}

/** What clearing removes, in this order; each answers how many nodes it removed. */
const CLEAR = [
  'MATCH (s:StagedSource) MATCH (a:Assertion {source_id: s.id}) WITH a LIMIT $most DELETE a RETURN count(*) AS gone',
  'MATCH (n:Staged) WITH n LIMIT $most DETACH DELETE n RETURN count(*) AS gone',
  'MATCH (s:StagedSource) WITH s LIMIT $most DETACH DELETE s RETURN count(*) AS gone',
];

/**
 * Removes what was staged and not made seen; `token` where only that stage is meant. The first transaction takes the
 * stage from its owner, who may live and only be slow: from then on its batches and its last transaction are refused.
 * Whoever clears is refused in the same way if another takes over.
 */
export async function clearStage(connection: Neo4jConnection, token?: string): Promise<void> {
  const clearing = `clearing ${randomUUID()}`;
  const taken = await connection.write(async (tx) => {
    const now = await stateOf(tx);
    // Said again after a lost answer.
    if (now.staging === clearing) return true;
    if (now.staging === null || (token === undefined ? !now.expired : now.staging !== token)) return false;
    await hold(tx, { staging: clearing, staged: 0, patience: PATIENCE });
    return true;
  });
  if (!taken) return;
  for (const statement of CLEAR) while (await clearedSome(connection, clearing, statement));
  await connection.write(async (tx) => {
    if ((await stateOf(tx)).staging !== clearing) return;
    await tx.run("MATCH (g:Graph {name: 'graph'}) REMOVE g.staging, g.staged, g.staging_until");
  });
}

/** False once nothing is left, or once the stage is no longer this clearing's. */
function clearedSome(connection: Neo4jConnection, clearing: string, statement: string): Promise<boolean> {
  return connection.write(async (tx) => {
    if ((await stateOf(tx)).staging !== clearing) return false;
    const [row] = await tx.run<{ gone: number }>(statement, { most: int(CLEARED) });
    await hold(tx, { staging: clearing, staged: 0, patience: PATIENCE });
    return (row?.gone ?? 0) > 0;
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
