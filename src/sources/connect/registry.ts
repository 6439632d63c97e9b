import type { DatabaseAddress } from '../../backends/relational/address.js';
import { parseAddress } from '../../backends/relational/address.js';
import type { RelationalDatabase, TableInfo } from '../../backends/relational/port.js';
import type { Store } from '../../backends/store/scope.js';
import { getSource, listRegistered, type RegisteredSource, saveSource } from '../../backends/store/sources.js';
import { SvcError } from '../../core/errors.js';
import type { Credentials } from './credentials.js';
import { allowedAddress } from './host-policy.js';
import type { FilePolicy } from './source-file.js';

export interface SourceOptions {
  readonly schemas: readonly string[];
  readonly domain_map: Readonly<Record<string, string>>;
  readonly targets: 'vec' | 'graph' | 'both';
  /** Whether the edges of rows yield rules; absent: no. */
  readonly derive_rules?: boolean | undefined;
}

/** A connected database: its settings, and its tables as they were last read. */
export interface ConnectedSource {
  readonly sourceId: string;
  readonly options: SourceOptions;
  readonly tables: readonly TableInfo[];
  /** As stored: sealed, or a reference. */
  readonly connection: string;
}

export interface RegistryDeps {
  readonly store: Store;
  readonly credentials: Credentials;
  readonly open: (address: DatabaseAddress) => Promise<RelationalDatabase>;
  /** Hosts of `SVC_SOURCE_HOSTS`; empty where it is not set. */
  readonly hosts: readonly string[];
  readonly files: FilePolicy;
}

const SOURCE_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** Opens databases under the host policy and remembers the connected ones. */
export class SourceRegistry {
  constructor(private readonly deps: RegistryDeps) {}

  /** Runs `work` on an open connection and closes it, whatever happens. */
  async withDatabase<T>(
    connection: string,
    caller: { readonly authenticated: boolean },
    work: (database: RelationalDatabase) => Promise<T>,
  ): Promise<T> {
    const address = await allowedAddress(parseAddress(this.deps.credentials.opened(connection)), {
      hosts: this.deps.hosts,
      authenticated: caller.authenticated,
      files: this.deps.files,
    });
    const database = await this.deps.open(address);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  async save(
    source: Omit<ConnectedSource, 'connection'> & { readonly connectionString: string },
    now: string,
  ): Promise<void> {
    const row: RegisteredSource = {
      source_id: source.sourceId,
      connection: this.deps.credentials.sealed(source.connectionString),
      options: JSON.stringify(source.options),
      tables: JSON.stringify(source.tables),
    };
    await this.deps.store.write((scope) => saveSource(scope.db, row, now));
  }

  /** Throws `source_not_found`. */
  async get(sourceId: string): Promise<ConnectedSource> {
    const row = await getSource(this.deps.store.db, sourceId);
    if (row === undefined) {
      throw new SvcError(
        'source_not_found',
        `source_id ${JSON.stringify(sourceId)} is not connected; connect it first.`,
        { source_id: sourceId },
      );
    }
    return connected(row);
  }

  async list(): Promise<ConnectedSource[]> {
    return (await listRegistered(this.deps.store.db)).map(connected);
  }
}

/** Throws `invalid_input` for an id that could not stand in a path or a source key. */
export function checkSourceId(sourceId: string): void {
  if (!SOURCE_ID.test(sourceId)) {
    throw new SvcError('invalid_input', 'source_id must be 1 to 64 of a-z, A-Z, 0-9, dots, underscores or hyphens.', {
      member: 'source_id',
    });
  }
}

function connected(row: RegisteredSource): ConnectedSource {
  return {
    sourceId: row.source_id,
    options: JSON.parse(row.options) as SourceOptions,
    tables: JSON.parse(row.tables) as TableInfo[],
    connection: row.connection,
  };
}
