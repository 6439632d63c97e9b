import type { RelationalDatabase } from '../backends/relational/port.js';
import { contentHash } from '../core/ids.js';
import type { Manifest } from '../core/model.js';
import type { LoadPorts } from '../ingest/load.js';
import { loadMany } from '../ingest/load-many.js';
import { domainOf, isCatalog } from './classify.js';
import { crossSourceEdges, type OtherSource } from './cross-source.js';
import { tableConceptId } from './identity.js';
import { rowPages } from './pages.js';
import { rowManifest, rowPlan } from './row-graph.js';
import { conceptRef, type SchemaView, tableManifest } from './schema-graph.js';

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

/** Loads tables, foreign keys and rules, and the rows of catalog tables. Counts are what this call asserted. */
export async function loadSchemaGraph(
  task: Task,
  options: {
    readonly embed_catalog_tables: boolean;
    readonly extract_rules: boolean;
    readonly others: readonly OtherSource[];
  },
): Promise<GraphLoad> {
  const { ports, view } = task;
  const manifests = view.tables.map((table) => tableManifest(view, table, { rules: options.extract_rules }));
  const crossing = crossManifest(view, options.others);
  if (crossing !== null) manifests.push(crossing);
  await loadMany(ports, manifests, { signal: task.signal });
  const counts = { concepts: 0, edges: 0, rules: 0 };
  const add = (manifest: Manifest): void => {
    counts.concepts += manifest.concepts.length;
    counts.edges += manifest.edges.length;
    counts.rules += manifest.rules.length;
  };
  manifests.forEach(add);
  if (options.embed_catalog_tables) {
    for (const table of view.tables.filter((candidate) => isCatalog(candidate, view.conventions))) {
      const plan = rowPlan(view, table);
      const none = () => Promise.resolve(new Map<string, string>());
      const pages = rowPages(
        { plan, database: task.database },
        { limit: 500, position: null, known: none, since: undefined },
      );
      for await (const page of pages) {
        const rows = page.rows.map((cells) => rowManifest(view, plan, { cells, edges: true }));
        await loadMany(ports, rows, { signal: task.signal });
        rows.forEach(add);
      }
    }
  }
  return { source_id: view.sourceId, ...counts };
}

/** Suggested references into other databases, asserted as edges between table concepts. */
function crossManifest(view: SchemaView, others: readonly OtherSource[]): Manifest | null {
  const suggestions = crossSourceEdges(view.tables, others, view.conventions);
  const edges = suggestions.flatMap((edge) => {
    const from = view.tables.find((table) => `${table.schema}.${table.name}` === edge.source);
    const other = others.find((candidate) => candidate.sourceId === edge.target_source);
    const to = other?.tables.find((table) => `${table.schema}.${table.name}` === edge.target);
    if (from === undefined || other === undefined || to === undefined) return [];
    const map = other.options?.domain_map ?? {};
    return [
      {
        source: conceptRef(view, from),
        target: `${domainOf(to, map, other.sourceId)}:${tableConceptId(other.sourceId, to)}`,
        relation: edge.relation_type,
        confidence: edge.confidence,
        properties: { column: edge.column, suggested: true },
      },
    ];
  });
  if (edges.length === 0) return null;
  const domain = view.sourceId;
  return {
    domain,
    source: {
      domain,
      kind: 'row',
      key: `${view.sourceId}/@cross-source`,
      label: `${view.sourceId}: references into other databases`,
    },
    content_hash: contentHash(JSON.stringify(edges)),
    concepts: [],
    edges,
    rules: [],
    passages: [],
    warnings: [],
  };
}
