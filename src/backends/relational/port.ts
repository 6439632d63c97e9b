/** A value of a row as JSON can carry it: dates as ISO 8601, bytes left out, big numbers as text. */
export type Cell = string | number | boolean | null;
export type DatabaseRow = Readonly<Record<string, Cell>>;

export interface ColumnInfo {
  readonly name: string;
  /** The engine's own type name. */
  readonly type: string;
  readonly nullable: boolean;
}

export type DeleteRule = 'NO ACTION' | 'RESTRICT' | 'CASCADE' | 'SET NULL' | 'SET DEFAULT';

/** A foreign key as a whole: composite ones keep their columns in order. */
export interface ForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly references: { readonly schema: string; readonly table: string; readonly columns: readonly string[] };
  readonly on_delete: DeleteRule;
}

export interface CheckConstraint {
  readonly name: string;
  /** The condition in SQL, as the engine formats it. */
  readonly sql: string;
}

/** The count of a view. */
export const NOT_COUNTED = { row_count: 0, row_count_estimated: true } as const;

export interface TableName {
  readonly schema: string;
  readonly name: string;
}

export interface TableInfo extends TableName {
  readonly kind: 'table' | 'view';
  readonly columns: readonly ColumnInfo[];
  /** Zero, as an estimate, for views: to count one means to run it. */
  readonly row_count: number;
  /** True where `row_count` is the engine's estimate: tables over 100,000 rows, and those that could not be counted. */
  readonly row_count_estimated: boolean;
  readonly pk_columns: readonly string[];
  readonly foreign_keys: readonly ForeignKey[];
  readonly unique_constraints: ReadonlyArray<readonly string[]>;
  readonly check_constraints: readonly CheckConstraint[];
  /** Columns that lead an index: where a range condition is fast. */
  readonly indexed_columns: readonly string[];
}

/** A page of rows in key order. */
export interface PageRequest {
  readonly table: TableInfo;
  /**
   * Columns to read; all without. Bytes come as hexadecimal text in keys, references, `keys` and columns named here,
   * and as null elsewhere.
   */
  readonly columns?: readonly string[];
  /** Columns that order the rows; none for the engine's own order, where a table has no key. */
  readonly keys: readonly string[];
  /** Key of the last row of the page before. */
  readonly after?: readonly Cell[];
  /** Rows to skip instead of `after`, where there is no key. */
  readonly offset?: number;
  readonly limit: number;
  /** Only rows whose value in this column is not below the given one. */
  readonly since?: { readonly column: string; readonly value: string };
  /** Only rows with one of these combinations of values. */
  readonly matching?: { readonly columns: readonly string[]; readonly values: ReadonlyArray<readonly Cell[]> };
}

/**
 * A relational database that is only ever read: every statement runs in a read-only transaction with time-outs.
 * Errors: `unavailable` where the server, the file or the connection is lost, `conflict` or `forbidden` where one table
 * cannot be read, `invalid_input` for an unknown schema. None carries a credential.
 */
export interface RelationalDatabase {
  readonly dialect: 'postgres' | 'sqlite' | 'mysql';
  /** Returns tables, and views when requested, of these schemas; an unknown schema is `invalid_input`. */
  introspect(options: { schemas: readonly string[]; views: boolean }): Promise<TableInfo[]>;
  /** Returns the names of the tables that the server shows in these schemas, also of those that the user may not read. */
  existingTables(options: { schemas: readonly string[] }): Promise<TableName[]>;
  page(request: PageRequest): Promise<DatabaseRow[]>;
  close(): Promise<void>;
}
