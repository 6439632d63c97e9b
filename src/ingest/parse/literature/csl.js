import { cleanText } from '../../../core/text/clean.js';
import { plainWords } from '../html/words.js';
import { isRecord } from '../table/record-table.js';
import { kindOf } from './kinds.js';
import { isoDate, pagesOf } from './reference.js';

/** @typedef {import('./reference.js').Reference} Reference */
/** @typedef {import('../table/record-table.js').JsonRecord} JsonRecord */

/** Types of entries by the schema of CSL 1.0.2. */
const TYPES = new Set(
  (
    'article article-journal article-magazine article-newspaper bill book broadcast chapter classic collection dataset document entry ' +
    'entry-dictionary entry-encyclopedia event figure graphic hearing interview legal_case legislation manuscript map motion_picture ' +
    'musical_score pamphlet paper-conference patent performance periodical personal_communication post post-weblog regulation report ' +
    'review review-book software song speech standard thesis treaty webpage'
  ).split(' '),
);

/**
 * Returns whether records are entries of literature in CSL JSON: each has a type of it, a title and an id (or the DOI that journals give instead), and one of them people or a day as CSL
 * writes them.
 * @param {readonly JsonRecord[]} records
 */
export function areCsl(records) {
  if (records.length === 0 || !records.every(isEntry)) return false;
  return records.some(
    ({ author, editor, issued }) => isNamed(author) || isNamed(editor) || (isRecord(issued) && 'date-parts' in issued),
  );
}

/** @param {JsonRecord} record */
function isEntry({ type, title, id, DOI }) {
  return TYPES.has(String(type)) && title !== undefined && (id ?? DOI) !== undefined;
}

/** @param {unknown} people */
function isNamed(people) {
  return Array.isArray(people) && people.some((one) => isRecord(one) && ('family' in one || 'literal' in one));
}

/** @param {JsonRecord} record @returns {Reference} */
export function cslReference(record) {
  const text = (/** @type {string} */ name) => plainWords(written(record[name]));
  return {
    title: text('title'),
    // Zotero writes preprints so.
    kind: record.type === 'article' ? 'preprint' : kindOf(written(record.type)),
    authors: peopleIn(record.author),
    editors: peopleIn(record.editor),
    date: dateOf(record.issued),
    container: text('container-title'),
    series: text('collection-title'),
    volume: text('volume'),
    issue: text('issue'),
    pages: pagesOf(text('page')),
    edition: text('edition'),
    publisher: text('publisher'),
    place: text('publisher-place'),
    doi: written(record.DOI),
    isbn: text('ISBN'),
    url: written(record.URL),
    abstract: text('abstract'),
    keywords: text('keyword').split(/\s*[,;]\s*/u),
    notes: [text('note'), text('annote')].filter(Boolean),
    key:
      written(record['citation-key']) || (/^[\p{L}][\w:.-]{2,60}$/u.test(written(record.id)) ? written(record.id) : ''),
  };
}

/** @param {unknown} value */
function written(value) {
  return typeof value === 'string' || typeof value === 'number' ? cleanText(String(value)).trim() : '';
}

/** @param {unknown} people @returns {string[]} */
function peopleIn(people) {
  return (Array.isArray(people) ? people : []).filter(isRecord).map((one) => {
    const particles = [one['dropping-particle'], one['non-dropping-particle']];
    const name = [one.given, ...particles, one.family].map(written).filter(Boolean).join(' ');
    return [name || written(one.literal), written(one.suffix)].filter(Boolean).join(', ');
  });
}

/** @param {unknown} issued */
function dateOf(issued) {
  if (!isRecord(issued)) return written(issued);
  const [first, last] = Array.isArray(issued['date-parts']) ? issued['date-parts'] : [];
  const days = [first, last].map((day) => (Array.isArray(day) ? isoDate(day.map(written)) : ''));
  return days.filter(Boolean).join(' to ') || written(issued.raw) || written(issued.literal);
}
