import type { ForeignKey, TableInfo } from '../../backends/relational/port.js';
import { globMatches } from '../../core/text/glob.js';
import { letters } from '../../core/wording/letters.js';
import { isSecretKey } from '../../core/wording/secrets.js';
import type { Conventions } from './conventions.js';
import { keyColumnsOf } from './identity.js';

/**
 * Returns the relation type of a foreign key: the first convention that fits, in lower case as the configuration has
 * it.
 */
export function relationOf(table: TableInfo, key: ForeignKey, conventions: Conventions): string {
  for (const rule of conventions.relations) {
    const fits =
      key.columns.some((column) => names(rule.columns, column) || hasSuffix(rule.column_suffixes, column)) ||
      hasSuffix(rule.table_suffixes, table.name) ||
      (rule.join_table !== undefined && isJoinTable(table, rule.join_table, conventions)) ||
      rule.on_delete === key.on_delete;
    if (fits) return rule.relation;
  }
  return conventions.default_relation;
}

/** Returns whether a table has two or more foreign keys and hardly anything else. */
function isJoinTable(
  table: TableInfo,
  bounds: { readonly min_foreign_keys: number; readonly max_other_columns: number },
  conventions: Conventions,
): boolean {
  if (table.foreign_keys.length < bounds.min_foreign_keys) return false;
  const inKeys = new Set(table.foreign_keys.flatMap((key) => key.columns));
  const others = table.columns.filter((c) => !inKeys.has(c.name) && !names(conventions.bookkeeping_columns, c.name));
  return others.length <= bounds.max_other_columns;
}

/**
 * Returns whether the table's rows are kinds of things: a slug, an active or public flag, or a name listed as a
 * catalog.
 */
export function isCatalog(table: TableInfo, { catalog }: Conventions): boolean {
  return (
    table.columns.some((column) => names(catalog.columns, column.name)) ||
    hasSuffix(catalog.table_suffixes, table.name) ||
    (hasSuffix(catalog.item_suffixes, table.name) && table.foreign_keys.length <= catalog.item_max_foreign_keys)
  );
}

/**
 * Returns the column that names a row, else the columns of a person's first and last name, else a column of names in another
 * language, else
 * the only text that is unique; none where no column does. A column that is half of a person's name, as `name` beside `vorname`, names no row alone,
 * nor does a mere identifier, as `slug` beside `nombre`.
 */
export function nameColumns(table: TableInfo, conventions: Conventions): string[] {
  const own = table.columns.find(({ name }) => isNameOf(table.name, plain(name)));
  const name = firstOf(table, conventions.name_columns)[0] ?? own?.name;
  const person = personColumns(table, conventions);
  const { identifier_columns = [], foreign_name_columns = [] } = conventions;
  const foreign = firstOf(table, foreign_name_columns).slice(0, 1);
  const isIdentifier = name !== undefined && foreign.length > 0 && names(identifier_columns, name);
  if (name !== undefined && !isIdentifier && !person.includes(name)) return [name];
  if (person.length > 0) return person;
  return foreign.length > 0 || name !== undefined ? foreign : uniqueColumn(table);
}

const TEXT_TYPE = /char|text|clob|string/i;
/** Columns whose values tell rows apart for a machine, or say how to reach somebody: nobody calls a row by them. */
const NO_NAME =
  /(?:^|_)(?:e_?mail|mail|phone|telephone|telefon|mobile|uuid|guid|hash|sha\d*|md5|checksum|digest|token|etag|url|uri|href|link|path|file|filename|image|ip|mac|iban|session|cursor|json|body|content|text|note|notes|comment|description)(?:_|$)/i;

/** Returns the only column of text that is unique by itself, as `number` of invoices; none where there are
 * several, or it refers to another table, or is the key that names the row anyway. */
function uniqueColumn(table: TableInfo): string[] {
  const keys = new Set([...keyColumnsOf(table), ...table.foreign_keys.flatMap((key) => key.columns)]);
  const unique = new Set(table.unique_constraints.flatMap((columns) => (columns.length === 1 ? columns : [])));
  const found = table.columns.filter(
    ({ name, type }) => unique.has(name) && TEXT_TYPE.test(type) && !keys.has(name) && !isSecretKey(name),
  );
  return found.length === 1 && !NO_NAME.test(snake(found[0]!.name)) ? [found[0]!.name] : [];
}

/** Returns `page_url` for `pageUrl`. */
function snake(name: string): string {
  return plain(name.replace(/(?<=[a-z\d])(?=[A-Z])/gu, '_'));
}

function personColumns(table: TableInfo, { person_name_columns }: Conventions): string[] {
  for (const pair of person_name_columns) {
    const found = pair.flatMap((wanted) => table.columns.find(({ name }) => letters(name) === letters(wanted)) ?? []);
    if (found.length === 2) return found.map(({ name }) => name);
  }
  return [];
}

/** Returns whether a column is called after its table: `customer_name` of `customers`. */
function isNameOf(table: string, column: string): boolean {
  const [, thing] = /^(.+)_name$/.exec(column) ?? [];
  return thing !== undefined && [thing, `${thing}s`, `${thing}es`, thing.replace(/y$/, 'ies')].includes(plain(table));
}

/** Returns whether a column says when and how a row was kept, not what it is about. */
export function isBookkeeping(column: string, conventions: Conventions): boolean {
  return names(conventions.bookkeeping_columns, column);
}

/** Returns columns that describe a row, in the configured order. */
export function descriptionColumns(table: TableInfo, conventions: Conventions): string[] {
  return firstOf(table, conventions.description_columns);
}

function firstOf(table: TableInfo, wanted: readonly string[]): string[] {
  return wanted.flatMap((name) => table.columns.find((column) => same(column.name, name))?.name ?? []);
}

/**
 * Returns a catalog of schema glob → domain; the first pattern that fits `schema.table` or `table`, else the source's
 * id.
 */
export function domainOf(table: TableInfo, domainMap: Readonly<Record<string, string>>, sourceId: string): string {
  const found = Object.entries(domainMap).find(([pattern]) => fitsTable(pattern, table));
  return found?.[1] ?? sourceId;
}

function fitsTable(pattern: string, { schema, name }: TableInfo): boolean {
  return globMatches(pattern, `${schema}.${name}`) || globMatches(pattern, name);
}

/** Returns a sentence for each pattern of a domain map that fits no table: what it was meant for goes elsewhere. */
export function domainMapWarnings(domainMap: Readonly<Record<string, string>>, tables: readonly TableInfo[]): string[] {
  return Object.keys(domainMap)
    .filter((pattern) => !tables.some((table) => fitsTable(pattern, table)))
    .map(
      (pattern) =>
        `domain_map has ${JSON.stringify(pattern)}, which fits no table; it is compared with schema.table and table, * stands for any characters.`,
    );
}

function same(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

/** Returns a name as the conventions write it: `Full Name` is `full_name`. */
function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}

function names(list: readonly string[] | undefined, name: string): boolean {
  return list?.some((entry) => same(entry, name)) ?? false;
}

function hasSuffix(list: readonly string[] | undefined, name: string): boolean {
  return list?.some((suffix) => name.toLowerCase().endsWith(suffix.toLowerCase())) ?? false;
}
