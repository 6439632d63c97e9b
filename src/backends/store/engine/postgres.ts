import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { SvcError } from '../../../core/errors.js';
import { isUnknownHost, unreachableSentence } from '../../../core/wording/unknown-host.js';
import { columnsOf } from '../columns.js';
import type { Database } from '../schema.js';
import type { Store, WriteScope } from '../scope.js';
import { Gate } from './gate.js';
import { migrateStore } from './migrate.js';
import { setupProblem } from './postgres-setup.js';
import { storageProblem } from './storage-problem.js';
import { TranslatingDialect } from './translating-dialect.js';
import { watchedPool } from './watched-pool.js';

export interface PostgresOptions {
  /** Connections of the shared pool; default 10. */
  readonly connections?: number;
  /** Milliseconds to wait for a free connection; default 5,000. */
  readonly acquireTimeout?: number;
  /** False leaves the tables alone, for adapters that only use the connection; default true. */
  readonly migrate?: boolean;
  /** Receives lost idle connections; they are replaced by themselves. */
  readonly log?: (message: string) => void;
}

/** A connection of the pool, in words of our own: the package's declarations need no types of the driver. */
export interface PooledConnection {
  query(statement: string): Promise<unknown>;
  release(): void;
}

/** A store on PostgreSQL, with the pool of its connections. */
export interface PostgresStore extends Store {
  readonly pool: { connect(): Promise<PooledConnection> };
}

const ATTEMPTS = 6;
/** Connections that writers leave to readers. */
const READERS = 3;

/** Opens (and migrates) the store on a PostgreSQL server. `unavailable` names what to check, never the address. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<PostgresStore> {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections ?? 10,
    connectionTimeoutMillis: options.acquireTimeout ?? 5000,
    keepAlive: true,
    application_name: 'svc',
    types: { getTypeParser },
  });
  // A transaction that waits for another one's lock keeps its connection: some stay free for reading.
  const writers = new Gate(Math.max(1, (options.connections ?? 10) - READERS));
  pool.on('error', (error) => options.log?.(`An idle PostgreSQL connection was lost: ${error.message}`));
  // A connection that breaks while it is in use reports it twice: its statement fails, and this event is emitted, which
  // has no other listener.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const watched = watchedPool(pool, { url, error: notAnswering });
  const dialect = new TranslatingDialect(new PostgresDialect({ pool: watched }), postgresError);
  const db = new Kysely<Database>({ dialect });
  try {
    if (options.migrate !== false) await migrateStore(db as unknown as Kysely<never>, columnsOf('postgres'));
  } catch (error) {
    await db.destroy().catch(() => undefined);
    throw postgresError(error);
  }
  return {
    dialect: 'postgres',
    db,
    pool,
    write: (work, options) => writers.run(() => write(db, work, options?.durable ?? true)),
    health: async () => {
      try {
        await sql`select 1`.execute(db);
      } catch (error) {
        throw postgresError(error);
      }
    },
    integrity: async () => [],
    close: () => db.destroy(),
  };
}

/** Runs the work in one transaction; deadlocks, serialisation failures and lost connections before commit are tried again. */
async function write<T>(db: Kysely<Database>, work: (scope: WriteScope) => Promise<T>, durable: boolean): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const actions: Array<() => void> = [];
    const last: Array<() => Promise<void>> = [];
    let committing = false;
    try {
      const result = await db.transaction().execute(async (tx) => {
        if (!durable) await sql`set local synchronous_commit = off`.execute(tx);
        const value = await work({
          db: tx,
          beforeCommit: (action) => void last.push(action),
          afterCommit: (action) => void actions.push(action),
        });
        for (const action of last) await action();
        committing = true;
        return value;
      });
      for (const action of actions) runAfterCommit(action);
      return result;
    } catch (error) {
      // A connection lost during the commit may have committed: that is the caller's to decide, never repeated here.
      const again = isConflict(error) || (isLost(error) && !committing);
      if (!again || attempt >= ATTEMPTS) throw postgresError(error);
      await new Promise((resolve) => setTimeout(resolve, 20 * 2 ** attempt * (0.5 + Math.random())));
    }
  }
}

/** Runs what follows a commit in memory. The write is kept whatever happens here, so a failure is only reported. */
function runAfterCommit(action: () => void): void {
  try {
    action();
  } catch (error) {
    process.emitWarning(`An action after a commit failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Returns parsers that read bigint and count() as numbers: no id or count of ours passes 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC) return Number;
  return pg.types.getTypeParser(oid, format as 'text');
}

function codeOf(error: unknown): string {
  const code = (driverError(error) as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

/** Returns what the driver threw, where it was translated already. */
function driverError(error: unknown): unknown {
  return error instanceof SvcError ? error.cause : error;
}

function isConflict(error: unknown): boolean {
  return ['40001', '40P01', '55P03'].includes(codeOf(error));
}

/** Returns whether the connection broke, or none could be made. */
function isLost(error: unknown): boolean {
  const codes = ['57P01', '57P02', '57P03', '08006', '08001', '08003', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE'];
  return (
    codes.includes(codeOf(error)) ||
    /Connection terminated|(?:connection error|was closed) and is not queryable/.test(messageOf(error))
  );
}

/** Returns whether no connection became free in time: trying again at once would only make the queue longer. */
function isCrowded(error: unknown): boolean {
  return codeOf(error) === '53300' || /timeout exceeded when trying to connect/.test(messageOf(error));
}

function messageOf(error: unknown): string {
  const thrown = driverError(error);
  return thrown instanceof Error ? thrown.message : '';
}

function notAnswering(cause?: unknown): SvcError {
  const sentence = unreachableSentence(cause, {
    server: 'PostgreSQL',
    setting: 'DATABASE_URL',
    otherwise: 'PostgreSQL does not answer; check that the server of DATABASE_URL runs and has free connections.',
  });
  return new SvcError(
    'unavailable',
    sentence,
    { part: 'store', reason: 'down' },
    { cause, retriable: true, retryAfter: 1 },
  );
}

/** Returns `unavailable` for driver errors that mean an absent server or a failing disk; other errors as they are. */
export function postgresError(error: unknown): unknown {
  if (error instanceof SvcError) return error;
  const code = codeOf(error);
  if (isLost(error) || isCrowded(error) || isUnknownHost(error)) {
    return notAnswering(error);
  }
  if (['22P02', '22P05', '22021'].includes(code)) {
    return new SvcError(
      'invalid_input',
      'The input holds characters that PostgreSQL cannot keep; send plain text.',
      undefined,
      {
        cause: error,
      },
    );
  }
  const setup = setupProblem(error);
  if (setup !== undefined) return setup;
  if (code === '28P01' || code === '28000' || code === '3D000') {
    return new SvcError(
      'unavailable',
      'PostgreSQL refused the login; check user, password and database in DATABASE_URL.',
      undefined,
      {
        cause: error,
      },
    );
  }
  return storageProblem(error);
}
