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
  /** Lines on which mails begin that cannot be read. @type {number[]} */
  const unread = [];
  let mails = 0;
  let refused;
  for (const { written, line } of mailsIn(bytes.toString('latin1'))) {
    const mail = Buffer.from(written.replace(QUOTED, '$1'), 'latin1');
    const read = await mailParts(mail, earlier).catch((error) => {
      refused ??= error;
    });
    mails += 1;
    if (read === undefined) unread.push(line);
    const { title = NO_SUBJECT, parts: own } = read ?? plainMailParts(mail);
    parts.push({ kind: 'heading', level: 1, text: title });
    for (const part of own) parts.push(part.kind === 'heading' ? { ...part, level: part.level + 1 } : part);
  }
  if (unread.length === mails) throw refused;
  return { ...(unread.length === 0 ? {} : { notice: noticeOf(unread, mails) }), parts };
}

/** Lines that a notice names at most. */
const SHOWN = 5;

/** @param {number[]} lines @param {number} mails */
function noticeOf(lines, mails) {
  const [are, were] = lines.length === 1 ? ['is no readable mail', 'was'] : ['are no readable mails', 'were'];
  const named = lines.slice(0, SHOWN).map(String);
  const all = lines.length > SHOWN ? [...named, `${lines.length - SHOWN} more`] : named;
  const begin = lines.length === 1 ? 'it begins on line' : 'they begin on lines';
  return `${lines.length} of the ${mails} mails of the box ${are}, and ${were} read as plain text; ${begin} ${LIST.format(all)}.`;
}

const LIST = new Intl.ListFormat('en-GB');

/** Yields the mails of a text, with the line on which each begins. @param {string} text */
function* mailsIn(text) {
  let start = 0;
  let line = 1;
  for (const { index } of text.matchAll(SEPARATOR)) {
    if (index === start) continue;
    const written = text.slice(start, index);
    yield { written, line };
    line += written.split('\n').length - 1;
    start = index;
  }
  yield { written: text.slice(start), line };
}
