import neo4j, { type BookmarkManager, type Driver, type Session } from 'neo4j-driver';

export interface DriverPoolOptions {
  readonly uri: string;
  readonly user: string;
  /** None: the server must run without authentication. */
  readonly password: string | undefined;
  readonly database: string;
  /** Connections at most. */
  readonly connections: number;
  /** Milliseconds to wait for a free one. */
  readonly acquireTimeout: number;
  /** Milliseconds for which a managed transaction is tried again. */
  readonly retryTime: number;
}

/**
 * The driver's pool: made when it is first used. In a cluster (`neo4j://`) reading sessions go to any member: bookmarks
 * make it wait until it has what this pool wrote. One server needs none, and could not meet one after its data were
 * replaced by an older backup.
 */
export class Pool {
  private opened: { readonly driver: Driver; readonly bookmarks: BookmarkManager | undefined } | null = null;

  constructor(private readonly options: DriverPoolOptions) {}

  session(mode: 'READ' | 'WRITE'): Session {
    this.opened ??= {
      driver: this.open(),
      bookmarks: isCluster(this.options.uri) ? neo4j.bookmarkManager() : undefined,
    };
    const { driver, bookmarks } = this.opened;
    return driver.session({
      database: this.options.database,
      defaultAccessMode: mode,
      fetchSize: 10_000,
      ...(bookmarks === undefined ? {} : { bookmarkManager: bookmarks }),
    });
  }

  /** Closes the pool; the next session opens it again. */
  async close(): Promise<void> {
    const opened = this.opened;
    this.opened = null;
    await opened?.driver.close();
  }

  private open(): Driver {
    const { uri, user, password, connections, acquireTimeout, retryTime } = this.options;
    const login = password === undefined ? undefined : neo4j.auth.basic(user, password);
    return neo4j.driver(uri, login, {
      disableLosslessIntegers: true,
      maxConnectionPoolSize: connections,
      connectionAcquisitionTimeout: acquireTimeout,
      maxTransactionRetryTime: retryTime,
      // An idle connection is checked first, so that a server that was restarted meanwhile costs no failed query.
      connectionLivenessCheckTimeout: 10_000,
      connectionTimeout: 10_000,
      telemetryDisabled: true,
      userAgent: 'svc',
    });
  }
}

function isCluster(uri: string): boolean {
  return uri.startsWith('neo4j');
}
