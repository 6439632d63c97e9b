import type { Cell, Row, TableInfo } from '../backends/relational/port.js';
import { contentHash, hash20 } from '../core/ids.js';
import type { SourceRef } from '../core/model.js';

/** Where a table's facts hang in the list of sources: forgetting the prefix forgets the table. */
export function tablePrefix(sourceId: string, table: Pick<TableInfo, 'schema' | 'name'>): string {
  return `${sourceId}/${table.schema}.${table.name}/`;
}

/** The source that asserts a table's own concept, edges and rules. */
export function schemaSource(sourceId: string, table: TableInfo, domain: string): SourceRef {
  return {
    domain,
    kind: 'row',
    key: `${tablePrefix(sourceId, table)}@schema`,
    label: `${sourceId}: table ${table.schema}.${table.name}`,
  };
}

/** The source that asserts one row. */
export function rowSource(
  sourceId: string,
  table: TableInfo,
  row: { readonly key: string; readonly domain: string },
): SourceRef {
  return {
    domain: row.domain,
    kind: 'row',
    key: `${tablePrefix(sourceId, table)}${row.key}`,
    label: `${sourceId}: ${table.schema}.${table.name} ${row.key}`,
  };
}

/** A row's key as text: its primary key, or the hash of the whole row where there is none. */
export function rowKey(table: TableInfo, row: Row): string {
  if (table.pk_columns.length === 0) return rowHash(row);
  return keyText(table.pk_columns.map((column) => row[column] ?? null));
}

/** Key values as text, unambiguous for composite keys. */
export function keyText(values: readonly Cell[]): string {
  return values.length === 1 ? String(values[0]) : JSON.stringify(values.map(String));
}

/** Hash of a row's content: what decides whether it changed. */
export function rowHash(row: Row): string {
  return contentHash(JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Opaque part of a row's concept id. */
export function rowConceptId(sourceId: string, table: Pick<TableInfo, 'schema' | 'name'>, key: string): string {
  return hash20('row', sourceId, table.schema, table.name, key);
}

/** Opaque part of a table's concept id. */
export function tableConceptId(sourceId: string, table: Pick<TableInfo, 'schema' | 'name'>): string {
  return hash20('table', sourceId, table.schema, table.name);
}
