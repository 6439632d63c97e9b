import { LoggerManager, load, NullLogger } from '@asciidoctor/core';
import { cleanText } from '../../../core/text/clean.js';
import { htmlParts } from '../html.js';
import { LONGEST_LINE, lines } from '../lines.js';
import { textParts } from '../plain-text.js';
import { mayHoldPairs, withPairs } from '../questions/pairs.js';
import { bylineParts } from '../titles/byline.js';
import { frontMatter } from '../titles/front-matter.js';
import { propertiesOf } from '../titles/properties.js';
import { PassageConverter } from './converter.js';

/** @typedef {import('../parts.js').Part} Part */

/** A file that is not read into this one: the library would show its path as a link. */
const INCLUDE = /^\\?include::[^\s[][^[]*\[/u;
const HEADING = /^={1,6} \S/u;
/** Of more headings the library gives no ids: it looks for a free one among all of the same title. */
const MOST_IDS = 2000;
/** How often a cell is to stand, in a number that no table has: the library writes each. */
const MANY_CELLS = /(?<!\S)\d{4,}(?=\*\S{0,9}\|)/gu;
/** Attributes of the day on which a file is read. They stay as they are written: the same bytes always say the same. */
const OF_NOW = ['date', 'time', 'datetime', 'year'].flatMap((one) => [`local${one}`, `doc${one}`]);
const UNREAD =
  'It could not be read as AsciiDoc (its blocks are nested too deeply, or it is of another format), and was read as plain text.';

/**
 * Returns the title and the parts of a text in AsciiDoc, read by Asciidoctor in its secure mode: it reads no other file, nothing from the network, and runs
 * no code. Sections are headings; who wrote it, the version and its day stand first. What the library cannot read is a plain text, with a notice.
 * @param {string} written
 * @returns {Promise<{ title?: string, aliases?: string[], notice?: string, parts: Iterable<Part> }>}
 */
export async function asciidocParts(written) {
  const text = cleanText(written);
  const { title: given, aliases = [] } = frontMatter(text);
  const names = aliases.length === 0 ? {} : { aliases };
  try {
    const { title = given, parts } = await read(text);
    const all = [...propertiesOf(text).map((one) => /** @type {Part} */ ({ kind: 'prose', text: one })), ...parts];
    return { ...names, ...(title ? { title } : {}), parts: mayHoldPairs(text) ? withPairs(all) : all };
  } catch (error) {
    if (error instanceof Error && error.name === 'LimitExceeded') throw error;
    return { ...names, notice: UNREAD, parts: textParts(text) };
  }
}

/** @param {string} text @returns {Promise<{ title?: string, parts: Part[] }>} */
async function read(text) {
  LoggerManager.logger = new NullLogger();
  const { source, headings } = prepared(text);
  const document = await load(source, {
    safe: 'secure',
    converter: PassageConverter,
    attributes: {
      experimental: '',
      toc: null,
      sectnums: null,
      'skip-front-matter': '',
      ...(headings > MOST_IDS ? { sectids: null } : {}),
      ...Object.fromEntries(OF_NOW.map((name) => [name, `{${name}}`])),
    },
  });
  const attribute = (/** @type {string} */ name) => plain(document.getAttribute(name));
  // Without a header the library calls a document by its first section.
  const title = document.hasHeader() ? plain(document.getDocumentTitle()) : '';
  const byline = bylineParts({
    authors: document.getAuthors().flatMap(({ name }) => (name ? [plain(name)] : [])),
    version: attribute('revnumber'),
    date: attribute('revdate'),
    description: attribute('description'),
  });
  const { parts } = htmlParts(String(await document.convert()));
  return { ...(title === '' ? {} : { title }), parts: [...byline, ...parts] };
}

/** Returns the text of a title or an attribute, which the library gives as HTML. @param {unknown} html */
function plain(html) {
  if (typeof html !== 'string' || html.trim() === '') return '';
  return htmlParts(`<p>${html}</p>`)
    .parts.map(({ text }) => text)
    .join(' ');
}

/**
 * Returns a text without the files that it includes, whose long paragraphs are divided: within one the library looks from each mark for its end.
 * @param {string} text
 */
function prepared(text) {
  const kept = [];
  let size = 0;
  let headings = 0;
  for (const line of lines(text)) {
    if (INCLUDE.test(line) && line.trimEnd().endsWith(']')) continue;
    if (HEADING.test(line)) headings += 1;
    size = line.trim() === '' ? 0 : size + line.length;
    if (size > LONGEST_LINE) {
      kept.push('');
      size = line.length;
    }
    kept.push(line.replace(MANY_CELLS, '999'));
  }
  return { source: kept.join('\n'), headings };
}
