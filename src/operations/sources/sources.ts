import { Type } from '@sinclair/typebox';
import type { SourceCaller } from '../../sources/sources.js';
import { type CallContext, defaulted, operation } from '../operation.js';
import { constrained, needs } from '../schema/constraints.js';
import { dryRun } from '../schema/dry-run.js';
import { record } from '../schema/shown.js';
import { DomainName } from '../shapes.js';
import { CrossSourceEdge, DiscoveredTable, InspectedTable, SchemaEdge, SchemaRule } from './tables.js';

const SourceId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$',
  description: 'Name of the source, chosen by you: letters, digits, dots, underscores, hyphens.',
});
const ConnectionString = Type.String({
  pattern: '^((postgres|postgresql|mysql|mariadb)://|sqlite:|env:[A-Za-z_])[^\\u0000]*$',
  maxLength: 4096,
  description: 'postgres://, mysql://, mariadb:// or sqlite: address, or env:NAME for one in the environment.',
});
const CONNECTION_RULES = {
  connection_string:
    'connection_string is an address with host, user and database (of its options only sslmode is read), sqlite: with the path of a file, or env: with a variable that is set where the service runs. One with a password needs SVC_SECRET_KEY.',
  schemas: 'schemas names schemas of the database.',
};
const Schemas = defaulted(
  Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
    minItems: 1,
    maxItems: 100,
    description: 'Schemas of the database to read.',
  }),
  ['public'],
);
const DomainMap = defaulted(
  record(DomainName, {
    maxProperties: 1000,
    propertyNames: { maxLength: 300 },
    description: 'Glob over schema.table → domain; the source id otherwise.',
  }),
  {},
);
const Warnings = Type.Optional(
  Type.Array(Type.String(), { description: 'Patterns of domain_map that fit no table; absent where there are none.' }),
);
function callerOf(context: CallContext): SourceCaller {
  return {
    authenticated: context.authenticated || context.surface === 'cli' || context.surface === 'client',
    signal: context.signal,
    progress: context.progress,
  };
}

export const sourceConnect = operation({
  name: 'source_connect',
  summary: 'Connect a relational database and read its schema; nothing is ingested yet.',
  rules: CONNECTION_RULES,
  idempotent: true,
  input: Type.Object({
    source_id: SourceId,
    connection_string: ConnectionString,
    schemas: Schemas,
    domain_map: DomainMap,
    targets: defaulted(
      Type.Union([Type.Literal('vec'), Type.Literal('graph'), Type.Literal('both')], {
        description: 'What a sync of rows makes: vectors (vec), concepts and edges (graph), or both.',
      }),
      'both',
    ),
    derive_rules: defaulted(Type.Boolean({ description: 'Derive rules from the edges between rows too.' }), false),
  }),
  output: Type.Object({
    status: Type.String(),
    source_id: Type.String(),
    tables: Type.Integer(),
    table_names: Type.Array(Type.String()),
    warnings: Warnings,
  }),
  run: (service, input, context) => service.sources.connect(input, callerOf(context)),
});

export const sourceDiscover = operation({
  name: 'source_discover',
  summary: 'Read the tables of a connected source as they are now.',
  readOnly: true,
  input: Type.Object({ source_id: SourceId }),
  output: Type.Object({ source_id: Type.String(), tables: Type.Array(DiscoveredTable) }),
  run: (service, input, context) => service.sources.discover(input.source_id, callerOf(context)),
});

export const sourceSync = operation({
  name: 'source_sync',
  summary: 'Bring the rows of a connected source into the graph and the vectors.',
  rules: { tables: 'tables names tables of the source.' },
  idempotent: true,
  input: Type.Object({
    source_id: SourceId,
    tables: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        maxItems: 10_000,
        description: 'Names of tables; all when omitted.',
      }),
    ),
    mode: defaulted(
      Type.Union([Type.Literal('full'), Type.Literal('incremental')], {
        description: 'full reads every row again, incremental only what changed.',
      }),
      'full',
    ),
  }),
  output: Type.Object({
    source_id: Type.String(),
    tables_synced: Type.Integer(),
    rows_added: Type.Integer(),
    vectors_created: Type.Integer(),
    rows_read: Type.Integer(),
    rows_forgotten: Type.Integer(),
    duration_seconds: Type.Number(),
    errors: Type.Array(Type.String()),
  }),
  run: (service, input, context) => service.sources.sync(input, callerOf(context)),
});

export const sourceList = operation({
  name: 'source_list',
  summary: 'List the connected sources.',
  readOnly: true,
  input: Type.Object({}),
  output: Type.Object({ sources: Type.Array(Type.Object({ source_id: Type.String(), tables: Type.Integer() })) }),
  run: (service) => service.sources.list(),
});

export const sourceSyncState = operation({
  name: 'source_sync_state',
  summary: 'How far the last sync of each table of a connected source came.',
  readOnly: true,
  input: Type.Object({ source_id: SourceId }),
  output: Type.Object({
    source_id: Type.String(),
    tables: Type.Array(
      Type.Object({
        name: Type.String(),
        schema: Type.String(),
        state: Type.Union([Type.Literal('never'), Type.Literal('incomplete'), Type.Literal('complete')], {
          description: 'incomplete: a sync runs or was interrupted; the next one keeps what it loaded.',
        }),
        domain: Type.Union([Type.String(), Type.Null()]),
        mode: Type.Union([Type.String(), Type.Null()], { description: 'full or incremental.' }),
        rows_read: Type.Integer({ description: 'Rows that the last sync read.' }),
      }),
    ),
  }),
  run: (service, input) => service.sources.syncState(input.source_id),
});

export const sourceDisconnect = operation({
  name: 'source_disconnect',
  summary: 'Remove a source from the registry; what was ingested stays.',
  destructive: true,
  input: Type.Object({ source_id: SourceId }),
  output: Type.Object({ status: Type.String(), source_id: Type.String() }),
  run: (service, input) => service.sources.disconnect(input.source_id),
});

const Graph = { source_id: SourceId, connection_string: ConnectionString, schemas: Schemas, domain_map: DomainMap };

export const sourceInspectSchema = operation({
  name: 'source_inspect_schema',
  summary: 'Show what a database would become: tables, edges, rules. Writes nothing.',
  rules: CONNECTION_RULES,
  readOnly: true,
  input: Type.Object(Graph),
  output: Type.Object({
    source_id: Type.String(),
    tables: Type.Array(InspectedTable),
    edges: Type.Array(SchemaEdge),
    rules: Type.Array(SchemaRule),
    table_count: Type.Integer(),
    edge_count: Type.Integer(),
    rule_count: Type.Integer(),
    cross_source_edges: Type.Array(CrossSourceEdge),
    warnings: Warnings,
  }),
  run: (service, input, context) => service.sources.inspect(input, callerOf(context)),
});

export const sourceIngestGraph = operation({
  name: 'source_ingest_graph',
  summary: 'Make concepts, edges and rules of a database schema, and concepts of its catalog rows.',
  rules: CONNECTION_RULES,
  idempotent: true,
  input: Type.Object({
    ...Graph,
    embed_catalog_tables: defaulted(
      Type.Boolean({ description: 'Also make concepts of the rows of small lookup tables.' }),
      true,
    ),
    extract_rules: defaulted(Type.Boolean({ description: 'Also make rules of check constraints.' }), true),
    cross_source_edges: defaulted(
      Type.Boolean({ description: 'Also create the suggested edges into other sources.' }),
      false,
    ),
  }),
  output: Type.Object({
    source_id: Type.String(),
    concepts: Type.Integer(),
    edges: Type.Integer(),
    rules: Type.Integer(),
  }),
  run: (service, input, context) => service.sources.ingestGraph(input, callerOf(context)),
});

export const sourceForget = operation({
  name: 'source_forget',
  summary: 'Forget what a database, one of its tables or one row made; the source stays connected.',
  rules: { table: 'table names a table of the source.' },
  destructive: true,
  idempotent: true,
  input: constrained(
    Type.Object({
      source_id: SourceId,
      table: Type.Optional(
        Type.String({ minLength: 1, maxLength: 256, description: 'Only this table: its name, or schema.name.' }),
      ),
      row: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1000,
          description:
            'Only this row: its key; of several key columns a JSON list of their values, in the order of the key.',
        }),
      ),
      dry_run: dryRun('Only counts the rows and tables that would be forgotten; `status` is `dry_run` then.'),
    }),
    needs('row', 'table', 'since a key names a row within its table'),
  ),
  output: Type.Object({
    status: Type.Union([Type.Literal('forgotten'), Type.Literal('dry_run')]),
    source_id: Type.String(),
    sources: Type.Integer({
      description: 'Rows and tables that were forgotten, or would be; 0 where there are none of that name.',
    }),
  }),
  run: (service, input) => service.sources.forget(input),
});
