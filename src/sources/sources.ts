import type { RelationalDatabase, TableInfo } from '../backends/relational/port.js';
import { withLease } from '../backends/store/leases.js';
import { deleteSource } from '../backends/store/sources.js';
import { isoTime } from '../core/clock.js';
import { SvcError } from '../core/errors.js';
import type { LoadPorts } from '../ingest/load.js';
import { loadMany } from '../ingest/load-many.js';
import type { Conventions } from './conventions.js';
import { crossSourceEdges } from './cross-source.js';
import { type GraphLoad, loadSchemaGraph } from './ingest-graph.js';
import { checkSourceId, type SourceOptions, type SourceRegistry } from './registry.js';
import { rowPlan } from './row-graph.js';
import { inspectTable, type SchemaView, schemaEdges, schemaRules, tableManifest } from './schema-graph.js';
import { syncTable } from './sync.js';

export interface SourcesDeps {
  readonly ports: LoadPorts;
  readonly registry: SourceRegistry;
  readonly conventions: Conventions;
  /** Names this process in leases. */
  readonly holder: string;
}

export interface Caller {
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

const LEASE_MS = 30_000;

/** Relational databases as sources: connect, look, bring into the graph, keep in step. */
export class Sources {
  constructor(private readonly deps: SourcesDeps) {}

  /** Reads the schema and registers the source; nothing is ingested. */
  async connect(input: ConnectInput, caller: Caller) {
    checkSourceId(input.source_id);
    const tables = await this.introspect(input, caller, { views: true });
    const { schemas, domain_map, targets } = input;
    await this.deps.registry.save(
      {
        sourceId: input.source_id,
        options: { schemas, domain_map, targets },
        tables,
        connectionString: input.connection_string,
      },
      isoTime(this.deps.ports.clock()),
    );
    return {
      status: 'connected',
      source_id: input.source_id,
      tables: tables.length,
      table_names: tables.map((table) => `${table.schema}.${table.name}`),
    };
  }

  /** The schema as it is now. */
  async discover(sourceId: string, caller: Caller) {
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
        ...(table.row_count_estimated ? { row_count_estimated: true } : {}),
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

  /** Removes it from the registry; what was ingested stays until it is forgotten. */
  async disconnect(sourceId: string) {
    const gone = await this.deps.ports.store.write((scope) => deleteSource(scope.db, sourceId));
    if (!gone)
      throw new SvcError('source_not_found', `source_id ${JSON.stringify(sourceId)} is not connected.`, {
        source_id: sourceId,
      });
    return { status: 'disconnected', source_id: sourceId };
  }

  /** What `ingestGraph` would make of a database, and likely references into the connected ones. Writes nothing. */
  async inspect(
    input: Omit<GraphInput, 'embed_catalog_tables' | 'extract_rules' | 'cross_source_edges'>,
    caller: Caller,
  ) {
    checkSourceId(input.source_id);
    const tables = await this.introspect(input, caller, { views: false });
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
    };
  }

  /** Tables as concepts, foreign keys as edges, check constraints as rules, catalog rows as concepts. */
  async ingestGraph(input: GraphInput, caller: Caller): Promise<GraphLoad> {
    checkSourceId(input.source_id);
    const others = input.cross_source_edges ? await this.others(input.source_id) : [];
    return this.deps.registry.withDatabase(input.connection_string, caller, async (database) => {
      const tables = await database.introspect({ schemas: input.schemas, views: false });
      const view = this.view(input.source_id, tables, input.domain_map);
      return this.exclusive(input.source_id, () =>
        loadSchemaGraph({ ports: this.deps.ports, view, database, signal: caller.signal }, { ...input, others }),
      );
    });
  }

  /** Rows of a connected source into concepts, vectors and edges; a table that fails is reported, what it did stays. */
  async sync(
    input: { readonly source_id: string; readonly tables?: readonly string[]; readonly mode: 'full' | 'incremental' },
    caller: Caller,
  ) {
    const source = await this.deps.registry.get(input.source_id);
    const started = performance.now();
    const totals = { tables_synced: 0, rows_added: 0, vectors_created: 0, rows_read: 0, rows_forgotten: 0 };
    const errors: string[] = [];
    await this.exclusive(input.source_id, () =>
      this.deps.registry.withDatabase(source.connection, caller, async (database) => {
        const tables = await database.introspect({ schemas: source.options.schemas, views: false });
        const view = this.view(input.source_id, tables, source.options.domain_map);
        const edges = source.options.targets !== 'vec';
        if (edges)
          await loadMany(
            this.deps.ports,
            tables.map((table) => tableManifest(view, table, { rules: true })),
            { signal: caller.signal },
          );
        for (const table of chosen(tables, input.tables)) {
          try {
            const done = await syncTable({
              ports: this.deps.ports,
              view,
              plan: rowPlan(view, table),
              database,
              mode: input.mode,
              edges,
              signal: caller.signal,
              progress: (rows) => caller.progress?.(rows, table.row_count, `${table.schema}.${table.name}`),
            });
            totals.tables_synced += 1;
            totals.rows_added += done.rows_added;
            totals.vectors_created += done.vectors_created;
            totals.rows_read += done.rows_read;
            totals.rows_forgotten += done.rows_forgotten;
          } catch (error) {
            if (!(error instanceof SvcError)) throw error;
            errors.push(
              `${table.schema}.${table.name}: ${error.message} The next sync goes on where this one stopped.`,
            );
            if (error.code === 'unavailable') break;
          }
        }
      }),
    );
    return { source_id: input.source_id, ...totals, duration_seconds: (performance.now() - started) / 1000, errors };
  }

  private introspect(
    input: { readonly connection_string: string; readonly schemas: readonly string[] },
    caller: Caller,
    options: { readonly views: boolean },
  ): Promise<TableInfo[]> {
    return this.deps.registry.withDatabase(input.connection_string, caller, (database: RelationalDatabase) =>
      database.introspect({ schemas: input.schemas, views: options.views }),
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

  /** One writer a source; 409 for the second. */
  private async exclusive<T>(sourceId: string, work: () => Promise<T>): Promise<T> {
    const { store, clock } = this.deps.ports;
    // Each call has a holder of its own, so that two calls in one process exclude each other too.
    const holder = `${this.deps.holder}:${Math.random().toString(36).slice(2)}`;
    const box = await withLease(store, { name: `source:${sourceId}`, holder, ttl: LEASE_MS, clock }, async () => ({
      value: await work(),
    }));
    if (box === null)
      throw new SvcError(
        'conflict',
        `source_id ${JSON.stringify(sourceId)} is being synced already; wait for that to end.`,
      );
    return box.value;
  }
}

/** The tables named (by name, or schema and name), in dependency-free schema order; all without names. */
function chosen(tables: readonly TableInfo[], names: readonly string[] | undefined): TableInfo[] {
  if (names === undefined || names.length === 0) return [...tables];
  return names.map((name) => {
    const table = tables.find((t) => `${t.schema}.${t.name}` === name) ?? tables.find((t) => t.name === name);
    if (table === undefined) {
      throw new SvcError('invalid_input', `tables names ${JSON.stringify(name)}, which the source does not have.`, {
        member: 'tables',
      });
    }
    return table;
  });
}
