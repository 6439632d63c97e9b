import PostalMime, { decodeWords } from 'postal-mime';
import { cleanText } from '../../../core/text/clean.js';
import { htmlParts } from '../html.js';
import { textParts } from '../plain-text.js';

/** @typedef {import('../parts.js').Part} Part */

/** Characters of the headers of a mail that are looked at. */
const LONGEST_HEAD = 1 << 18;
/** How a mail begins: headers, one of which only a mail has. */
const HEADERS = /^(?:[A-Za-z][A-Za-z0-9-]*:[^\n]*\n(?:[ \t]+\S[^\n]*\n)*)+(?=\r?\n|$)/;
const OF_MAIL = /^(?:mime-version|message-id|content-transfer-encoding|received|return-path):/im;
/** Headers that people read. */
const READ = new Set(['from', 'to', 'cc', 'bcc', 'subject', 'date']);
/** What stands before the subject of an answer, in several languages. */
const ANSWER = /^(?:(?:re|fwd?|aw|wg|tr|rv|res|enc|antw|sv|vs)\s?(?:\[\d+\])?\s?:\s*)+/i;

/**
 * Returns a mail as a reader sees it, under its subject: the headers that people read and the body, without their encoding and
 * without what is attached. Undefined for what is no mail, or a mail without a text or with more levels than mails have.
 * @param {string} text
 * @returns {Promise<{ title?: string, parts: Iterable<Part> } | undefined>}
 */
export async function mailParts(text) {
  const [head = ''] = HEADERS.exec(text.slice(0, LONGEST_HEAD)) ?? [];
  if (!OF_MAIL.test(head)) return undefined;
  const mail = await parsed(text);
  if (mail === undefined) return undefined;
  const lines = mail.headers
    .filter(({ key }) => READ.has(key))
    .map(({ originalKey, value }) => `${originalKey}: ${decodeWords(value)}`);
  const body = bodyParts(mail);
  if (body.length === 0) return undefined;
  const title = (mail.subject ?? '').replace(ANSWER, '').trim();
  return { ...(title === '' ? {} : { title }), parts: [...textParts(cleanText(lines.join('\n'))), ...body] };
}

/** @param {string} text */
async function parsed(text) {
  try {
    return await PostalMime.parse(text, { maxNestingDepth: 20, maxHeadersSize: LONGEST_HEAD });
  } catch {
    return undefined;
  }
}

/**
 * @param {import('postal-mime').Email} mail
 * @returns {Part[]}
 */
function bodyParts({ text = '', html = '' }) {
  return text.trim() === '' ? htmlParts(cleanText(html)).parts : [...textParts(cleanText(text))];
}
