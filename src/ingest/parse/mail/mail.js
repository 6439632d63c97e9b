import { isUtf8 } from 'node:buffer';
import PostalMime, { decodeWords } from 'postal-mime';
import { cleanText } from '../../../core/text/clean.js';
import { htmlParts } from '../html.js';
import { textParts } from '../plain-text.js';
import { BEFORE_HEADERS, LONGEST_HEAD } from './beginning.js';
import { installDecoder } from './western-decoder.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('postal-mime').Email} Email */

installDecoder();

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
 * text, or its page of HTML, without their encoding.
 * @param {Buffer} bytes
 * @returns {Promise<{ title?: string, parts: Iterable<Part> }>}
 */
export async function mailParts(bytes) {
  const marked = bytes.toString('latin1').replace(BEFORE_HEADERS, '').replace(ASCII, 'charset=utf-8');
  const written = isUtf8(bytes) ? marked : asUtf8(marked);
  const mail = await PostalMime.parse(Buffer.from(written, 'latin1'), {
    maxNestingDepth: 20,
    maxHeadersSize: LONGEST_HEAD,
  });
  const title = oneLine(mail.subject ?? '').replace(ANSWER, '');
  return { ...(title === '' ? {} : { title }), parts: [...textParts(cleanText(headOf(mail))), ...bodyOf(mail)] };
}

/**
 * Returns a mail, a character a byte, with the lines that are not UTF-8 read as Windows-1252: those of the headers, and of the body where no part
 * names a charset.
 * @param {string} mail
 */
function asUtf8(mail) {
  const end = OTHER_CHARSET.test(mail) ? mail.search(/\r?\n\r?\n/u) : -1;
  const read = end < 0 ? mail : mail.slice(0, end);
  const western = new TextDecoder('windows-1252');
  return (
    read.replace(/[^\n]*[\x80-\xff][^\n]*/gu, (line) => {
      const bytes = Buffer.from(line, 'latin1');
      return isUtf8(bytes) ? line : Buffer.from(western.decode(bytes)).toString('latin1');
    }) + mail.slice(read.length)
  );
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
