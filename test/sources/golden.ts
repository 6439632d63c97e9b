import type { ComposedService } from '../../src/compose.js';
import type { GraphNode } from '../../src/core/model.js';
import type { SourcesHarness } from './harness.js';

/** What a database became, in a form that does not depend on the engine: schemas are `main`, `archive`. */
export interface Golden {
  readonly tables: readonly string[];
  readonly edges: readonly string[];
  readonly rules: readonly string[];
  readonly concepts: readonly string[];
  readonly row_edges: readonly string[];
}

interface Inspected {
  readonly tables: ReadonlyArray<{
    readonly name: string;
    readonly schema: string;
    readonly is_catalog: boolean;
    readonly name_column: string | null;
    readonly domain: string;
    readonly row_count: number;
    readonly pk_columns: readonly string[];
    readonly foreign_keys: ReadonlyArray<{ readonly columns: readonly string[]; readonly on_delete: string }>;
  }>;
  readonly edges: ReadonlyArray<{
    readonly source: string;
    readonly target: string;
    readonly relation_type: string;
    readonly columns: readonly string[];
  }>;
  readonly rules: ReadonlyArray<{ readonly text: string }>;
}

/** Inspects, connects and syncs a database, and writes down all that came of it. `schema` gives a schema's common name. */
export async function goldenOf(
  harness: SourcesHarness,
  source: { readonly source_id: string; readonly connection_string: string; readonly schemas?: readonly string[] },
  schema: (name: string) => string,
): Promise<Golden> {
  const inspected = (await harness.call('source_inspect_schema', {
    source_id: source.source_id,
    connection_string: source.connection_string,
    ...(source.schemas === undefined ? {} : { schemas: source.schemas }),
  })) as Inspected;
  await harness.call('source_connect', source);
  const synced = await harness.call('source_sync', { source_id: source.source_id });
  if (synced.errors.length > 0) throw new Error(synced.errors.join('\n'));
  const table = (name: string): string => {
    const dot = name.indexOf('.');
    return `${schema(name.slice(0, dot))}.${name.slice(dot + 1)}`;
  };
  const { concepts, row_edges } = await loaded(harness.service, source.source_id, schema);
  return {
    tables: inspected.tables
      .map((t) => {
        const keys = t.foreign_keys.map(
          (key) => `${key.columns.join('+')} ${key.on_delete.replace('RESTRICT', 'NO ACTION')}`,
        );
        return [
          `${schema(t.schema)}.${t.name}`,
          `${t.row_count} rows`,
          `key ${t.pk_columns.join('+')}`,
          t.is_catalog ? 'catalog' : 'records',
          `named by ${t.name_column ?? 'nothing'}`,
          `in ${t.domain}`,
          ...keys.sort(),
        ].join(' | ');
      })
      .sort(),
    edges: inspected.edges
      .map((e) => `${table(e.source)} [${e.columns.join('+')}] ${e.relation_type} ${table(e.target)}`)
      .sort(),
    rules: inspected.rules.map((rule) => common(rule.text, inspected, schema)).sort(),
    concepts,
    row_edges,
  };
}

/** A rule's text where a table goes by its schema too. */
function common(text: string, { tables }: Inspected, schema: (name: string) => string): string {
  const schemas = [...new Set(tables.map((table) => table.schema))].sort((a, b) => b.length - a.length);
  return schemas.reduce((replaced, name) => replaced.replaceAll(`${name}.`, `${schema(name)}.`), text);
}

async function loaded(service: ComposedService, domain: string, schema: (name: string) => string) {
  const nodes = await service.graph.findNodes({ domain });
  const names = new Map(nodes.map((node) => [node.id, nameOf(node, schema)]));
  const edges = await service.graph.getEdges({ domain });
  return {
    concepts: nodes
      .filter((n) => n.properties.kind === 'row')
      .map((n) => `${names.get(n.id)} | ${n.name} | ${n.description}`)
      .sort(),
    row_edges: edges
      .filter((edge) => names.get(edge.source_id)?.includes('#'))
      .map((edge) => `${names.get(edge.source_id)} ${edge.relation_type} ${names.get(edge.target_id)}`)
      .sort(),
  };
}

function nameOf({ properties }: GraphNode, schema: (name: string) => string): string {
  const table = `${schema(String(properties.schema))}.${String(properties.table)}`;
  return properties.kind === 'row' ? `${table}#${String(properties.key)}` : table;
}
