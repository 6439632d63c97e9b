import { addressOf } from '../html/address.js';

/** @typedef {import('../parts.js').Part} Part */
/**
 * An entry of a list of literature; what it does not say is empty. `date`: in ISO 8601 as far as it is known. `container`: where it appeared.
 * @typedef {{
 *   title: string, kind: string, authors: string[], editors: string[], date: string, container: string, series: string, volume: string, issue: string,
 *   pages: string, edition: string, publisher: string, place: string, doi: string, isbn: string, url: string, abstract: string, keywords: string[],
 *   notes: string[], key: string,
 * }} Reference
 */

/** People of an entry that are named, and keywords. */
const MOST = 60;

/** Yields an entry as a row of a table: its title as its name, who wrote it, when, and where it appeared, then its abstract and notes. @param {Reference} reference @returns {Generator<Part>} */
export function* referenceParts(reference) {
  const { title, container, key, kind, abstract, notes } = reference;
  const name = title || container || key || kind;
  const facts = factsOf(reference)
    .filter(([, value]) => value !== '')
    .map(([label, value]) => `${label}: ${value.replace(/\s+/gu, ' ')}`);
  const others = [...(abstract === '' ? [] : [`abstract: ${abstract}`]), ...notes.map((note) => `note: ${note}`)];
  if (title === '' && facts.length < 2 && others.length === 0) return;
  yield { kind: 'heading', level: 2, text: name.replace(/\s+/gu, ' ') };
  if (facts.length > 0) yield { kind: 'prose', text: `${facts.join('; ')}.` };
  for (const text of others) yield { kind: 'prose', text };
}

/** @param {Reference} reference @returns {Array<[label: string, value: string]>} */
function factsOf(reference) {
  const { authors, editors, date, kind, publisher, place, edition, doi, isbn, url, keywords, key } = reference;
  const address = addressOf(url);
  return [
    [authors.length > 1 ? 'authors' : 'author', listOf(authors)],
    [editors.length > 1 ? 'editors' : 'editor', listOf(editors)],
    ['date', date],
    ['in', placeOf(reference)],
    ['edition', edition],
    ['publisher', [publisher, place].filter(Boolean).join(', ')],
    ['kind', kind],
    ['keywords', listOf(keywords)],
    ['DOI', doiIn(doi)],
    ['ISBN', isbn],
    ['address', doi !== '' && /^https?:\/\/(?:dx\.)?doi\.org\//u.test(address) ? '' : address],
    ['key', key],
  ];
}

/** Returns a DOI without what stands before it; of another address what may be shown. @param {string} written */
function doiIn(written) {
  const doi = written.replace(/^(?:doi:\s*|https?:\/\/(?:dx\.)?doi\.org\/)/iu, '');
  return /^https?:/iu.test(doi) ? addressOf(doi) : doi;
}

/** Returns where an entry appeared: "Nature, volume 521, issue 7553, pages 436–444". @param {Reference} reference */
function placeOf({ title, container, series, volume, issue, pages }) {
  const facts = [
    container === title ? '' : container,
    series === container ? '' : series,
    volume && `volume ${volume}`,
    issue && `issue ${issue}`,
    pages && `${/^\d+$/u.test(pages) ? 'page' : 'pages'} ${pages}`,
  ];
  return facts.filter(Boolean).join(', ');
}

/** @param {string[]} values */
function listOf(values) {
  const known = values.filter((value) => value !== '');
  const more = known.length - MOST;
  return [...known.slice(0, MOST), ...(more > 0 ? [`and ${more} others`] : [])].join(', ');
}

/** Returns the pages of an entry with one sign between the first and the last. @param {string} written */
export function pagesOf(written) {
  return written.replace(/\s*(?:-{1,3}|–|—)\s*/gu, '–');
}

/** Returns a day in ISO 8601, as far as it is known. @param {ReadonlyArray<string | number | undefined>} parts Year, month and day. */
export function isoDate([year, month, day]) {
  const numbers = [month, day].map((part) => Number(part));
  if (!/^\d{4}$/u.test(String(year ?? ''))) return String(year ?? '');
  const known = numbers.slice(
    0,
    numbers[0] >= 1 && numbers[0] <= 12 ? (numbers[1] >= 1 && numbers[1] <= 31 ? 2 : 1) : 0,
  );
  return [year, ...known.map((part) => String(part).padStart(2, '0'))].join('-');
}
