import type { TableInfo } from '../../backends/relational/port.js';
import type { Conventions } from './conventions.js';

/** Another connected database, as far as matching needs it. */
export interface OtherSource {
  readonly sourceId: string;
  readonly tables: readonly TableInfo[];
  readonly options?: { readonly domain_map: Readonly<Record<string, string>> };
}

/** A likely reference into another connected database, by the column's name. */
export type CrossSourceEdge = {
  readonly source: string;
  readonly column: string;
  readonly target_source: string;
  readonly target: string;
  readonly relation_type: string;
  readonly confidence: number;
};

/**
 * Suggests references: `user_id`-like columns to a users table elsewhere, other `<x>_id` columns without a foreign key
 * to a table `x` or `xs` elsewhere. Sorted by table, column, target.
 */
export function crossSourceEdges(
  tables: readonly TableInfo[],
  others: readonly OtherSource[],
  conventions: Conventions,
): CrossSourceEdge[] {
  const edges: CrossSourceEdge[] = [];
  for (const table of tables) {
    const keyed = new Set(table.foreign_keys.flatMap((key) => key.columns));
    for (const column of table.columns) {
      if (keyed.has(column.name)) continue;
      for (const { wanted, relation, confidence } of targetsOf(column.name, conventions)) {
        const found = others.flatMap((other) =>
          other.tables.filter((t) => wanted.includes(t.name.toLowerCase())).map((t) => ({ other, table: t })),
        );
        edges.push(
          ...found.map((match) => ({
            source: `${table.schema}.${table.name}`,
            column: column.name,
            target_source: match.other.sourceId,
            target: `${match.table.schema}.${match.table.name}`,
            relation_type: relation,
            confidence,
          })),
        );
        if (found.length > 0) break;
      }
    }
  }
  return edges.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function targetsOf(
  column: string,
  conventions: Conventions,
): Array<{ readonly wanted: readonly string[]; readonly relation: string; readonly confidence: number }> {
  const name = column.toLowerCase();
  if (conventions.user_columns.includes(name)) {
    return [
      { wanted: conventions.user_tables, relation: 'belongs_to', confidence: conventions.cross_source_confidence.user },
    ];
  }
  const stem = /^(.+)_id$/.exec(name)?.[1];
  if (stem === undefined) return [];
  return [
    {
      wanted: [stem, `${stem}s`],
      relation: conventions.default_relation,
      confidence: conventions.cross_source_confidence.other,
    },
  ];
}

function keyOf(edge: CrossSourceEdge): string {
  return `${edge.source}\0${edge.column}\0${edge.target_source}\0${edge.target}`;
}
