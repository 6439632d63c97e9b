import type { DatabaseRow, ForeignKey, TableInfo } from '../../backends/relational/port.js';
import { hash20 } from '../../core/ids.js';
import { mayHoldSecret } from '../../core/wording/secrets.js';
import { descriptionColumns, isBookkeeping, nameColumns, relationOf } from '../inspect/classify.js';
import type { Conventions } from '../inspect/conventions.js';
import { keyColumnsOf, tableKey } from '../inspect/identity.js';
import { inColumnOrder } from '../inspect/parallel-keys.js';
import { domainIn, referenced, type SchemaView } from '../inspect/schema-graph.js';

/** Types of key columns whose values people write and read, such as an article number. */
const TEXT_TYPE = /char|text|clob|string/i;
/** What a column's name ends with that says no more than that it refers to something. */
const ID_SUFFIX = /[_ -]?(?:id|key|fk|no|nr|code)$/i;
/** Part of a table's signature: rows are made anew where other values are opaque than before. */
const SHOWN_KEYS = 2;
/** The same of tables with keys that may refer to one row by one relation: earlier releases kept the columns of one key. */
const JOINED_EDGES = 1;

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
  /** References that the row's text names; absent where there are none. */
  readonly shown?: readonly ShownReference[];
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

/** A reference that a row's text names: "lent to: Amir Hosseini". */
export interface ShownReference {
  readonly reference: RowReference;
  /** What the row calls it: its column without "id". */
  readonly word: string;
  /** Columns that name the rows it points at. */
  readonly names: readonly string[];
  /** Whether the value itself may be read by people, such as an article number. */
  readonly isReadable: boolean;
}

/** A row that another one refers to. */
export interface ReferencedRow {
  readonly key: string;
  /** Empty where no column names it. */
  readonly name: string;
}

/** Per reference: values as text → the row they point at. */
export type ReferencedRows = ReadonlyMap<RowReference, ReadonlyMap<string, ReferencedRow>>;

/** A row as it was read, with the rows that it refers to. */
export interface ReadRow {
  readonly cells: DatabaseRow;
  readonly found: ReferencedRows;
}

/**
 * Works out what depends on the table only. `edges` is false for sources that feed vectors only, `vectors` for those that
 * feed the graph only. `named`: tables (by `tableKey`) whose rows may be named in the texts of others: those that are synced,
 * since who leaves a table out wants none of its names.
 */
export function rowPlan(
  view: SchemaView,
  table: TableInfo,
  {
    edges,
    vectors,
    named: inText,
    deriveRules = false,
  }: {
    readonly edges: boolean;
    readonly vectors: boolean;
    readonly named: ReadonlySet<string>;
    readonly deriveRules?: boolean | undefined;
  },
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
  const references = table.foreign_keys.flatMap((key) => reference(view, table, key));
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
    keys: edges ? references : [],
  };
  const shown = inColumnOrder(table, references)
    .filter(({ target }) => inText.has(tableKey(target)))
    .flatMap((one) => shownReference(one, view.conventions));
  const targets = plan.keys.map((key) => ({ ...key, target: tableKey(key.target) }));
  const types = new Map(table.columns.map(({ name, type }) => [name, type]));
  const isRead = (name: string): boolean => mayHoldSecret(name) || /json/iu.test(types.get(name) ?? '');
  const marks = {
    ...(vectors ? {} : { vectors }),
    // Earlier releases read secrets too, also in members of JSON: tables that have such columns are read anew, whole.
    ...(plan.textColumns.some(isRead) ? { secrets: 2 } : {}),
    ...(readable.length === 0 ? {} : { shown_keys: SHOWN_KEYS }),
    ...(mayMeet(plan.keys) ? { joined_edges: JOINED_EDGES } : {}),
    ...(shown.length === 0 ? {} : { shown: shown.map(({ reference: _, ...one }) => one) }),
  };
  const signature = hash20(JSON.stringify({ ...plan, keys: targets, key: keyColumnsOf(table), ...marks }));
  return { ...plan, ...(shown.length === 0 ? {} : { shown }), vectors, table, signature };
}

function mayMeet(keys: readonly RowReference[]): boolean {
  return new Set(keys.map(({ target, relation }) => `${tableKey(target)}\0${relation}`)).size < keys.length;
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

/** Returns how a row's text names what a reference points at; nothing where neither a name nor a value says anything. */
function shownReference(reference: RowReference, conventions: Conventions): ShownReference[] {
  const { columns, references, target } = reference;
  const names = nameColumns(target, conventions);
  const type = target.columns.find(({ name }) => name === references[0])?.type ?? '';
  const isReadable = columns.length === 1 && TEXT_TYPE.test(type);
  if (names.length === 0 && !isReadable) return [];
  const own = columns.length === 1 ? columns[0]!.replace(ID_SUFFIX, '') : '';
  return [{ reference, word: own === '' ? target.name : own, names, isReadable }];
}
