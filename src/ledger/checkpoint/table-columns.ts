import { type ColumnTypes, columnTypes, type ValueRow } from '../../backends/store/rows.js';

export interface PagedTable {
  /** Columns of its key, in the order in which it is paged. */
  readonly by: readonly string[];
  readonly columns: ColumnTypes;
  /** A key before all others. */
  readonly start: ValueRow;
  /** Takes the key out of a row. */
  readonly keyOf: (row: ValueRow) => ValueRow;
}

/** Makes a table of its columns: those of its key, a semicolon, the others. */
function table(list: string): PagedTable {
  const by = Object.keys(columnTypes(list.split(';')[0]!));
  const columns = columnTypes(list.replace(';', ','));
  const places = by.map((column) => Object.keys(columns).indexOf(column));
  const start = by.map((column) => (columns[column] === 'text' ? '' : -1));
  return { by, columns, start, keyOf: (row) => places.map((place) => row[place]!) };
}

/** Tables of the graph: their columns, and by which of them they are paged. */
export const TABLES = {
  domain: table('ref int; name text, description text, concepts int, edges int, rules int, passages int, created int'),
  source: table('ref int; id text, domain int, kind text, key text, label text, content_hash text, updated_at text'),
  node: table(`ref int; id text, domain int, kind int, own int, hash int, key text, norm text, name text,
    confidence real, shown int`),
  concept: table('node int, source int; name text, description text, properties text, confidence real, version int'),
  passage: table('node int; source int, ord int, text text, sentences text, about text, message text, mentions blob'),
  key: table('ref int; domain int, key text, titles int, aliases int, mentions int, node int'),
  about: table('key int, node int; alias int'),
  mention: table('key int, passage int; tf int'),
  edge: table(`ref int; source int, src_end text, dst_end text, src_hash int, dst_hash int, relation text,
    confidence real, properties text, version int, src int, dst int, shown int, edit text`),
  rule: table(`ref int; source int, domain int, id text, text text, category text, confidence real, concepts text,
    metadata text, version int, shown int, edit text`),
  rule_mark: table('hash int, rule int'),
  rule_concept: table('rule int, node int'),
  entity_merge: table(`ref int; id text, domain int, from_id text, into_id text, from_name text, into_name text,
    method text, score real, created_at text, undone_at text`),
  merged_node: table('id text; domain int, norm text, key text, target int'),
  merged_concept: table(`id text, source int; name text, description text, properties text, confidence real,
    version int`),
  edit: table(`ref int; id text, domain int, type text, target text, other text, body text, before text,
    created_at text, undone_at text`),
  removed_message: table('source_id text, identity text; turn int, domain text, body text'),
  // What the graph holds: turns of sessions, how far rows of connected databases were read. A checkpoint keeps them with
  // the graph, so that a message or a row that a restore took away is loaded again.
  session_message: table('source_id text, identity text; turn int'),
  source_sync: table(`source_id text, table_name text; run int, mode text, domain text, signature text,
    position text, rows_done int, finished int, high_water text`),
  source_row: table('source_id text, table_name text, row_key text; hash text, run int'),
} as const satisfies Record<string, PagedTable>;

export type Table = keyof typeof TABLES;
