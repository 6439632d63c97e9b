import { mailParts, plainMailParts } from './mail.js';
import { EarlierMails } from './quotes.js';

/** @typedef {import('../parts.js').Part} Part */

/** The line that parts mails, after an empty one: who sent one, and when, with a time and a year. */
const SEPARATOR =
  /(?<=^|\n\r?\n)From (?=[^\n]{0,300}\b\d\d?:\d\d\b)(?=[^\n]{0,300}\b(?:19|20)\d\d\b)[^\n]{1,300}\n(?=[!-9;-~]+[ \t]*:|>From )/gu;
/** What a line of a mail is written with that would part it. */
const QUOTED = /^>(>*From )/gmu;
const NO_SUBJECT = 'Mail without a subject';

/**
 * Returns the mails of a mail box, each below its subject; those that cannot be read as mails are plain texts. Throws where all are such.
 * @param {Buffer} bytes
 * @returns {Promise<{ parts: Part[] }>}
 */
export async function mboxParts(bytes) {
  /** @type {Part[]} */
  const parts = [];
  const earlier = new EarlierMails();
  let isRead = false;
  let refused;
  for (const written of mailsIn(bytes.toString('latin1'))) {
    const mail = Buffer.from(written.replace(QUOTED, '$1'), 'latin1');
    const read = await mailParts(mail, earlier).catch((error) => {
      refused ??= error;
    });
    isRead ||= read !== undefined;
    const { title = NO_SUBJECT, parts: own } = read ?? plainMailParts(mail);
    parts.push({ kind: 'heading', level: 1, text: title });
    for (const part of own) parts.push(part.kind === 'heading' ? { ...part, level: part.level + 1 } : part);
  }
  if (!isRead) throw refused;
  return { parts };
}

/** Yields the mails of a text. @param {string} text */
function* mailsIn(text) {
  let start = 0;
  for (const { index } of text.matchAll(SEPARATOR)) {
    if (index > start) yield text.slice(start, index);
    start = index;
  }
  yield text.slice(start);
}
