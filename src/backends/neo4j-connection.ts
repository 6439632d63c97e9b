import neo4j, { type Integer, type Session } from 'neo4j-driver';
import { SvcError } from '../core/errors.js';
import { isUnknownHost } from '../core/wording/unknown-host.js';
import { driverUri, placeOf } from './neo4j-connection/address.js';
import {
  codeOf,
  commitError,
  isNotUpYet,
  isRetriable,
  neo4jError,
  neo4jUnreachable,
  queryError,
  type ServerDescription,
} from './neo4j-connection/errors.js';
import { Liveness } from './neo4j-connection/liveness.js';
import {
  type Neo4jRow,
  type Neo4jTransaction,
  OpenTransaction,
  type Params,
  rowsOf,
} from './neo4j-connection/open-transaction.js';
import type { Neo4jOptions } from './neo4j-connection/options.js';
import { Pool } from './neo4j-connection/pool.js';
import { pause, rawWrite } from './neo4j-connection/raw-write.js';

export type { Neo4jAddress } from './neo4j-connection/address.js';
export type { Neo4jRow, Neo4jTransaction, Params } from './neo4j-connection/open-transaction.js';
export type { Neo4jOptions } from './neo4j-connection/options.js';

export interface StatementOptions {
  /** Milliseconds on the server, instead of the connection's. */
  readonly timeout?: number;
}

/** Returns a whole number as Neo4j's integer: the driver sends plain JavaScript numbers as floats. */
export function int(value: number): Integer {
  return neo4j.int(value);
}

/**
 * One pool of connections to one Neo4j database, for all adapters that use it. Every method throws `unavailable` with a
 * sentence that says what to do when the server cannot answer.
 */
export class Neo4jConnection {
  readonly database: string;
  private readonly pool: Pool;
  private readonly where: ServerDescription;
  private readonly liveness: Liveness;
  private users = 0;
  private opening: Promise<void> | null = null;
  /** Statements so far, and begin and commit of writing transactions: as many round trips where each is waited for. */
  roundTrips = 0;

  constructor(private readonly options: Neo4jOptions = {}) {
    const uri = driverUri(options);
    const { username: user = 'neo4j', password, database = 'neo4j' } = options;
    this.database = database;
    this.where = { place: placeOf(uri), user, database };
    const { connections = 20, acquireTimeout = 10_000, retryTime = 30_000 } = options;
    this.pool = new Pool({ uri, user, password, database, connections, acquireTimeout, retryTime });
    this.liveness = new Liveness({
      ping: () => this.single('RETURN 1 AS up', {}, { timeout: 5000 }),
      place: this.where.place,
    });
  }

  /** Waits for the server (a log line, then a clear failure). Several adapters may connect; the last one closes. */
  async connect(): Promise<void> {
    this.users += 1;
    this.opening ??= this.waitForServer();
    try {
      await this.opening;
    } catch (error) {
      this.users -= 1;
      await this.close();
      throw error;
    }
  }

  async disconnect(): Promise<void> {
    if (this.users === 0) return;
    this.users -= 1;
    if (this.users > 0) return;
    await this.close();
  }

  /** Throws `unavailable` when the server does not answer. Quick: nothing is tried again. */
  async health(): Promise<void> {
    try {
      await this.liveness.answered();
    } catch (error) {
      throw neo4jError(error, this.where);
    }
  }

  /** Runs one reading statement: one round trip; tried again where the failure is retriable. */
  async read<T extends Neo4jRow = Neo4jRow>(
    cypher: string,
    params: Params = {},
    options: StatementOptions & { readonly retryTime?: number } = {},
  ): Promise<T[]> {
    const end = this.untilWhen(options.retryTime);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.once<T>(cypher, params, { timeout: options.timeout ?? this.options.readTimeout ?? 30_000 });
      } catch (error) {
        if (!isRetriable(error) || Date.now() >= end) throw neo4jError(error, this.where);
        await pause(attempt);
      }
    }
  }

  /**
   * Runs a managed writing transaction (begin and commit are two more round trips): commits when `work` resolves, rolls
   * back when it throws. `work` runs again after a retriable failure, also when the connection is lost while
   * committing: it must notice that it was done already.
   */
  async write<T>(work: (tx: Neo4jTransaction) => Promise<T>, options: StatementOptions = {}): Promise<T> {
    try {
      return await this.liveness.during(() =>
        this.managed(work, options.timeout ?? this.options.writeTimeout ?? 600_000),
      );
    } catch (error) {
      throw neo4jError(error, this.where);
    }
  }

  /**
   * Runs one writing transaction, once: for writers that read where they stand before they try again. Commits when
   * `work` resolves, rolls back when it throws. After a lost answer to the commit the outcome is unknown; it throws
   * `unavailable`.
   */
  async transact<T>(work: (tx: Neo4jTransaction) => Promise<T>, options: StatementOptions = {}): Promise<T> {
    try {
      return await this.liveness.during(() => this.transaction(work, options));
    } catch (error) {
      throw neo4jError(error, this.where);
    }
  }

  private async transaction<T>(work: (tx: Neo4jTransaction) => Promise<T>, options: StatementOptions): Promise<T> {
    const session = this.pool.session('WRITE');
    try {
      const tx = await session.beginTransaction({ timeout: options.timeout ?? this.options.writeTimeout ?? 600_000 });
      this.roundTrips += 2;
      const answer = await this.settle(tx, work);
      await tx.commit();
      return answer;
    } finally {
      // Rolls back what was not committed.
      await session.close().catch(() => undefined);
    }
  }

  /** Runs a statement in a transaction of its own that the server begins: schema changes, `CALL … IN TRANSACTIONS`. */
  async schema(cypher: string, params: Params = {}): Promise<Neo4jRow[]> {
    try {
      return await this.once(cypher, params, { mode: 'WRITE', timeout: this.options.writeTimeout ?? 600_000 });
    } catch (error) {
      throw neo4jError(error, this.where);
    }
  }

  /**
   * Runs any Cypher a caller wrote; mistakes in it are `invalid_input`, and so is writing without `access: 'write'`. A
   * writing one is applied at most once: it is tried again only after failures before its commit. Where the answer to
   * the commit is lost, it throws `unavailable` with a sentence that it may have been applied; look before you repeat
   * it.
   */
  async query<T extends Neo4jRow = Neo4jRow>(
    cypher: string,
    params: Params = {},
    options: StatementOptions & { readonly access?: 'read' | 'write' } = {},
  ): Promise<T[]> {
    try {
      const timeout = options.timeout ?? this.options.readTimeout ?? 30_000;
      if (options.access !== 'write') return await this.once<T>(cypher, params, { timeout });
      const until = this.untilWhen();
      const open = () => {
        this.roundTrips += 3;
        return this.pool.session('WRITE');
      };
      const write = rawWrite(open, { cypher, params, timeout, until, where: this.where });
      return rowsOf<T>(
        await this.liveness.during(
          () => write,
          (error) => commitError(error, this.where),
        ),
      );
    } catch (error) {
      throw queryError(error, this.where);
    }
  }

  /** Returns the version of Graph Data Science on the server; null where it is not installed or not allowed. */
  async gdsVersion(): Promise<string | null> {
    try {
      const [row] = await this.once<{ version: string }>('RETURN gds.version() AS version', {}, { timeout: 10_000 });
      return row?.version ?? null;
    } catch (error) {
      if (/^Neo\.ClientError\.(Statement|Procedure|Security)\./.test(codeOf(error))) return null;
      throw neo4jError(error, this.where);
    }
  }

  private async waitForServer(): Promise<void> {
    const seconds = (this.options.startTimeout ?? 3000) / 1000;
    const end = Date.now() + seconds * 1000;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.once('RETURN 1 AS up', {}, { timeout: 20_000 });
        return;
      } catch (error) {
        if (!isNotUpYet(error)) throw neo4jError(error, this.where);
        if (Date.now() > end) {
          throw new SvcError(
            'unavailable',
            neo4jUnreachable(
              error,
              this.where,
              `Neo4j at ${this.where.place} did not answer within ${seconds} s; start it, or correct SVC_NEO4J_URI (and +s where the server wants TLS).`,
            ),
            undefined,
            { cause: error, retriable: true, retryAfter: 5 },
          );
        }
        if (attempt === 1) {
          const problem = isUnknownHost(error) ? 'has a host name that is not known' : 'does not answer';
          this.options.log?.(`Neo4j at ${this.where.place} ${problem} yet; waiting up to ${seconds} s for it.`);
        }
        await new Promise((done) => setTimeout(done, Math.min(250 * attempt, 2000)));
      }
    }
  }

  private once<T extends Neo4jRow = Neo4jRow>(
    cypher: string,
    params: Params,
    options: { mode?: 'READ' | 'WRITE'; timeout: number },
  ): Promise<T[]> {
    return this.liveness.during(() => this.single<T>(cypher, params, options));
  }

  private async single<T extends Neo4jRow = Neo4jRow>(
    cypher: string,
    params: Params,
    { mode = 'READ', timeout }: { mode?: 'READ' | 'WRITE'; timeout: number },
  ): Promise<T[]> {
    const session = this.pool.session(mode);
    try {
      this.roundTrips += 1;
      return rowsOf<T>(await session.run(cypher, params, { timeout }));
    } finally {
      await session.close().catch(() => undefined);
    }
  }

  private async managed<T>(work: (tx: Neo4jTransaction) => Promise<T>, timeout: number): Promise<T> {
    const session = this.pool.session('WRITE');
    try {
      const attempt = (tx: { run: Session['run'] }): Promise<T> => {
        this.roundTrips += 2;
        return this.settle(tx, work);
      };
      return await session.executeWrite(attempt as never, { timeout });
    } finally {
      await session.close().catch(() => undefined);
    }
  }

  /** Runs `work` on an open transaction, and waits for what it sent. */
  private async settle<T>(tx: { run: Session['run'] }, work: (tx: Neo4jTransaction) => Promise<T>): Promise<T> {
    const open = new OpenTransaction(tx, () => {
      this.roundTrips += 1;
    });
    const answer = await work(open);
    await open.settled();
    return answer;
  }

  private async close(): Promise<void> {
    this.opening = null;
    await this.pool.close();
  }

  private untilWhen(retryTime = this.options.retryTime ?? 30_000): number {
    return Date.now() + retryTime;
  }
}
