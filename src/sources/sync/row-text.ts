import type { Cell, DatabaseRow } from '../../backends/relational/port.js';
import { contentHash } from '../../core/ids.js';
import { LEFT_OUT } from '../../core/wording/secret-forms.js';
import { cellWithoutSecret } from '../../core/wording/secrets.js';
import { keyText, rowHash } from '../inspect/identity.js';
import type { ReadRow, RowPlan } from './row-plan.js';

/** Characters of a row's text, as many as a description may have, and so of a cell. */
const LONGEST_TEXT = 100_000;
const LONGEST_NAME = 500;
/** Characters of the name of a row that another one refers to. */
const LONGEST_REFERENCE = 200;
/** Values of key columns of text that nobody asks for: counted numbers, UUIDs, hashes. Article numbers, ISBNs and EANs are longer. */
const OPAQUE = /^(?:\d{0,5}|[0-9a-f]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
/** Values that need no mark behind them. */
const ENDED = /[.!?…:;,]["'”’»]?$/;
/** Part of the fingerprint of rows with such values: raised where they read differently. */
const ENDED_FACTS = 1;

/** The same of rows that hold a secret. */
const SECRET_FACTS = 2;

/** Returns a hash that changes when the row changes, or what is made of it: the names of the rows it refers to count. */
export function rowFingerprint(plan: RowPlan, row: ReadRow): string {
  // Earlier releases put another mark behind such a value: only these rows read differently now.
  const mark = facts(plan, row).some((fact) => ENDED.test(fact)) ? `:${ENDED_FACTS}` : '';
  const secret = plan.textColumns.some((column) => withoutSecret(column, row.cells) !== cellText(row.cells[column]));
  const references = referenceFacts(plan, row);
  const named = references.length === 0 ? '' : `:${contentHash(references.join('\n'))}`;
  return contentHash(
    `${rowHash(row.cells)}:${plan.signature}${mark}${secret ? `:secret ${SECRET_FACTS}` : ''}${named}`,
  );
}

/** Returns a row's name: its name columns, else its table and key. */
export function rowName(plan: RowPlan, cells: DatabaseRow, key: string): string {
  const columns = [plan.nameColumn, plan.lastNameColumn].flatMap((column) => column ?? []);
  const name = nameIn(cells, columns);
  return (name === '' ? `${cellText(plan.table.name)} ${shownKey(key)}` : name).slice(0, LONGEST_NAME);
}

/** Returns a composite key as `1/2`, the hash of a row shortened. */
function shownKey(key: string): string {
  if (key.startsWith('["')) return (JSON.parse(key) as string[]).map(cellText).join('/');
  return /^(?:@hash:)?[0-9a-f]{64}$/.test(key) ? key.slice(-12) : cellText(key);
}

/** Returns the columns that name a row as one name; empty where all are. */
export function nameIn(cells: DatabaseRow, columns: readonly string[]): string {
  return columns
    .map((column) => cellText(cells[column]))
    .filter((part) => part !== '')
    .join(' ');
}

/**
 * Returns description columns as they are, then the others as `column name: value`, the names of the rows that it refers to
 * first; booleans as yes and no, nulls left out. A value that ends with punctuation gets no other mark behind it.
 */
export function rowText(plan: RowPlan, row: ReadRow): string {
  const { cells } = row;
  const prose = plan.descriptionColumns.map((column) => cellText(cells[column])).filter((text) => text !== '');
  const listed = [...referenceFacts(plan, row), ...facts(plan, row)];
  if (listed.length === 0) return prose.join(' ').slice(0, LONGEST_TEXT);
  const sentences = prose.map((text) => (/[.!?…:;]$/.test(text) ? text : `${text}.`));
  const marked = listed.map((fact, i) => (ENDED.test(fact) ? fact : `${fact}${i < listed.length - 1 ? ';' : '.'}`));
  return [...sentences, `${words(plan.table.name)} with ${marked.join(' ')}`].join(' ').slice(0, LONGEST_TEXT);
}

/** Returns the rows that a row refers to as `column name: name`, with a key that people read behind it. */
function referenceFacts({ shown = [] }: RowPlan, { cells, found }: ReadRow): string[] {
  return shown.flatMap(({ reference, word, isReadable }) => {
    const values = reference.columns.map((column) => cells[column] ?? null);
    if (values.includes(null)) return [];
    const name = found.get(reference)?.get(keyText(values))?.name.slice(0, LONGEST_REFERENCE) ?? '';
    const code = isReadable ? cellText(values[0]).slice(0, LONGEST_REFERENCE) : '';
    if (code === '' || OPAQUE.test(code) || code === name) return name === '' ? [] : [`${words(word)}: ${name}`];
    return [`${words(word)}: ${name === '' ? code : `${name} (${code})`}`];
  });
}

/** Returns the columns that are no prose as `column name: value`, without passwords, tokens and keys. */
function facts(plan: RowPlan, { cells }: ReadRow): string[] {
  const fact = (column: string, value = cellText(cells[column])) =>
    value === '' ? [] : [`${words(column)}: ${value}`];
  return [
    ...(plan.readableKeys ?? []).flatMap((column) => (OPAQUE.test(cellText(cells[column])) ? [] : fact(column))),
    ...plan.textColumns.flatMap((column) => {
      const value = withoutSecret(column, cells);
      return value === LEFT_OUT ? [] : fact(column, value);
    }),
  ];
}

/** Returns a cell without the secrets that its column, a member of its JSON or the form of its text tells. */
function withoutSecret(column: string, cells: DatabaseRow): string {
  return cellWithoutSecret(column, cellText(cells[column]));
}

/** Returns the name of a column or table as words. */
export function words(name: string): string {
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
