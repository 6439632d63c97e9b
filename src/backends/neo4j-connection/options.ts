import type { Neo4jAddress } from './address.js';

export interface Neo4jOptions extends Neo4jAddress {
  /** Connections of the pool; default 20. */
  readonly connections?: number;
  /** Milliseconds to wait for a free one; default 10,000. */
  readonly acquireTimeout?: number;
  /** Milliseconds that a reading statement may take on the server; default 30,000. */
  readonly readTimeout?: number;
  /** Milliseconds that a writing transaction may take on the server; default 600,000. */
  readonly writeTimeout?: number;
  /** Milliseconds to wait at the start for a server that is not up yet: one that starts refuses its port, as no server does; default 3,000. */
  readonly startTimeout?: number;
  /** Milliseconds for which retriable failures (lost server, deadlock, leader switch) are tried again; default 30,000. */
  readonly retryTime?: number;
  /** Receives a sentence while the connection waits for the server. */
  readonly log?: (message: string) => void;
}
