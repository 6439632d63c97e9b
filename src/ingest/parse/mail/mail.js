import PostalMime, { decodeWords } from 'postal-mime';
import { cleanText } from '../../../core/text/clean.js';
import { htmlParts } from '../html.js';
import { textParts } from '../plain-text.js';
import { BEFORE_HEADERS } from './beginning.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('postal-mime').Email} Email */

const LONGEST_HEAD = 1 << 18;
/** Bytes that are read as UTF-8 where they are none of ASCII. */
const ASCII = /\bcharset\s*=\s*"?us-ascii"?/gi;
/** Headers that people read. */
const READ = new Set(['from', 'to', 'cc', 'bcc', 'subject', 'date']);
/** What stands before the subject of an answer, in several languages. */
const ANSWER = /^(?:(?:re|fwd?|aw|wg|tr|rv|res|enc|antw|sv|vs)\s?(?:\[\d+\])?\s?:\s*)+/i;
/** How many times longer than the plain text the page of a mail is where that only says that there is a page. */
const STUB = 5;

/**
 * Returns a mail as a reader sees it, under its subject: the headers that people read, the names of what is attached, and its
 * text, or its page of HTML, without their encoding.
 * @param {Buffer} bytes
 * @returns {Promise<{ title?: string, parts: Iterable<Part> }>}
 */
export async function mailParts(bytes) {
  const written = bytes.toString('latin1').replace(BEFORE_HEADERS, '').replace(ASCII, 'charset=utf-8');
  const mail = await PostalMime.parse(Buffer.from(written, 'latin1'), {
    maxNestingDepth: 20,
    maxHeadersSize: LONGEST_HEAD,
  });
  const title = oneLine(mail.subject ?? '').replace(ANSWER, '');
  return { ...(title === '' ? {} : { title }), parts: [...textParts(cleanText(headOf(mail))), ...bodyOf(mail)] };
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

/** @param {Email} mail @returns {Part[]} */
function bodyOf({ text = '', html = '' }) {
  const plain = text.trim() === '' ? [] : [...textParts(cleanText(text))];
  const page = html === '' ? [] : htmlParts(cleanText(html)).parts;
  return plain.length === 0 || lengthOf(page) > STUB * lengthOf(plain) ? page : plain;
}

/** @param {readonly Part[]} parts */
function lengthOf(parts) {
  return parts.reduce((sum, part) => sum + part.text.length, 0);
}

/** A line break within a header would begin another one. @param {string} value */
function oneLine(value) {
  return value.replace(/[\s\p{C}]+/gu, ' ').trim();
}
