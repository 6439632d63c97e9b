import type { RelationalDatabase } from '../../backends/relational/port.js';
import { contentHash, sourceId as idOfSource } from '../../core/ids.js';
import type { ConceptAssertion, Manifest, SourceRef } from '../../core/model.js';
import { forgetMany } from '../../ingest/forget-many.js';
import type { LoadPorts } from '../../ingest/write/load.js';
import { loadMany } from '../../ingest/write/load-many.js';
import { sourceKeyPages } from '../../ledger/read/sources/key-pages.js';
import { rowPages } from '../sync/pages.js';
import { namedTables, referencedRows } from '../sync/references.js';
import { rowManifest } from '../sync/row-graph.js';
import { type RowPlan, rowPlan } from '../sync/row-plan.js';
import { forgetStale, schemasRead } from '../sync/stale.js';
import { isCatalog } from './classify.js';
import { crossSourceEdges, type OtherSource } from './cross-source.js';
import { crossSourceKey, tableConceptId, tableKey, tablePrefix } from './identity.js';
import { joinedEdges } from './parallel-keys.js';
import { domainIn, type SchemaView, standIn, tableManifest } from './schema-graph.js';

export interface GraphLoad {
  readonly source_id: string;
  readonly concepts: number;
  readonly edges: number;
  readonly rules: number;
}

interface Task {
  readonly ports: LoadPorts;
  readonly view: SchemaView;
  readonly database: RelationalDatabase;
  readonly signal: AbortSignal | undefined;
}

/**
 * Loads tables, foreign keys and rules, and the rows of catalog tables; forgets dropped tables, and copies in domains
 * where the domain map no longer puts them. Counts are what this call asserted.
 */
export async function loadSchemaGraph(
  task: Task,
  options: {
    readonly embed_catalog_tables: boolean;
    readonly extract_rules: boolean;
    /** Null where references into other databases are not requested. */
    readonly others: readonly OtherSource[] | null;
    readonly schemas: readonly string[];
  },
): Promise<GraphLoad> {
  const { ports, view } = task;
  const manifests = view.tables.map((table) => tableManifest(view, table, { rules: options.extract_rules }));
  if (options.others !== null) manifests.push(...crossManifests(view, options.others));
  await loadMany(ports, manifests, { signal: task.signal });
  await forgetStale(ports, view, {
    tables: view.tables,
    schemas: schemasRead(view, task.database, options.schemas),
    existing: () => task.database.existingTables({ schemas: options.schemas }),
    synced: 'schemas',
    rowsToo: (table) => options.embed_catalog_tables && isCatalog(table, view.conventions),
  });
  const counts = { concepts: 0, edges: 0, rules: 0 };
  const add = (manifest: Manifest): void => {
    counts.concepts += manifest.concepts.length;
    counts.edges += manifest.edges.length;
    counts.rules += manifest.rules.length;
  };
  manifests.forEach(add);
  if (options.embed_catalog_tables) {
    const catalogs = view.tables.filter((candidate) => isCatalog(candidate, view.conventions));
    const named = await namedTables(ports.store, view.sourceId, catalogs);
    for (const table of catalogs) {
      await loadCatalog(task, rowPlan(view, table, { edges: true, vectors: true, named }), add);
    }
  }
  return { source_id: view.sourceId, ...counts };
}

/**
 * Loads all rows of a catalog; rows that an earlier call or a sync loaded and that were deleted since are forgotten.
 */
async function loadCatalog(task: Task, plan: RowPlan, add: (manifest: Manifest) => void): Promise<void> {
  const { ports, view, database } = task;
  const present = new Set<string>();
  const none = () => Promise.resolve(new Set<string>());
  const pages = rowPages({ database, table: plan.table }, { limit: 100, known: none, since: undefined });
  for await (const page of pages) {
    const found = await referencedRows(database, plan, page.rows);
    const rows = page.rows.map((cells) => rowManifest(view, plan, { cells, found }));
    await loadMany(ports, rows, { signal: task.signal });
    for (const row of rows) {
      const id = idOfSource(row.source);
      if (present.has(id)) continue;
      present.add(id);
      add(row);
    }
  }
  const prefix = tablePrefix(view.sourceId, tableKey(plan.table));
  const keys = sourceKeyPages(ports.graph, { kind: 'row', domain: plan.domain, prefix, limit: 500 });
  for await (const batch of keys) {
    const removed = batch.filter((source) => !present.has(source.source_id) && source.key !== `${prefix}@schema`);
    await forgetMany(
      ports,
      plan.domain,
      removed.map((source) => source.source_id),
    );
  }
}

/** Returns suggested references into other databases as edges between table concepts, one source per domain. */
function crossManifests(view: SchemaView, others: readonly OtherSource[]): Manifest[] {
  const suggestions = crossSourceEdges(view.tables, others, view.conventions);
  return [...new Set(view.tables.map((table) => domainIn(view, table)))].map((domain) => {
    const concepts = new Map<string, ConceptAssertion>();
    const edges = suggestions.flatMap((edge) => {
      const from = view.tables.find((table) => `${table.schema}.${table.name}` === edge.source);
      const other = others.find((candidate) => candidate.sourceId === edge.target_source);
      const to = other?.tables.find((table) => `${table.schema}.${table.name}` === edge.target);
      if (from === undefined || other === undefined || to === undefined || domainIn(view, from) !== domain) return [];
      const theirs: SchemaView = { ...view, ...other, domainMap: other.options?.domain_map ?? {} };
      const target = tableConceptId(other.sourceId, to);
      if (domainIn(theirs, to) !== domain) concepts.set(target, standIn(theirs, to));
      return [
        {
          source: `${domain}:${tableConceptId(view.sourceId, from)}`,
          target: `${domain}:${target}`,
          relation: edge.relation_type,
          confidence: edge.confidence,
          properties: { column: edge.column, suggested: true, provenance: 'schema' },
        },
      ];
    });
    const source: SourceRef = {
      domain,
      kind: 'row',
      key: crossSourceKey(view.sourceId),
      label: `${view.sourceId}: references into other databases`,
    };
    const asserted = { concepts: [...concepts.values()], edges: joinedEdges(edges) };
    return {
      domain,
      source,
      content_hash: contentHash(JSON.stringify(asserted)),
      ...asserted,
      rules: [],
      passages: [],
      warnings: [],
    };
  });
}
