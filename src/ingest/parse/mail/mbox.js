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
 * Returns the mails of a mail box, each below its subject; those that cannot be read as mails are plain texts, of which a notice tells. Throws where all are such.
 * @param {Buffer} bytes
 * @returns {Promise<{ notice?: string, parts: Part[] }>}
 */
export async function mboxParts(bytes) {
  /** @type {Part[]} */
  const parts = [];
  const earlier = new EarlierMails();
  let mails = 0;
  let unread = 0;
  let refused;
  for (const written of mailsIn(bytes.toString('latin1'))) {
    const mail = Buffer.from(written.replace(QUOTED, '$1'), 'latin1');
    const read = await mailParts(mail, earlier).catch((error) => {
      refused ??= error;
    });
    mails += 1;
    unread += read === undefined ? 1 : 0;
    const { title = NO_SUBJECT, parts: own } = read ?? plainMailParts(mail);
    parts.push({ kind: 'heading', level: 1, text: title });
    for (const part of own) parts.push(part.kind === 'heading' ? { ...part, level: part.level + 1 } : part);
  }
  if (unread === mails) throw refused;
  return { ...(unread === 0 ? {} : { notice: noticeOf(unread, mails) }), parts };
}

/** @param {number} unread @param {number} mails */
function noticeOf(unread, mails) {
  const [are, were] = unread === 1 ? ['is no readable mail', 'was'] : ['are no readable mails', 'were'];
  return `${unread} of the ${mails} mails of the box ${are}, and ${were} read as plain text.`;
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
