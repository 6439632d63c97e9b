import type { Cell, DatabaseRow, TableInfo } from '../../backends/relational/port.js';
import { contentHash, hash20 } from '../../core/ids.js';
import type { SourceRef } from '../../core/model.js';

type Named = Pick<TableInfo, 'schema' | 'name'>;

/** Returns a table's name within its source as one text; names that hold dots or slashes stay apart. */
export function tableKey(table: Named): string {
  return `${escaped(table.schema)}.${escaped(table.name)}`;
}

function escaped(name: string): string {
  return name.replace(/[%./\0]/g, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** Returns the schema and name that `tableKey` made one text of. */
export function namedBy(key: string): Named {
  const [schema = '', name = ''] = key
    .split('.')
    .map((part) =>
      part.replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    );
  return { schema, name };
}

/** Returns the prefix of the keys of a database's sources: forgetting the prefix forgets them all. */
export function databasePrefix(sourceId: string): string {
  return `${sourceId}/`;
}

/** Returns the prefix of one table's keys; `key` as `tableKey` gives it. */
export function tablePrefix(sourceId: string, key: string): string {
  return `${sourceId}/${key}/`;
}

/** What the key of a table's own source ends with. */
export const SCHEMA_SUFFIX = '/@schema';

/** Returns the key of the source that asserts references into other databases. */
export function crossSourceKey(sourceId: string): string {
  return `${databasePrefix(sourceId)}@cross-source`;
}

/** Returns the source that asserts a table's own concept, edges and rules. */
export function schemaSource(sourceId: string, table: TableInfo, domain: string): SourceRef {
  return {
    domain,
    kind: 'row',
    key: `${sourceId}/${tableKey(table)}${SCHEMA_SUFFIX}`,
    label: `${sourceId}: table ${table.schema}.${table.name}`,
  };
}

/** Returns the source that asserts one row. */
export function rowSource(
  sourceId: string,
  row: { readonly table: string; readonly key: string; readonly domain: string },
): SourceRef {
  return {
    domain: row.domain,
    kind: 'row',
    key: `${tablePrefix(sourceId, row.table)}${row.key}`,
    label: `${sourceId}: ${row.table} ${row.key}`,
  };
}

/**
 * Returns columns that tell rows apart: the primary key, else the first unique constraint that allows no null; else
 * none.
 */
export function keyColumnsOf(table: TableInfo): readonly string[] {
  if (table.pk_columns.length > 0) return table.pk_columns;
  const filled = (name: string): boolean => table.columns.some((column) => column.name === name && !column.nullable);
  return table.unique_constraints.find((columns) => columns.length > 0 && columns.every(filled)) ?? [];
}

/** Returns a row's key as text: its key columns, or the hash of the whole row where there are none. */
export function rowKey(table: TableInfo, row: DatabaseRow): string {
  const columns = keyColumnsOf(table);
  return columns.length === 0 ? rowHash(row) : keyText(columns.map((column) => row[column] ?? null));
}

const LONGEST_KEY = 300;

/** Returns key values as text, unambiguous for composite keys, short, and never like a table's own `@schema`. */
export function keyText(values: readonly Cell[]): string {
  const text = values.length === 1 ? String(values[0]) : JSON.stringify(values.map(String));
  if (text.length > LONGEST_KEY || text.includes('\0')) return `@hash:${contentHash(text)}`;
  return text.startsWith('@') ? `@${text}` : text;
}

/** Returns the keys that a row may have which somebody names: the key as it is kept, a value, or a JSON list of values. */
export function keysNamed(given: string): string[] {
  const values = given.startsWith('[') ? valuesOf(given) : undefined;
  return [...new Set([given, keyText(values ?? [given])])];
}

function valuesOf(json: string): Cell[] | undefined {
  try {
    const values: unknown = JSON.parse(json);
    return Array.isArray(values) && values.length > 1 ? values : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the hash of a row's content: what decides whether it changed. */
export function rowHash(row: DatabaseRow): string {
  return contentHash(JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** Returns the opaque part of a row's concept id. */
export function rowConceptId(sourceId: string, table: Named, key: string): string {
  return hash20('row', sourceId, table.schema, table.name, key);
}

/** Returns the opaque part of a table's concept id. */
export function tableConceptId(sourceId: string, table: Named): string {
  return hash20('table', sourceId, table.schema, table.name);
}
