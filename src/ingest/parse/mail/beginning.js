/** What may stand before the headers: the mark of UTF-8, and the line that parts the mails of a mailbox. */
export const BEFORE_HEADERS = /^(?:\u00ef\u00bb\u00bf)?(?:>?From [^\n]*\n)?/;
const HEADER = /^[!-9;-~]+[ \t]*:/;
/** Bytes at the beginning of a file that tell. */
const READ = 2000;
/** Bytes of the headers of a mail at most. */
export const LONGEST_HEAD = 1 << 18;

/**
 * Returns whether a file begins with a header, as a mail does.
 * @param {Uint8Array} bytes
 */
export function beginsAsMail(bytes) {
  const beginning = Buffer.from(bytes.subarray(0, READ)).toString('latin1');
  return HEADER.test(beginning.replace(BEFORE_HEADERS, ''));
}

/**
 * Returns whether the headers of a mail, or those of any mail of a mail box, say that one has parts.
 * @param {Uint8Array} bytes
 * @param {boolean} isBox
 */
export function hasParts(bytes, isBox) {
  const read = Buffer.from(isBox ? bytes : bytes.subarray(0, LONGEST_HEAD)).toString('latin1');
  return /^content-type:\s*multipart\//im.test(read);
}
