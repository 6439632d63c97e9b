import type { RelationalDatabase, TableInfo, TableName } from '../../backends/relational/port.js';
import { listSyncs } from '../../backends/store/sources.js';
import { SvcError } from '../../core/errors.js';
import { sourceId as idOfSource } from '../../core/ids.js';
import { forgetMany } from '../../ingest/forget-many.js';
import type { LoadPorts } from '../../ingest/write/load.js';
import {
  crossSourceKey,
  databasePrefix,
  namedBy,
  SCHEMA_SUFFIX,
  tableConceptId,
  tableKey,
  tablePrefix,
} from '../inspect/identity.js';
import { domainIn, type SchemaView } from '../inspect/schema-graph.js';
import { forgetPrefix, forgetTable } from './forget-rows.js';

/** A table that the graph has, in one domain. */
interface KnownTable {
  readonly source_id: string;
  readonly domain: string;
  /** As `tableKey` gives it. */
  readonly table: string;
}

export interface StaleOptions {
  /** Tables whose copies in other domains are removed. */
  readonly tables: readonly TableInfo[];
  /** Schemas that were read whole: a table of theirs that is not in the view was dropped. */
  readonly schemas: ReadonlySet<string>;
  /** Returns the tables that are there, also those that the user may not read: what was read of them stays. */
  readonly existing: () => Promise<readonly TableName[]>;
  /** Which synced tables count as dropped when they are not in the view: all, or those of `schemas`. */
  readonly synced: 'all' | 'schemas';
  /**
   * Returns true for tables whose rows were or will be loaded elsewhere by this call, even where a sync had put them.
   */
  readonly rowsToo: (table: TableInfo) => boolean;
}

export interface Stale {
  /** How many sources of dropped tables were forgotten. */
  readonly forgotten: number;
  /** Tables that were read earlier, are there, and may not be read any more. */
  readonly unreadable: readonly TableName[];
}

/**
 * Forgets what the graph has of a database and the database, or its domain map, has no longer: dropped tables with
 * their rows, and tables in a domain where they do not belong. Rows that a sync put there stay for the next sync to
 * move. Throws `conflict` where all that was read is gone and nothing else is there: more likely another database stands
 * in its place, or the user lost its rights, than that everything was dropped.
 */
export async function forgetStale(ports: LoadPorts, view: SchemaView, options: StaleOptions): Promise<Stale> {
  const { sourceId } = view;
  const present = new Map(view.tables.map((table) => [tableKey(table), table]));
  const requested = new Set(options.tables.map(tableKey));
  const known = await tablesInGraph(ports, sourceId);
  const syncs = new Map((await listSyncs(ports.store.db, sourceId)).map((sync) => [sync.table_name, sync.domain]));
  const read = (table: string): boolean => options.schemas.has(namedBy(table).schema);
  const absent = new Set(
    [
      ...known.map(({ table }) => table).filter(read),
      ...[...syncs.keys()].filter((table) => options.synced === 'all' || read(table)),
    ].filter((table) => !present.has(table)),
  );
  // Nearly every time nothing is absent, and the database is not asked.
  const existing = new Set(absent.size === 0 ? [] : (await options.existing()).map(tableKey));
  const unreadable = [...absent].filter((table) => existing.has(table));
  const dropped = [...absent].filter((table) => !existing.has(table));
  if (dropped.length > 0 && present.size === 0) throw emptied(sourceId, dropped.length);
  let forgotten = 0;
  for (const table of dropped) {
    const domain = syncs.get(table) ?? sourceId;
    forgotten += await forgetTable(ports, { sourceId, table }, { domain, everywhere: true });
  }
  const left = new Set<string>();
  for (const { source_id, domain, table } of known.filter((one) => !dropped.includes(one.table))) {
    const info = present.get(table);
    if (info === undefined || !requested.has(table) || domainIn(view, info) === domain) left.add(domain);
    else if (syncs.get(table) === domain && !options.rowsToo(info)) await forgetMany(ports, domain, [source_id]);
    else await forgetPrefix(ports, tablePrefix(sourceId, table), domain);
  }
  for (const source of await ports.graph.listSources({ kind: 'row', key: crossSourceKey(sourceId) })) {
    const own = view.tables.some((table) => domainIn(view, table) === source.domain);
    if (own || left.has(source.domain)) continue;
    await forgetMany(ports, source.domain, [source.source_id]);
  }
  return { forgotten, unreadable: unreadable.map(namedBy) };
}

function emptied(sourceId: string, tables: number): SvcError {
  const read = tables === 1 ? 'the table that was read of it is' : `the ${tables} tables that were read of it are`;
  return new SvcError(
    'conflict',
    `${sourceId} shows no table any more, and ${read} kept. Check that it is the right database and what its user may read; to forget it all the same, call source_forget (\`sources forget ${sourceId}\`).`,
    { source_id: sourceId },
  );
}

/** Returns the schemas that an introspection read, by the names that its tables carry. */
export function schemasRead(
  view: SchemaView,
  database: RelationalDatabase,
  requested: readonly string[],
): ReadonlySet<string> {
  const found = view.tables.map((table) => table.schema);
  return new Set([...requested, ...found, ...(database.dialect === 'sqlite' ? ['main'] : [])]);
}

/**
 * Returns whether a table's check constraints become rules: as the last `ingest_graph` of that table had it; for a
 * table that is new, as it was for all the others.
 */
export async function rulesWanted(ports: LoadPorts, view: SchemaView): Promise<(table: TableInfo) => boolean> {
  const idOf = (domain: string, key: string): string => `${domain}:${tableConceptId(view.sourceId, namedBy(key))}`;
  const known = await tablesInGraph(ports, view.sourceId);
  const nodes = await ports.graph.getNodes(known.map(({ domain, table }) => idOf(domain, table)));
  const without = new Set(nodes.filter((node) => node.properties.extract_rules === false).map((node) => node.id));
  const every = known.length > 0 && known.every(({ domain, table }) => without.has(idOf(domain, table)));
  return (table) => {
    const key = tableKey(table);
    const copies = known.filter((one) => one.table === key);
    const copy = copies.find((one) => one.domain === domainIn(view, table)) ?? copies[0];
    return copy === undefined ? !every : !without.has(idOf(copy.domain, key));
  };
}

/** Returns the tables whose own source is in the graph. Reads one key of each table, not those of its rows. */
async function tablesInGraph({ graph }: LoadPorts, sourceId: string): Promise<KnownTable[]> {
  const prefix = databasePrefix(sourceId);
  const tables = new Map<string, KnownTable>();
  for (let after: { readonly domain: string; readonly key: string } | undefined; ; ) {
    const [found] = await graph.sourceKeys({ kind: 'row', prefix, after, limit: 1 });
    if (found === undefined) break;
    const { domain, key } = found;
    const end = key.indexOf('/', prefix.length);
    if (end >= 0) {
      const source_id = idOfSource({ domain, kind: 'row', key: `${key.slice(0, end)}${SCHEMA_SUFFIX}` });
      tables.set(source_id, { source_id, domain, table: key.slice(prefix.length, end) });
    }
    // A zero follows the slash in the order of characters, so it comes after all rows of the table.
    after = { domain, key: end < 0 ? key : `${key.slice(0, end)}0` };
  }
  const existing = await graph.existingSources([...tables.keys()]);
  return [...tables.values()].filter(({ source_id }) => existing.has(source_id));
}
