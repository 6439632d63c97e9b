import { mailParts } from './mail.js';

/** @typedef {import('../parts.js').Part} Part */

/** The line that parts mails: who sent one, and when. */
const SEPARATOR = /^From [^\n]*\d{4}[^\n]*\r?\n(?=[!-9;-~]+[ \t]*:|>From )/gmu;
/** What a line of a mail is written with that would part it. */
const QUOTED = /^>(>*From )/gmu;
const NO_SUBJECT = 'Mail without a subject';

/**
 * Returns the mails of a mail box, each below its subject.
 * @param {Buffer} bytes
 * @returns {Promise<{ parts: Part[] }>}
 */
export async function mboxParts(bytes) {
  /** @type {Part[]} */
  const parts = [];
  for (const mail of mailsIn(bytes.toString('latin1'))) {
    const { title = NO_SUBJECT, parts: own } = await mailParts(Buffer.from(mail.replace(QUOTED, '$1'), 'latin1'));
    parts.push({ kind: 'heading', level: 1, text: title });
    for (const part of own) parts.push(part.kind === 'heading' ? { ...part, level: part.level + 1 } : part);
  }
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
