import { counted } from '../../core/wording/counted.js';
import { dim, facts, section, shortened, table, yellow } from './output.js';

interface Connected {
  readonly source_id: string;
  readonly tables: number;
  readonly table_names: readonly string[];
  readonly warnings?: readonly string[];
}

export function connected({ source_id, tables, table_names, warnings = [] }: Connected): string {
  const next = [...warnings.map((warning) => yellow(warning)), dim(`Next: svc sources sync ${source_id}`)].join('\n');
  return `Connected ${source_id}: ${counted(tables, 'table')}.\n${shortened(table_names.join(', '), 1000)}\n${next}`;
}

interface Discovered {
  readonly tables: ReadonlyArray<{
    readonly schema: string;
    readonly name: string;
    readonly kind: string;
    readonly columns: readonly unknown[];
    readonly row_count: number;
    readonly row_count_estimated?: boolean;
    readonly pk_columns: readonly string[];
    readonly fk_count: number;
  }>;
}

export function discovered({ tables }: Discovered): string {
  return table(tables, [
    { title: 'Schema', of: (one) => one.schema },
    { title: 'Table', of: (one) => one.name, wide: 2 },
    { title: 'Kind', of: (one) => one.kind },
    { title: 'Columns', of: (one) => one.columns.length, right: true },
    { title: 'Rows', of: rowsOf, right: true },
    { title: 'Key', of: (one) => one.pk_columns.join(', '), wide: 1 },
    { title: 'References', of: (one) => one.fk_count, right: true },
  ]);
}

function rowsOf({ kind, row_count, row_count_estimated }: Discovered['tables'][number]): string {
  if (kind !== 'table' && row_count_estimated === true && row_count === 0) return 'not counted';
  return `${row_count_estimated === true ? 'about ' : ''}${row_count}`;
}

export interface Synced {
  readonly tables_synced: number;
  readonly rows_read: number;
  readonly rows_added: number;
  readonly rows_forgotten: number;
  readonly vectors_created: number;
  readonly duration_seconds: number;
  readonly errors: readonly string[];
}

export function synced(output: Synced): string {
  const lines = facts([
    ['Tables', output.tables_synced],
    ['Rows read', output.rows_read],
    ['Rows added or changed', output.rows_added],
    ['Rows forgotten', output.rows_forgotten],
    ['Vectors', output.vectors_created],
    ['Seconds', output.duration_seconds.toFixed(1)],
  ]);
  return [lines, ...output.errors.map((error) => yellow(error))].join('\n');
}

export function listed({
  sources,
}: {
  readonly sources: ReadonlyArray<{ source_id: string; tables: number }>;
}): string {
  return table(sources, [
    { title: 'Source', of: (one) => one.source_id },
    { title: 'Tables', of: (one) => one.tables, right: true },
  ]);
}

interface Inspected {
  readonly tables: ReadonlyArray<{
    readonly schema: string;
    readonly name: string;
    readonly domain: string;
    readonly row_count: number;
    readonly is_catalog: boolean;
    readonly name_column: string | null;
    readonly name_columns?: readonly string[];
  }>;
  readonly edges: ReadonlyArray<{ source: string; target: string; relation_type: string; columns: readonly string[] }>;
  readonly rules: ReadonlyArray<{ text: string }>;
  readonly cross_source_edges: ReadonlyArray<{
    source: string;
    column: string;
    target_source: string;
    target: string;
    confidence: number;
  }>;
  readonly warnings?: readonly string[];
}

export function inspected({ tables, edges, rules, cross_source_edges, warnings = [] }: Inspected): string {
  const parts = [
    ...warnings.map((warning) => yellow(warning)),
    section(
      'Tables',
      table(tables, [
        { title: 'Table', of: (one) => `${one.schema}.${one.name}`, wide: 1 },
        { title: 'Domain', of: (one) => one.domain },
        { title: 'Rows', of: (one) => one.row_count, right: true },
        { title: 'Named by', of: (one) => one.name_columns?.join(', ') ?? one.name_column },
        { title: 'Catalog', of: (one) => (one.is_catalog ? 'yes' : '') },
      ]),
    ),
    section(
      'Edges',
      table(edges, [
        { title: 'From', of: (one) => `${one.source} (${one.columns.join(', ')})`, wide: 1 },
        { title: 'Relation', of: (one) => one.relation_type },
        { title: 'To', of: (one) => one.target, wide: 1 },
      ]),
    ),
    section('Rules', rules.map((rule) => rule.text).join('\n') || dim('(none)')),
  ];
  if (cross_source_edges.length > 0) {
    parts.push(
      section(
        'Likely references into other sources (create them with ingest-graph --cross-source)',
        table(cross_source_edges, [
          { title: 'From', of: (one) => `${one.source}.${one.column}`, wide: 1 },
          { title: 'To', of: (one) => `${one.target_source}: ${one.target}`, wide: 1 },
          { title: 'Confidence', of: (one) => one.confidence, right: true },
        ]),
      ),
    );
  }
  return parts.join('\n\n');
}

export function graphLoaded(output: {
  readonly concepts: number;
  readonly edges: number;
  readonly rules: number;
}): string {
  const { concepts, edges, rules } = output;
  return `Loaded ${counted(concepts, 'concept')}, ${counted(edges, 'edge')}, ${counted(rules, 'rule')}.`;
}
