/** What parts the parts of a mail, as its head says. */
const BOUNDARY = /\bboundary\s*=\s*(?:"([^"]*)"|([^\s;"]+))/giu;
/** The head of a part that is a mail, which has a head of its own. */
const HOLDS_MAIL = /^content-type:\s*message\/rfc822\b/imu;

/**
 * Returns the lines of a mail as its heads, each with the empty line that ends it, and what stands between them. Heads are that of the mail,
 * those right after a boundary line, and those of mails within it. The sections are joined by line breaks.
 * @param {string} mail
 * @returns {{ isHead: boolean, text: string }[]}
 */
export function sectionsOf(mail) {
  /** @type {{ isHead: boolean, text: string }[]} */
  const sections = [];
  const boundaries = new Set();
  let isHead = true;
  /** @type {string[]} */
  let open = [];
  const end = () => {
    const text = open.join('\n');
    sections.push({ isHead, text });
    open = [];
    if (isHead) for (const [, quoted, bare] of text.matchAll(BOUNDARY)) boundaries.add(`--${quoted ?? bare}`);
    isHead = !isHead || HOLDS_MAIL.test(text);
  };
  for (const line of mail.split('\n')) {
    open.push(line);
    if (isHead ? line === '' || line === '\r' : line.startsWith('--') && boundaries.has(line.trimEnd())) end();
  }
  if (open.length > 0) end();
  return sections;
}
