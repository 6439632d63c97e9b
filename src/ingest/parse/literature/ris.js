import { plainWords } from '../html/words.js';
import { kindOf } from './kinds.js';
import { isoDate, pagesOf } from './reference.js';

/** @typedef {import('./reference.js').Reference} Reference */

/** The first line of an entry. A database may write some lines above it. */
const BEGINNING = /^TY {0,3}- ?\S/mu;
const LOOKED_AT = 2000;
const LINE = /^([A-Z][A-Z\d]) {0,3}-(?: (.*))?$/u;

/** Returns whether a text is a list of literature in RIS. @param {string} text */
export function isRis(text) {
  return BEGINNING.test(text.slice(0, LOOKED_AT));
}

/** Yields the entries of a list in RIS; what stands before the first is left out, and a line without a tag goes on with the one above. @param {string} text @returns {Generator<Reference>} */
export function* risReferences(text) {
  /** @type {Map<string, string[]> | undefined} */
  let fields;
  /** @type {string[] | undefined} */
  let open;
  for (const written of text.split('\n')) {
    const [, tag, value = ''] = LINE.exec(written.trimEnd()) ?? [];
    if (tag === undefined) {
      if (open !== undefined && written.trim() !== '') open.push(`${open.pop()}\n${written.trim()}`);
    } else if (tag === 'ER' || tag === 'TY') {
      if (fields !== undefined) yield referenceOf(fields);
      fields = tag === 'TY' ? new Map([['TY', [value.trim()]]]) : undefined;
      open = undefined;
    } else if (fields !== undefined) {
      open = fields.get(tag) ?? [];
      fields.set(tag, open);
      open.push(value.trim());
    }
  }
  if (fields !== undefined) yield referenceOf(fields);
}

/** @param {Map<string, string[]>} fields @returns {Reference} */
function referenceOf(fields) {
  const all = (/** @type {string[]} */ ...tags) =>
    tags
      .flatMap((tag) => fields.get(tag) ?? [])
      .map(plainWords)
      .filter(Boolean);
  const one = (/** @type {string[]} */ ...tags) => all(...tags)[0] ?? '';
  const type = one('TY');
  const number = one('SN');
  return {
    title: one('TI', 'T1', 'CT', 'BT'),
    kind: kindOf(type),
    authors: all('AU', 'A1').map(calledBy),
    editors: all('ED', 'A2').map(calledBy),
    date: dayOf(one('DA') || one('PY', 'Y1')) || dayOf(one('PY', 'Y1')),
    container: one('JF', 'T2', 'JO', 'JA', 'J2'),
    series: one('T3'),
    volume: one('VL'),
    issue: one('IS'),
    pages: pagesOf([one('SP'), one('EP')].filter(Boolean).join('–')),
    edition: one('ET'),
    publisher: one('PB'),
    place: one('CY', 'PP'),
    doi: one('DO'),
    isbn: ['BOOK', 'CHAP', 'EBOOK', 'ECHAP', 'EDBOOK'].includes(type) ? number : '',
    url: one('UR', 'LK'),
    abstract: one('AB', 'N2'),
    keywords: all('KW').flatMap((value) => value.split(/\s*[;\n]\s*/u)),
    notes: all('N1', 'RN'),
    key: one('ID'),
  };
}

/** Returns a name in the order in which it is spoken: "Müller, Jörg, Jr." is "Jörg Müller, Jr." @param {string} written */
function calledBy(written) {
  const [family = '', given = '', ...suffix] = written.split(/\s*,\s*/u);
  return [`${given} ${family}`.trim(), ...suffix].filter(Boolean).join(', ');
}

/** Returns a day, which is written "2015/05/28/" or "2015///spring". @param {string} written */
function dayOf(written) {
  const [year = '', month, day] = written.split(/[/-]/u);
  return isoDate([year.trim(), month?.trim(), day?.trim()]);
}
