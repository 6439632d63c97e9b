import { startNeo4j } from '../../scripts/live/neo4j.js';
import { startPostgres } from '../../scripts/live/postgres.js';

interface OwnServer {
  /** Ends it and removes its data. */
  stop(): Promise<void>;
  /** Starts it again on the same data and ports. */
  restart(): Promise<void>;
}

/** A Neo4j of a test's own, which may be killed. */
export interface OwnNeo4j extends OwnServer {
  readonly uri: string;
  /** The one it was started with. */
  readonly password: string;
  crash(): Promise<void>;
}

/** A PostgreSQL of a test's own, which may be killed. */
export interface OwnPostgres extends OwnServer {
  readonly url: string;
  crash(): void;
  /** Stops all its processes where they are: connections stay open, and nothing answers. */
  freeze(): void;
  thaw(): void;
}

export async function ownNeo4j(
  options: { password?: string; gds?: boolean; settings?: Record<string, string> } = {},
): Promise<OwnNeo4j> {
  return (await startNeo4j(options as object)) as OwnNeo4j;
}

export async function ownPostgres(): Promise<OwnPostgres> {
  return (await startPostgres()) as OwnPostgres;
}
