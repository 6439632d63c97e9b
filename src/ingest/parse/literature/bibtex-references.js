import { MONTHS, readBibtex } from './bibtex.js';
import { peopleIn } from './bibtex-names.js';
import { kindOf } from './kinds.js';
import { latexText } from './latex-text.js';
import { isoDate, pagesOf } from './reference.js';

/** @typedef {import('./reference.js').Reference} Reference */
/** @typedef {import('./bibtex.js').BibtexEntry} BibtexEntry */

/**
 * Returns the entries of a BibTeX or BibLaTeX file, and how many of them end before their end.
 * @param {string} text
 * @returns {{ references: Iterable<Reference>, broken: number }}
 */
export function bibtexReferences(text) {
  const { entries, broken } = readBibtex(text);
  const byKey = new Map(entries.filter(({ key }) => key !== '').map((entry) => [entry.key.toLowerCase(), entry]));
  return { references: referencesOf(entries, byKey), broken };
}

/** @param {BibtexEntry[]} entries @param {Map<string, BibtexEntry>} byKey @returns {Generator<Reference>} */
function* referencesOf(entries, byKey) {
  for (const entry of entries) {
    const holder = byKey.get((entry.fields.get('crossref') ?? '').trim().toLowerCase());
    yield referenceOf(entry, holder === entry ? undefined : holder);
  }
}

/** @param {BibtexEntry} entry @param {BibtexEntry | undefined} holder The book that the entry stands in, where it is an entry of its own. @returns {Reference} */
function referenceOf({ type, key, fields }, holder) {
  const raw = (/** @type {string[]} */ ...names) => firstOf(fields, names);
  const text = (/** @type {string[]} */ ...names) => latexText(raw(...names));
  const shared = (/** @type {string} */ ...names) => text(...names) || latexText(firstOf(holder?.fields, names));
  const subtitle = text('subtitle');
  const pages = text('pages');
  return {
    title: [text('title'), subtitle].filter(Boolean).join(': '),
    kind: kindOf(type),
    authors: peopleIn(raw('author')),
    editors: peopleIn(raw('editor') || firstOf(holder?.fields, ['editor'])),
    date: dateOf(shared('date'), shared('year'), shared('month'), text('day')),
    container:
      text('journal', 'journaltitle', 'booktitle', 'maintitle') ||
      latexText(firstOf(holder?.fields, ['booktitle', 'title'])),
    series: shared('series'),
    volume: shared('volume'),
    issue: text('number', 'issue'),
    pages: pagesOf(pages),
    edition: shared('edition'),
    publisher: shared('publisher', 'institution', 'school', 'organization'),
    place: shared('address', 'location'),
    doi: address(raw('doi')),
    isbn: text('isbn'),
    url: address(raw('url')) || /\\url\{([^{}\s]{1,1000})\}/u.exec(raw('howpublished'))?.[1] || '',
    abstract: text('abstract'),
    keywords: text('keywords', 'keyword').split(/\s*[,;]\s*/u),
    notes: [text('note'), text('annote', 'annotation'), text('howpublished')].filter(
      (note) => note !== '' && !/^https?:/u.test(note),
    ),
    key,
  };
}

/** Returns the first of these fields that says something. @param {Map<string, string> | undefined} fields @param {string[]} names */
function firstOf(fields, names) {
  return names.map((name) => fields?.get(name)).find((value) => value?.trim()) ?? '';
}

/** @param {string} date @param {string} year @param {string} month @param {string} day */
function dateOf(date, year, month, day) {
  if (date !== '') return date.replace(/^(\d{4}(?:-\d\d(?:-\d\d)?)?)T.*$/u, '$1').replace('/', ' to ');
  const named = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  return isoDate([year, named || month, day]);
}

/** Returns an address without the signs of LaTeX that programs write in it. @param {string} written */
function address(written) {
  return written.replace(/\\(?=[%&_#~$])|[{}]/gu, '').trim();
}
