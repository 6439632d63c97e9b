import { plainWords } from '../html/words.js';
import { contentOf, XmlRecords } from '../xml/records.js';
import { elementAt, elementsOf, textIn } from '../xml/tree.js';
import { addressFact, entryParts } from './entry.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('../xml/tree.js').XmlElement} XmlElement */

const NAMES = { records: new Set(['item', 'entry']) };
/** The element that opens a file of XML, behind what is declared and remarked. */
const ROOT =
  /^\s*(?:<\?[^>]{0,500}\?>\s*|<!--(?:(?!-->)[\s\S]){0,5000}-->\s*|<!DOCTYPE[^>[]{0,500}(?:\[[^\]]{0,9000}\]\s*)?>\s*)*<([A-Za-z][\w:.-]{0,60})/u;
const FEEDS = new Set(['rss', 'feed', 'rdf:RDF']);
/** What WordPress exports beside pages and posts, and states of these in which nobody reads them. */
const NO_POST = new Set(['attachment', 'nav_menu_item', 'revision', 'wp_global_styles', 'wp_navigation']);
const REMOVED = new Set(['trash', 'auto-draft']);

/** A day as mails and RSS write it: `Mon, 06 Jan 2025 23:30:00 -0500`. */
const OF_MAIL = /^(?:[A-Z][a-z]{2,8},?\s{1,9})?(\d{1,2})\s{1,9}([A-Z][a-z]{2})[a-z]{0,6}\s{1,9}(\d{4})\b/u;

/** A file of XML that is no feed: the message is the name of the element that opens it. */
export class NoFeed extends Error {
  name = 'NoFeed';
}

/**
 * Returns the entries of a feed in RSS or Atom, or of a site that WordPress exported: each a section below its title, with its text, author, day and tags. Throws `NoFeed` for other
 * files of XML, and `LimitExceeded`.
 * @param {string} text
 * @returns {{ title?: string, parts: Iterable<Part> }}
 */
export function feedParts(text) {
  const root = ROOT.exec(text.slice(0, HEAD))?.[1] ?? '';
  // RDF holds anything; a feed in it holds items.
  if (!FEEDS.has(root) || (root === 'rdf:RDF' && !/<item[\s>]/u.test(text))) throw new NoFeed(root);
  const title = titleOf(text);
  return { ...(title === '' ? {} : { title }), parts: partsOf(text) };
}

/** Characters in which the title of a feed is looked for: it stands before the entries. */
const HEAD = 20_000;

/** @param {string} text */
function titleOf(text) {
  const reader = new XmlRecords(NAMES);
  for (const _ of reader.read(text.slice(0, HEAD))) break;
  const [root] = elementsOf(reader.top);
  return plainWords(contentOf(elementAt(root, 'channel', 'title') ?? elementAt(root, 'title'))).replace(/\s+/gu, ' ');
}

/** @param {string} text @returns {Generator<Part>} */
function* partsOf(text) {
  for (const entry of new XmlRecords(NAMES).read(text)) {
    const type = textIn(elementAt(entry, 'wp:post_type'));
    if (!NO_POST.has(type) && !REMOVED.has(textIn(elementAt(entry, 'wp:status')))) yield* partsOfEntry(entry);
  }
}

/** @param {XmlElement} entry @returns {Generator<Part>} */
function* partsOfEntry(entry) {
  const texts = ['content:encoded', 'content', 'description', 'summary', 'itunes:summary'].map((name) =>
    contentOf(elementAt(entry, name)),
  );
  const link = elementsOf(entry, 'link').find(({ attributes }) => (attributes.rel ?? 'alternate') === 'alternate');
  const authors = elementsOf(entry, 'author').map((author) => textIn(elementAt(author, 'name')) || textIn(author));
  const tags = elementsOf(entry, 'category').map((one) => one.attributes.label || one.attributes.term || textIn(one));
  const address = addressFact(link?.attributes.href ?? textIn(link));
  yield* entryParts({
    title: plainWords(contentOf(elementAt(entry, 'title'))).replace(/\s+/gu, ' ') || address[1] || 'Untitled entry',
    html: texts.find((written) => written.trim() !== '') ?? '',
    facts: [
      ['author', [textIn(elementAt(entry, 'dc:creator')), ...authors].filter(Boolean).join(', ')],
      ['date', dayOf(['pubDate', 'published', 'dc:date', 'updated'].map((name) => textIn(elementAt(entry, name))))],
      ['tags', [...new Set(tags.filter(Boolean))].join(', ')],
      address,
    ],
  });
}

/** Returns the day of the first time that is known, in ISO 8601, as its author wrote it: in the zone that stands there. What is no time stays as it is written. @param {string[]} times */
function dayOf(times) {
  const written = times.find((time) => time !== '') ?? '';
  const iso = /^\d{4}-\d\d-\d\d/u.exec(written)?.[0];
  if (iso !== undefined) return iso;
  const [, day, month, year] = OF_MAIL.exec(written) ?? [];
  // Without a zone it would be read as a time of this machine.
  const time = Date.parse(day === undefined ? written : `${day} ${month} ${year} UTC`);
  return Number.isNaN(time) ? written.slice(0, 40) : new Date(time).toISOString().slice(0, 10);
}
