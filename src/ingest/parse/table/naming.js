import { letters } from '../../../core/wording/letters.js';
import { isMonth } from '../../../core/wording/months.js';

/**
 * What columns that name a row are called, as `letters` writes it; the first that a table has counts: a title may be "Dr". These and the pairs hold what
 * `config/sources.yaml` has for databases, which people may replace there.
 */
export const NAMES =
  'name fullname displayname nombre nome nom naam title label bezeichnung libelle titel titre designation titulo titolo'.split(
    ' ',
  );
/** First and last names that name a row together. */
export const PEOPLE = [
  ['firstname', 'lastname'],
  ['firstname', 'surname'],
  ['givenname', 'familyname'],
  ['givenname', 'surname'],
  ['vorname', 'nachname'],
  ['vorname', 'name'],
  ['prenom', 'nom'],
  ['nombre', 'apellidos'],
  ['nombre', 'apellido'],
  ['nombre', 'apellido1'],
  ['nombre', 'primerapellido'],
  ['nombres', 'apellidos'],
  ['nome', 'cognome'],
  ['nome', 'sobrenome'],
  ['nome', 'apelido'],
  ['voornaam', 'achternaam'],
  ['voornaam', 'naam'],
];
/** A column is called after what its rows are: "product name", "Artikelname". */
const AFTER_ROWS = /^(?!first|last|given|family|user|file|host|vor|nach|benutzer|datei)\p{L}+name$/u;

/** Rows by whose values a column is taken for one of names. */
const SAMPLE = 200;
/** Columns that are looked at in this way: a table begins with what it is about. */
const FIRST_COLUMNS = 3;
/** Share of the values of a column that stand in other columns, too, from which they name no rows. */
const ELSEWHERE = 0.5;
/** Letters of a value that may be a name, and its longest. */
const NAMING = /\p{L}{2}/u;
const LONGEST = 80;
/** Values that name nothing: addresses, dates, hashes. */
const NO_NAME = /@|:\/\/|^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|^[\da-f]{8,}(?:-|$)/iu;
/** A date, if its word is a month. */
const WORDED_DATE = /^\d{1,2}\.?[-./ ]\s?(\p{L}{3,10})\.?[-./ ]\s?\d{2,4}(?!\d)/iu;

/**
 * Returns the columns that name the rows of a table: by what they are called, else by values that are short texts, nearly all of them different, and of this column alone.
 * Empty where there are none.
 * @param {string[]} head @param {string[][]} rows @returns {number[]}
 */
export function namingColumns(head, rows) {
  const called = head.map(letters);
  const pair = PEOPLE.map((names) => names.map((name) => called.indexOf(name))).find((found) => !found.includes(-1));
  if (pair !== undefined) return pair;
  const name = NAMES.map((each) => called.indexOf(each)).find((column) => column >= 0);
  const column = name ?? [...called.keys()].find((each) => AFTER_ROWS.test(called[each] ?? ''));
  if (column !== undefined) return [column];
  const byValues = [...Array(Math.min(FIRST_COLUMNS, widest(rows))).keys()].find((each) => namesRows(each, rows));
  return byValues === undefined ? [] : [byValues];
}

/** Returns whether a column's name adds nothing to a value that is known to be a name. @param {string} written */
export function saysNoMore(written) {
  return written === '' || NAMES.includes(letters(written));
}

/** @param {string[][]} rows */
function widest(rows) {
  return rows.slice(0, SAMPLE).reduce((most, { length }) => Math.max(most, length), 0);
}

/** @param {number} column @param {string[][]} rows */
function namesRows(column, rows) {
  const values = rows.slice(0, SAMPLE).map((row) => row[column] ?? '');
  const naming = values.filter((value) => value.length <= LONGEST && NAMING.test(value) && !namesNothing(value));
  if (rows.length < 2 || naming.length < 0.9 * values.length || new Set(naming).size < 0.95 * naming.length)
    return false;
  return !standElsewhere(naming, column, rows);
}

/** Returns whether half of the values of a column stand in another one of other rows, too: who opens a hall in one week makes the tea in another. @param {string[]} values @param {number} column @param {string[][]} rows */
function standElsewhere(values, column, rows) {
  const own = new Set(values);
  const found = new Set();
  for (const row of rows.slice(0, SAMPLE))
    for (const [i, cell] of row.entries()) if (i !== column && cell !== row[column] && own.has(cell)) found.add(cell);
  return found.size > 1 && found.size >= ELSEWHERE * own.size;
}

/** Returns whether a value names nothing: an address, a date, a hash. @param {string} value */
export function namesNothing(value) {
  return NO_NAME.test(value) || isMonth(WORDED_DATE.exec(value)?.[1] ?? '');
}
