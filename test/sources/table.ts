import type { TableInfo } from '../../src/backends/relational/port.js';

/** A table of texts with the key `id`, as a relational adapter describes it. */
export function tableOf(name: string, columns: readonly string[], more: Partial<TableInfo> = {}): TableInfo {
  return {
    schema: 'public',
    name,
    kind: 'table',
    columns: columns.map((column) => ({ name: column, type: 'text', nullable: true })),
    row_count: 0,
    row_count_estimated: false,
    pk_columns: ['id'],
    foreign_keys: [],
    unique_constraints: [],
    check_constraints: [],
    indexed_columns: [],
    ...more,
  };
}
