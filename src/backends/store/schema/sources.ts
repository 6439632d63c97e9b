/** Tables of the sources group: connected databases, how far each table's sync came, and what was read of each row. */
export interface SourcesTables {
  relational_source: {
    source_id: string;
    /** `env:NAME`, or sealed; never a readable password. */
    connection: string;
    /** JSON of {schemas, domain_map, targets}. */
    options: string;
    /** JSON of the tables as introspected. */
    tables: string;
    created_at: string;
    updated_at: string;
  };
  source_sync: {
    source_id: string;
    table_name: string;
    /** Number of the run; rows seen in it carry the same number. */
    run: number;
    mode: string;
    /** Domain into which the rows were written. */
    domain: string;
    /** What rows became: other where columns, relations or targets changed. */
    signature: string;
    /** JSON of the last key read; null at the start. */
    position: string | null;
    rows_done: number;
    /** 1 when the table was read to its end. */
    finished: number;
    /** Latest change read by a finished run, ISO 8601. */
    high_water: string | null;
  };
  source_row: {
    source_id: string;
    table_name: string;
    row_key: string;
    hash: string;
    run: number;
  };
}
