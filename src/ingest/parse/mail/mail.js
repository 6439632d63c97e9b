import { isUtf8 } from 'node:buffer';
import PostalMime, { decodeWords } from 'postal-mime';
import { cleanText } from '../../../core/text/clean.js';
import { htmlParts } from '../html.js';
import { textParts } from '../plain-text.js';
import { BEFORE_HEADERS, LONGEST_HEAD } from './beginning.js';
import { withoutListFooter } from './quotes.js';
import { sectionsOf } from './sections.js';
import { StreamedDecoder, withDecoder } from './western-decoder.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('postal-mime').Email} Email */

/** Bytes that are read as UTF-8 where they are none of ASCII. */
const ASCII = /\bcharset\s*=\s*"?us-ascii"?/gi;
/** A header by which a part says that its bytes are of another charset. */
const OTHER_CHARSET = /^content-type:(?:[^\n]|\n[ \t])*?\bcharset\s*=\s*"?(?!utf-?8\b)\w/imu;
/** Headers that people read. */
const READ = new Set(['from', 'to', 'cc', 'bcc', 'subject', 'date']);
/** What stands before the subject of an answer, in several languages. */
const ANSWER = /^(?:(?:re|fwd?|aw|wg|tr|rv|res|enc|antw|sv|vs)\s?(?:\[\d+\])?\s?:\s*)+/i;
/** How many times longer than the plain text the page of a mail is where that only says that there is a page. */
const STUB = 5;

/**
 * Returns a mail as a reader sees it, under its subject: the headers that people read, the names of what is attached, and its
 * text, or its page of HTML, without their encoding. Of a mail of a mail box, what it quotes of earlier ones is left out.
 * @param {Buffer} bytes
 * @param {import('./quotes.js').EarlierMails} [earlier]
 * @returns {Promise<{ title?: string, parts: Iterable<Part> }>}
 */
export async function mailParts(bytes, earlier) {
  const written = Buffer.from(inUtf8(bytes), 'latin1');
  const { mail, head } = await withDecoder(async () => {
    const mail = await PostalMime.parse(written, { maxNestingDepth: 20, maxHeadersSize: LONGEST_HEAD });
    return { mail, head: headOf(mail) };
  });
  return { ...titleOf(mail.subject ?? ''), parts: [...textParts(cleanText(head)), ...bodyOf(mail, earlier)] };
}

/**
 * Returns a mail that cannot be read as one: its lines as they stand, under its subject, or else the line before its headers.
 * @param {Buffer} bytes
 * @returns {{ title?: string, parts: Iterable<Part> }}
 */
export function plainMailParts(bytes) {
  const text = Buffer.from(asUtf8(bytes.toString('latin1')), 'latin1').toString();
  const [head = ''] = text.split(/\r?\n\r?\n/u, 1);
  const subject = /^subject:([^\n]{1,1000})/imu.exec(head)?.[1] ?? /^From [^\n]{1,1000}/u.exec(head)?.[0] ?? '';
  return { ...titleOf(decodeWords(subject)), parts: [...textParts(cleanText(text))] };
}

/** @param {string} subject */
function titleOf(subject) {
  const title = oneLine(subject).replace(ANSWER, '');
  return title === '' ? {} : { title };
}

/**
 * Returns a mail, a character a byte, with the lines that are not UTF-8 read as Windows-1252: those of the headers, and of the body where no part
 * names a charset.
 * @param {Buffer} bytes
 */
function inUtf8(bytes) {
  const mail = bytes.toString('latin1').replace(BEFORE_HEADERS, '');
  const sections = sectionsOf(mail).map(({ isHead, text }) => ({
    isHead,
    text: isHead ? text.replace(ASCII, 'charset=utf-8') : text,
  }));
  const others = sections.some(({ isHead, text }) => isHead && OTHER_CHARSET.test(text));
  return sections.map(({ text }, i) => (others && i > 0 ? text : asUtf8(text))).join('\n');
}

/** Returns a text, a character a byte, with the lines that are not UTF-8 read as Windows-1252. @param {string} text */
function asUtf8(text) {
  if (isUtf8(Buffer.from(text, 'latin1'))) return text;
  const western = new StreamedDecoder('windows-1252');
  return text
    .split('\n')
    .map((line) => {
      const bytes = Buffer.from(line, 'latin1');
      return isUtf8(bytes) ? line : Buffer.from(western.decode(bytes)).toString('latin1');
    })
    .join('\n');
}

/** @param {Email} mail */
function headOf({ headers, attachments }) {
  const read = headers.filter(({ key }) => READ.has(key));
  const names = attachments.map(({ filename }) => oneLine(filename ?? '')).filter((name) => name !== '');
  return [
    ...read.map(({ originalKey, value }) => `${originalKey}: ${oneLine(decodeWords(value))}`),
    ...(names.length === 0 ? [] : [`Attachments: ${names.join(', ')}`]),
  ].join('\n');
}

/** @param {Email} mail @param {import('./quotes.js').EarlierMails} [earlier] @returns {Part[]} */
function bodyOf({ text = '', html = '' }, earlier) {
  const own = withoutListFooter(cleanText(text));
  const page = html === '' ? [] : htmlParts(cleanText(html)).parts;
  // The page has the quote of the text as well.
  const plain = text.trim() === '' ? [] : [...textParts(own)];
  const kept = earlier?.withoutQuote(own) ?? own;
  if (plain.length === 0 || lengthOf(page) > STUB * lengthOf(plain)) return page;
  return kept === own ? plain : [...textParts(kept)];
}

/** @param {readonly Part[]} parts */
function lengthOf(parts) {
  return parts.reduce((sum, part) => sum + part.text.length, 0);
}

/** A line break within a header would begin another one. @param {string} value */
function oneLine(value) {
  return value.replace(/[\s\p{C}]+/gu, ' ').trim();
}
