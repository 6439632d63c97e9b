import { canBePower, isCalculated, isUnitSymbol } from './units.js';

const SIGNS = '0123456789+-=()n';
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ';
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₙ';
const SIMPLE = /^[\d+\-=()]+$|^n$/u;

function raised(signs, letters) {
  return [...signs].map((sign) => letters[SIGNS.indexOf(sign)]).join('');
}

/**
 * Returns a subscript: H₂O. After a number it is 12_8: words are compared folded, and 12₈ would be the number 128. Below the
 * stroke of a fraction it is a number: 1/2.
 * @param {string} written
 * @param {string} before
 */
export function subscript(written, before) {
  const content = written.trim().replaceAll('−', '-');
  if (/^\d+$/u.test(content) && /\p{N}\s?[/⁄∕]$/u.test(before)) return content;
  if (SIMPLE.test(content)) return /\p{N}$/u.test(before) ? `_${content}` : raised(content, SUBSCRIPTS);
  return /\d/u.test(content) && isFormula(content, before) ? `_${grouped(content)}` : apart(written, before);
}

/**
 * Returns a superscript: m² and Ca²⁺, but 10^6. Words are compared folded: 10⁶ would be found as the number 106, while a
 * question for m2 finds m². Undefined for what can only be the mark of a note.
 * @param {string} written
 * @param {{ before: string, after: string }} around
 */
export function superscript(written, around) {
  const content = written.trim().replaceAll('−', '-');
  const afterNumber = /\p{N}$/u.test(around.before);
  if (isAboveStroke(content, around)) return afterNumber ? ` ${content}` : content;
  if (NUMBERS.test(content) && isNoteNumber(content, around)) return undefined;
  if (SIMPLE.test(content)) return afterNumber ? `^${content}` : raised(content, SUPERSCRIPTS);
  if (/[\d+=]|^-/u.test(content) && isFormula(content, around.before)) return `^${grouped(content)}`;
  return apart(written, around.before);
}

/**
 * Returns a fraction of two raised and lowered numbers: 1/2, apart from a number or word before it: 1 1/2. In x²/3 the upper
 * number is the power of a symbol.
 * @param {string} above
 * @param {string} below
 * @param {string} before
 */
export function fraction(above, below, before) {
  const isPower = above !== '1' && (/(?:^|\P{L})\p{L}{1,3}$|[)\]]$/u.test(before) || canBePower(above, before));
  if (isPower) return `${raised(above, SUPERSCRIPTS)}/${below}`;
  return `${/[\p{L}\p{N})\]]$/u.test(before) ? ' ' : ''}${above}/${below}`;
}

/** Returns whether it is the number above the stroke of a fraction whose lower number stands on the line: ¹/2, 1¹⁄2. */
function isAboveStroke(content, { before, after }) {
  if (!/^\d{1,4}$/u.test(content)) return false;
  return /^⁄\d/u.test(after) ? !/[\p{L})\]]$/u.test(before) : /^[/∕]\d/u.test(after) && /(?:^|[\s(])$/u.test(before);
}

/** Returns whether it is what stands above or below a symbol: 10 to the power of n+1. */
function isFormula(content, before) {
  return /^[\p{L}\p{N}+\-=*/().,]{1,12}$/u.test(content) && /[\p{L}\p{N})]$/u.test(before);
}

/** Returns words with a space before them; 1st, Mme and ™ are one word with what stands before them. */
function apart(written, before) {
  return /[\s\p{L}\p{N}]{5}/u.test(written) && /[\p{L}\p{N}]$/u.test(before) ? ` ${written}` : written;
}

function grouped(content) {
  return /^-?[\p{L}\p{N}]+$/u.test(content) ? content : `(${content})`;
}

/** "1", "1)", "[1]", "1, 2", "1–3". */
const NUMBERS = /^[([]?\d{1,3}(?:\s*[,;–-]\s*\d{1,3}){0,20}[)\].]?$/u;
/** A number that is no part of a code, a date or a name, such as draft-07. */
const NUMBER_ALONE = /(?:^|[\s([|=+*×·/^]|(?:^|[\s(])[-−])\d[\d.,]*$/u;
const UNIT = /^\s*[\p{L}\p{Sc}%°]/u;

/**
 * Returns whether a superscript of digits is the mark of a note, not a power. 10 and 2 have powers, and so have units and numbers
 * that the text calculates with; another number before a word or a currency has a note, as in "14¹ Euro"; so have words that
 * are no symbol of a unit or variable.
 * @param {string} digits
 * @param {{ before: string, after: string }} around
 */
function isNoteNumber(digits, { before, after }) {
  const unit = UNIT.test(after);
  // Before the symbol of an element it is the number of an isotope.
  if (/(?:^|\s)$/u.test(before) && /^(?:\d{2,3}(?=\n\p{Lu}\p{Ll}?(?!\p{L}))|[1-3]\nH\b)/u.test(`${digits}\n${after}`))
    return false;
  if (isCalculated(digits, before, after)) return false;
  if (/(?:^|[^\d.,])10$/u.test(before)) return digits === '1' && unit && !isUnitSymbol(after);
  if (/(?:^|[^\d.,])2$/u.test(before)) return /^\d$/u.test(digits) && unit;
  if (!/^\d+$/u.test(digits) || digits === '1') return !/(?:^|\P{L})\p{L}$/u.test(before);
  if (/\d$/u.test(before)) return unit || !NUMBER_ALONE.test(before);
  const word = /\p{L}+$/u.exec(before)?.[0];
  if (word !== undefined) return (word.length > 3 || /^\p{Lu}{3}$/u.test(word)) && !canBePower(digits, before);
  return /(?:^|[\s.,;:!?…"'”’»“%\p{Sc}])$/u.test(before);
}
