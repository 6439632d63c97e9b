import { dateOf } from './serial-dates.js';

/** @typedef {import('@e965/xlsx').CellObject} Cell */

/** Digits that a number of a spreadsheet has; more are noise. */
const DIGITS = 15;
/** Numbers from this on have no plain form. */
const LARGEST = 1e21;

/**
 * Returns what a cell says: a number as the sheet shows it, but whole, a date as ISO writes it, a text as it stands. An error says nothing.
 * @param {Cell} cell @param {boolean} from1904
 */
export function textOf({ t: type, v: value, w: shown, z: format }, from1904) {
  if (type === 'b') return value ? 'yes' : 'no';
  if (type === 's') return String(value ?? '').trim();
  if (type !== 'n' || typeof value !== 'number' || !Number.isFinite(value)) return '';
  const code = typeof format === 'string' ? format : implicitFormat(shown);
  const date = dateOf(value, code, from1904);
  if (date !== undefined) return date;
  const isPlain = code === '' || code === 'General' || code === '@' || /e[+-]/iu.test(code);
  return isPlain && !(code === '' && shown !== undefined) ? plain(value) : shownText(shown, value);
}

/** How the library shows a number whose format stands in no file, as those of East Asia from 27 to 36 and from 50 to 58. */
const IMPLICIT = /** @type {const} */ ([
  [/^\d{1,2}\/\d{1,2}\/\d\d$/u, 'm/d/yy'],
  [/^\d{1,2}:\d\d:\d\d$/u, 'h:mm:ss'],
]);

/** Returns the format of a day or time that the library does not tell, as of the first cell with it. @param {string | undefined} shown */
function implicitFormat(shown = '') {
  return IMPLICIT.find(([pattern]) => pattern.test(shown))?.[1] ?? '';
}

/** @param {string | undefined} shown @param {number} value */
function shownText(shown, value) {
  const text = shown?.replace(/\s+/gu, ' ').trim();
  return text === undefined || /^#+$|\dE[+-]\d/u.test(text) ? plain(value) : text;
}

/** Returns a number without what computing with it added: 0.1 + 0.2 is 0.3. @param {number} value */
function plain(value) {
  return Number.isInteger(value) && Math.abs(value) < LARGEST
    ? String(value)
    : String(Number(value.toPrecision(DIGITS)));
}
