import type { Cell, DatabaseRow, ForeignKey, TableInfo } from '../../backends/relational/port.js';
import { contentHash, hash20 } from '../../core/ids.js';
import type { EdgeAssertion, Manifest } from '../../core/model.js';
import { descriptionColumns, isBookkeeping, nameColumns, relationOf } from '../inspect/classify.js';
import { keyColumnsOf, keyText, rowConceptId, rowHash, rowKey, rowSource, tableKey } from '../inspect/identity.js';
import { domainIn, referenced, type SchemaView } from '../inspect/schema-graph.js';

/** Characters of a row's text, as many as a description may have, and so of a cell. */
const LONGEST_TEXT = 100_000;
const LONGEST_NAME = 500;
/** Types of key columns whose values people write and read, such as an article number. */
const TEXT_TYPE = /char|text|clob|string/i;
/** Values of such columns that nobody asks for: counted numbers, UUIDs, hashes. Article numbers, ISBNs and EANs are longer. */
const OPAQUE = /^(?:\d{0,5}|[0-9a-f]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
/** Part of a table's signature: rows are made anew where other values are opaque than before. */
const SHOWN_KEYS = 2;
/** Values that need no mark behind them. */
const ENDED = /[.!?…:;,]["'”’»]?$/;
/** Part of the fingerprint of rows with such values: raised where they read differently. */
const ENDED_FACTS = 1;

/** What of a table does not depend on the row: worked out once per table. */
export interface RowPlan {
  readonly table: TableInfo;
  readonly domain: string;
  readonly nameColumn: string | null;
  /** The column of the last name, where `nameColumn` holds the first name. */
  readonly lastNameColumn?: string;
  readonly descriptionColumns: readonly string[];
  readonly textColumns: readonly string[];
  /** Key columns of text that stand in the row's text too; absent where there are none. */
  readonly readableKeys?: readonly string[];
  readonly keys: readonly RowReference[];
  /** Whether the edges of rows yield rules. */
  readonly deriveRules: boolean;
  /** Whether rows have vectors. */
  readonly vectors: boolean;
  /** Changes where the same row would become something else: other columns, relations, domain, targets. */
  readonly signature: string;
}

/** A foreign key whose both tables lie in one domain; edges never cross domains. */
export interface RowReference {
  readonly columns: readonly string[];
  readonly relation: string;
  readonly target: TableInfo;
  /** Columns of the target that the key points at. */
  readonly references: readonly string[];
  /**
   * Positions of the target's key columns among them; null where they are other unique columns and must be looked up.
   */
  readonly order: readonly number[] | null;
}

/**
 * Works out what depends on the table only. `edges` is false for sources that feed vectors only, `vectors` for those that
 * feed the graph only.
 */
export function rowPlan(
  view: SchemaView,
  table: TableInfo,
  {
    edges,
    vectors,
    deriveRules = false,
  }: { readonly edges: boolean; readonly vectors: boolean; readonly deriveRules?: boolean | undefined },
): RowPlan {
  const { conventions } = view;
  const named = nameColumns(table, conventions);
  const [name = null, lastName] = named;
  const description = descriptionColumns(table, conventions).filter((column) => !named.includes(column));
  const left = new Set([
    ...keyColumnsOf(table),
    ...table.foreign_keys.flatMap((key) => key.columns),
    ...description,
    ...named,
  ]);
  const readable = name === null ? [] : readableKeys(table, new Set([...description, ...named]));
  const plan = {
    ...(readable.length === 0 ? {} : { readableKeys: readable }),
    domain: domainIn(view, table),
    nameColumn: name,
    descriptionColumns: description,
    textColumns: table.columns
      .filter(
        (column) => !left.has(column.name) && !/_id$/i.test(column.name) && !isBookkeeping(column.name, conventions),
      )
      .map((column) => column.name),
    deriveRules,
    ...(lastName === undefined ? {} : { lastNameColumn: lastName }),
    keys: edges ? table.foreign_keys.flatMap((key) => reference(view, table, key)) : [],
  };
  const targets = plan.keys.map((key) => ({ ...key, target: tableKey(key.target) }));
  const marks = { ...(vectors ? {} : { vectors }), ...(readable.length === 0 ? {} : { shown_keys: SHOWN_KEYS }) };
  const signature = hash20(JSON.stringify({ ...plan, keys: targets, key: keyColumnsOf(table), ...marks }));
  return { ...plan, vectors, table, signature };
}

/** Returns the key columns of text that neither refer to another row nor are `shown` elsewhere. */
function readableKeys(table: TableInfo, shown: ReadonlySet<string>): string[] {
  const foreign = new Set(table.foreign_keys.flatMap((key) => key.columns));
  const types = new Map(table.columns.map((column) => [column.name, column.type]));
  return keyColumnsOf(table).filter(
    (column) => !foreign.has(column) && !shown.has(column) && TEXT_TYPE.test(types.get(column) ?? ''),
  );
}

function reference(view: SchemaView, table: TableInfo, key: ForeignKey): RowReference[] {
  const target = referenced(view, key);
  if (target === undefined || domainIn(view, target) !== domainIn(view, table)) return [];
  const theirs = keyColumnsOf(target);
  if (theirs.length === 0) return [];
  const order = theirs.map((column) => key.references.columns.indexOf(column));
  const direct = order.length === key.columns.length && !order.includes(-1);
  return [
    {
      columns: key.columns,
      relation: relationOf(table, key, view.conventions),
      target,
      references: key.references.columns,
      order: direct ? order : null,
    },
  ];
}

/** Returns a row as one source asserts it: a concept, and an edge for each foreign key. */
export function rowManifest(
  view: SchemaView,
  plan: RowPlan,
  row: { readonly cells: DatabaseRow; readonly found: FoundKeys; readonly hash?: string },
): Manifest {
  const key = rowKey(plan.table, row.cells);
  const id = rowConceptId(view.sourceId, plan.table, key);
  const edges = plan.keys.flatMap((foreign): EdgeAssertion[] => {
    const target = targetKey(foreign, row);
    if (target === null) return [];
    return [
      {
        source: `${plan.domain}:${id}`,
        target: `${plan.domain}:${rowConceptId(view.sourceId, foreign.target, target)}`,
        relation: foreign.relation,
        confidence: 1,
        properties: {
          columns: [...foreign.columns],
          provenance: 'row',
          ...(plan.deriveRules ? { derive_rules: true } : {}),
        },
      },
    ];
  });
  return {
    domain: plan.domain,
    source: rowSource(view.sourceId, { table: tableKey(plan.table), key, domain: plan.domain }),
    content_hash: row.hash ?? rowFingerprint(plan, row.cells),
    concepts: [
      {
        id,
        name: rowName(plan, row.cells, key),
        description: rowText(plan, row.cells),
        properties: { kind: 'row', source_id: view.sourceId, schema: plan.table.schema, table: plan.table.name, key },
      },
    ],
    edges,
    rules: [],
    passages: [],
    warnings: [],
  };
}

/** Returns a hash that changes when the row changes, or what is made of it. */
export function rowFingerprint(plan: RowPlan, cells: DatabaseRow): string {
  // Earlier releases put another mark behind such a value: only these rows read differently now.
  const mark = facts(plan, cells).some((fact) => ENDED.test(fact)) ? `:${ENDED_FACTS}` : '';
  return contentHash(`${rowHash(cells)}:${plan.signature}${mark}`);
}

/** Keys of rows that references by other unique columns point at: per reference, values as text → key as text. */
export type FoundKeys = ReadonlyMap<RowReference, ReadonlyMap<string, string>>;

/** Returns the key of the row that a foreign key points at; null where a column is null or there is no such row. */
function targetKey(
  foreign: RowReference,
  row: { readonly cells: DatabaseRow; readonly found: FoundKeys },
): string | null {
  const values = foreign.columns.map((column) => row.cells[column] ?? null);
  if (values.includes(null)) return null;
  if (foreign.order !== null) return keyText(foreign.order.map((position) => values[position] ?? null));
  return row.found.get(foreign)?.get(keyText(values)) ?? null;
}

function rowName(plan: RowPlan, cells: DatabaseRow, key: string): string {
  const columns = [plan.nameColumn, plan.lastNameColumn].flatMap((column) => column ?? []);
  const name = columns
    .map((column) => cellText(cells[column]))
    .filter((part) => part !== '')
    .join(' ');
  return (name === '' ? `${cellText(plan.table.name)} ${shownKey(key)}` : name).slice(0, LONGEST_NAME);
}

/** Returns a composite key as `1/2`, the hash of a row shortened. */
function shownKey(key: string): string {
  if (key.startsWith('["')) return (JSON.parse(key) as string[]).map(cellText).join('/');
  return /^(?:@hash:)?[0-9a-f]{64}$/.test(key) ? key.slice(-12) : cellText(key);
}

/**
 * Returns description columns as they are, then the others as `column name: value`; booleans as yes and no, nulls left
 * out. A value that ends with punctuation gets no other mark behind it.
 */
function rowText(plan: RowPlan, cells: DatabaseRow): string {
  const prose = plan.descriptionColumns.map((column) => cellText(cells[column])).filter((text) => text !== '');
  const listed = facts(plan, cells);
  if (listed.length === 0) return prose.join(' ').slice(0, LONGEST_TEXT);
  const sentences = prose.map((text) => (/[.!?…:;]$/.test(text) ? text : `${text}.`));
  const marked = listed.map((fact, i) => (ENDED.test(fact) ? fact : `${fact}${i < listed.length - 1 ? ';' : '.'}`));
  return [...sentences, `${words(plan.table.name)} with ${marked.join(' ')}`].join(' ').slice(0, LONGEST_TEXT);
}

/** Returns the columns that are no prose as `column name: value`. */
function facts(plan: RowPlan, cells: DatabaseRow): string[] {
  const fact = (column: string, value = cellText(cells[column])) =>
    value === '' ? [] : [`${words(column)}: ${value}`];
  return [
    ...(plan.readableKeys ?? []).flatMap((column) => (OPAQUE.test(cellText(cells[column])) ? [] : fact(column))),
    ...plan.textColumns.flatMap((column) => fact(column)),
  ];
}

function words(name: string): string {
  return cellText(name.replaceAll('_', ' '));
}

function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return String(cell)
    .slice(0, LONGEST_TEXT)
    .replace(/[\s\0]+/g, ' ')
    .trim();
}
