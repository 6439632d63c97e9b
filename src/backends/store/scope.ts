import type { Kysely } from 'kysely';
import type { Database } from './schema.js';

/** One running write transaction of the store. Inside it use only `db`; no network call. */
export interface WriteScope {
  readonly db: Kysely<Database>;
  /** Runs inside the transaction once `work` has resolved, as its last statements: short counters that others wait for. */
  beforeCommit(action: () => Promise<void>): void;
  /** Runs after the transaction committed (never when it failed): caches are updated here. */
  afterCommit(action: () => void): void;
}

export interface WriteOptions {
  /**
   * False for records that need not survive a loss of power (the query log): the commit then does not wait for the disk.
   * They survive kill -9 all the same. Default true.
   */
  readonly durable?: boolean;
}

/** The SQL store: reads see the last commit, writes are serialised on SQLite and retried on PostgreSQL conflicts. */
export interface Store {
  readonly dialect: 'sqlite' | 'postgres';
  /** For reading, outside transactions. */
  readonly db: Kysely<Database>;
  /** Commits when `work` resolves, rolls back when it throws. Not to be nested. */
  write<T>(work: (scope: WriteScope) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Returns a number that changes with every commit, of any process: microseconds. Absent where it would take a statement. */
  lastCommit?(): number;
  /** Throws `unavailable` when the store cannot answer, or when its last write failed and it still cannot write. */
  health(): Promise<void>;
  /** Returns what the engine's own integrity check finds; empty where nothing is wrong. May read the whole store. */
  integrity(): Promise<string[]>;
  close(): Promise<void>;
}
