import { randomUUID } from 'node:crypto';
import type { RelationalDatabase, TableInfo } from '../backends/relational/port.js';
import { withLease } from '../backends/store/leases.js';
import { deleteSource, listSyncs } from '../backends/store/sources.js';
import { isoTime } from '../core/clock.js';
import { SvcError } from '../core/errors.js';
import type { LoadPorts } from '../ingest/write/load.js';
import { checkSourceId, type SourceOptions, type SourceRegistry } from './connect/registry.js';
import { domainMapWarnings } from './inspect/classify.js';
import type { Conventions } from './inspect/conventions.js';
import { crossSourceEdges } from './inspect/cross-source.js';
import { tableKey } from './inspect/identity.js';
import { type GraphLoad, loadSchemaGraph } from './inspect/ingest-graph.js';
import { inspectTable, type SchemaView, schemaEdges, schemaRules, tableName } from './inspect/schema-graph.js';
import { countForgettable, forgetDatabase, forgetRow, forgetTable } from './sync/forget-rows.js';
import { syncSource } from './sync/sync.js';

export interface SourcesDeps {
  readonly ports: LoadPorts;
  readonly registry: SourceRegistry;
  readonly conventions: Conventions;
  /** Names this process in leases. */
  readonly holder: string;
}

export interface SourceCaller {
  readonly authenticated: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((done: number, total: number | undefined, message: string) => void) | undefined;
}

export interface ConnectInput extends SourceOptions {
  readonly source_id: string;
  readonly connection_string: string;
}

export interface GraphInput {
  readonly source_id: string;
  readonly connection_string: string;
  readonly schemas: readonly string[];
  readonly domain_map: Readonly<Record<string, string>>;
  readonly embed_catalog_tables: boolean;
  readonly extract_rules: boolean;
  readonly cross_source_edges: boolean;
}

/** After kill -9 a source is locked for at most this long. */
const LEASE_MS = 12_000;

/** Relational databases as sources: connect, look, bring into the graph, keep in step. */
export class Sources {
  constructor(private readonly deps: SourcesDeps) {}

  /** Reads the schema and registers the source; nothing is ingested. */
  async connect(input: ConnectInput, caller: SourceCaller) {
    checkSourceId(input.source_id);
    const tables = await this.introspect(input, caller);
    const { schemas, domain_map, targets, derive_rules } = input;
    await this.deps.registry.save(
      {
        sourceId: input.source_id,
        options: { schemas, domain_map, targets, ...(derive_rules === true ? { derive_rules } : {}) },
        tables,
        connectionString: input.connection_string,
      },
      isoTime(this.deps.ports.clock()),
    );
    return {
      status: 'connected',
      source_id: input.source_id,
      tables: tables.length,
      table_names: tables.map((table) => tableName({ tables }, table)),
      ...warned(domain_map, tables),
    };
  }

  /** Returns the schema as it is now. */
  async discover(sourceId: string, caller: SourceCaller) {
    const source = await this.deps.registry.get(sourceId);
    const tables = await this.deps.registry.withDatabase(source.connection, caller, (database) =>
      database.introspect({ schemas: source.options.schemas, views: true }),
    );
    return {
      source_id: sourceId,
      tables: tables.map((table) => ({
        name: table.name,
        schema: table.schema,
        kind: table.kind,
        columns: [...table.columns],
        row_count: table.row_count,
        ...(table.row_count_estimated ? { row_count_estimated: true as const } : {}),
        pk_columns: [...table.pk_columns],
        fk_count: table.foreign_keys.length,
      })),
    };
  }

  async list() {
    return {
      sources: (await this.deps.registry.list()).map((source) => ({
        source_id: source.sourceId,
        tables: source.tables.length,
      })),
    };
  }

  /** Tells how far the last sync of each table came, without a connection. Throws `source_not_found`. */
  async syncState(sourceId: string) {
    const { tables } = await this.deps.registry.get(sourceId);
    const synced = await listSyncs(this.deps.ports.store.db, sourceId);
    const states = new Map(synced.map((sync) => [sync.table_name, sync]));
    return {
      source_id: sourceId,
      tables: tables.map((table) => {
        const sync = states.get(tableKey(table));
        const named = { name: table.name, schema: table.schema };
        if (sync === undefined) return { ...named, state: 'never' as const, domain: null, mode: null, rows_read: 0 };
        const state = sync.finished === 1 ? ('complete' as const) : ('incomplete' as const);
        return { ...named, state, domain: sync.domain, mode: sync.mode, rows_read: sync.rows_done };
      }),
    };
  }

  /** Removes it from the registry; what was ingested stays until it is forgotten. */
  async disconnect(sourceId: string) {
    const removed = await this.deps.ports.store.write((scope) => deleteSource(scope.db, sourceId));
    if (!removed)
      throw new SvcError('source_not_found', `source_id ${JSON.stringify(sourceId)} is not connected.`, {
        source_id: sourceId,
      });
    return { status: 'disconnected', source_id: sourceId };
  }

  /**
   * Returns what `ingestGraph` would make of a database, and likely references into the connected ones. Writes nothing.
   */
  async inspect(
    input: Omit<GraphInput, 'embed_catalog_tables' | 'extract_rules' | 'cross_source_edges'>,
    caller: SourceCaller,
  ) {
    checkSourceId(input.source_id);
    const tables = await this.introspect(input, caller);
    const view = this.view(input.source_id, tables, input.domain_map);
    const edges = schemaEdges(view);
    const rules = schemaRules(view);
    return {
      source_id: input.source_id,
      tables: tables.map((table) => inspectTable(view, table)),
      edges,
      rules,
      table_count: tables.length,
      edge_count: edges.length,
      rule_count: rules.length,
      cross_source_edges: crossSourceEdges(tables, await this.others(input.source_id), this.deps.conventions),
      ...warned(input.domain_map, tables),
    };
  }

  /** Writes tables as concepts, foreign keys as edges, check constraints as rules, catalog rows as concepts. */
  async ingestGraph(input: GraphInput, caller: SourceCaller): Promise<GraphLoad> {
    checkSourceId(input.source_id);
    const others = input.cross_source_edges ? await this.others(input.source_id) : null;
    return this.deps.registry.withDatabase(input.connection_string, caller, async (database) => {
      const tables = await database.introspect({ schemas: input.schemas, views: false });
      const view = this.view(input.source_id, tables, input.domain_map);
      return this.exclusive(input.source_id, () =>
        loadSchemaGraph({ ports: this.deps.ports, view, database, signal: caller.signal }, { ...input, others }),
      );
    });
  }

  /**
   * Turns rows of a connected source into concepts, vectors and edges; a table that fails is reported, what it did
   * stays.
   */
  async sync(
    input: { readonly source_id: string; readonly tables?: readonly string[]; readonly mode: 'full' | 'incremental' },
    caller: SourceCaller,
  ) {
    const source = await this.deps.registry.get(input.source_id);
    const started = performance.now();
    const { errors, ...totals } = await this.exclusive(input.source_id, () =>
      this.deps.registry.withDatabase(source.connection, caller, async (database) => {
        const { schemas, domain_map, targets, derive_rules } = source.options;
        const tables = await database.introspect({ schemas, views: false });
        return syncSource({
          ports: this.deps.ports,
          view: this.view(input.source_id, tables, domain_map),
          database,
          mode: input.mode,
          targets,
          deriveRules: derive_rules,
          schemas,
          tables: input.tables,
          signal: caller.signal,
          progress: caller.progress,
        });
      }),
    );
    const duration_seconds = (performance.now() - started) / 1000;
    return { source_id: input.source_id, ...totals, duration_seconds, errors: [...errors] };
  }

  /** Undoes what a database, one of its tables or one row asserted. The source stays connected. */
  async forget({
    dry_run = false,
    ...input
  }: {
    readonly source_id: string;
    readonly table?: string;
    readonly row?: string;
    readonly dry_run?: boolean;
  }) {
    checkSourceId(input.source_id);
    const { ports } = this.deps;
    if (dry_run) {
      const table = input.table === undefined ? undefined : await this.tableNamed(input.source_id, input.table);
      const sources = await countForgettable(ports, { sourceId: input.source_id, table, row: input.row });
      return { status: 'dry_run' as const, source_id: input.source_id, sources };
    }
    const sources = await this.exclusive(input.source_id, async () => {
      if (input.table === undefined) return forgetDatabase(ports, input.source_id);
      const at = { sourceId: input.source_id, table: await this.tableNamed(input.source_id, input.table) };
      if (input.row !== undefined) return forgetRow(ports, at, input.row);
      const known = (await listSyncs(ports.store.db, input.source_id)).find((sync) => sync.table_name === at.table);
      return forgetTable(ports, at, { domain: known?.domain ?? input.source_id, everywhere: true });
    });
    return { status: 'forgotten' as const, source_id: input.source_id, sources };
  }

  /** Returns the key of a table given by name, or schema and name: as connected, else as synced. */
  private async tableNamed(sourceId: string, name: string): Promise<string> {
    const connected = (await this.deps.registry.list()).find((source) => source.sourceId === sourceId);
    const tables = connected?.tables ?? [];
    const table = tables.find((t) => `${t.schema}.${t.name}` === name) ?? tables.find((t) => t.name === name);
    if (table !== undefined) return tableKey(table);
    const synced = await listSyncs(this.deps.ports.store.db, sourceId);
    const known = synced.find((sync) => sync.table_name === name || sync.table_name.endsWith(`.${name}`));
    if (known !== undefined) return known.table_name;
    throw new SvcError('invalid_input', `table names ${JSON.stringify(name)}, which the source does not have.`, {
      member: 'table',
    });
  }

  private introspect(
    input: { readonly connection_string: string; readonly schemas: readonly string[] },
    caller: SourceCaller,
  ): Promise<TableInfo[]> {
    return this.deps.registry.withDatabase(input.connection_string, caller, (database: RelationalDatabase) =>
      database.introspect({ schemas: input.schemas, views: false }),
    );
  }

  private view(
    sourceId: string,
    tables: readonly TableInfo[],
    domainMap: Readonly<Record<string, string>>,
  ): SchemaView {
    return { sourceId, tables, domainMap, conventions: this.deps.conventions };
  }

  private async others(sourceId: string) {
    return (await this.deps.registry.list()).filter((source) => source.sourceId !== sourceId);
  }

  /** Runs `work` as the only writer of the source; throws `conflict` for a second one. */
  private async exclusive<T>(sourceId: string, work: () => Promise<T>): Promise<T> {
    const { store, clock } = this.deps.ports;
    // Each call has a holder of its own, so that two calls in one process exclude each other too.
    const holder = `${this.deps.holder}:${randomUUID()}`;
    const box = await withLease(store, { name: `source:${sourceId}`, holder, ttl: LEASE_MS, clock }, async () => ({
      value: await work(),
    }));
    if (box === null)
      throw new SvcError(
        'conflict',
        `source_id ${JSON.stringify(sourceId)} is being synced already; wait for that to end (after a crash, ${LEASE_MS / 1000} seconds).`,
        { source_id: sourceId },
      );
    return box.value;
  }
}

/** Returns `warnings` where there are any. */
function warned(domainMap: Readonly<Record<string, string>>, tables: readonly TableInfo[]): { warnings?: string[] } {
  const warnings = domainMapWarnings(domainMap, tables);
  return warnings.length === 0 ? {} : { warnings };
}
