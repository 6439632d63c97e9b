import { inCharset, unquoted } from './transfer.js';

/** A header and its value, which may go on in lines that begin with white space. */
const HEADER = /^([A-Za-z][A-Za-z0-9-]*):[ \t]?(.*(?:\n[ \t]+\S.*)*)$/;
/** Headers that only a mail has, and those that say how its body is written. */
const OF_MAIL = new Set(['mime-version', 'message-id', 'content-transfer-encoding', 'received', 'return-path']);
const OF_BODY = /^(?:mime-version|content-.*)$/;
/** A word of a header in another charset: `=?UTF-8?Q?Garant=C3=ADa?=`; white space between two of them counts as none. */
const ENCODED = /=\?([\w-]{1,40})(?:\*[\w-]*)?\?([QqBb])\?([^?\s]*)\?=(?:\s+(?==\?))?/g;
/** Parts within parts that are read. */
const DEEPEST = 5;

/** @typedef {{ headers: Array<{ name: string, value: string }>, body: string }} Entity */

/**
 * Returns the text of a mail as a reader sees it: the headers without their encoding, those of the program left out, and the first
 * plain text of the body. What is no mail, or has no plain text, is returned as it is.
 * @param {string} text
 */
export function readableMail(text) {
  const mail = entityIn(text.replaceAll('\r\n', '\n'));
  if (mail === undefined || !mail.headers.some(({ name }) => OF_MAIL.has(name.toLowerCase()))) return text;
  const body = plainText(mail, DEEPEST);
  if (body === undefined) return text;
  const headers = mail.headers
    .filter(({ name }) => !OF_BODY.test(name.toLowerCase()))
    .map(({ name, value }) => `${name}: ${decodedWords(value.replace(/\n[ \t]+/g, ' '))}`);
  return `${headers.join('\n')}\n\n${body}`;
}

/** @param {string} text @returns {Entity | undefined} */
function entityIn(text) {
  const end = text.indexOf('\n\n');
  const head = end === -1 ? text.trimEnd() : text.slice(0, end);
  const headers = [];
  for (const line of head.split(/\n(?![ \t])/)) {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    headers.push({ name, value });
  }
  return { headers, body: end === -1 ? '' : text.slice(end + 2) };
}

/** @param {Entity} entity @param {number} depth @returns {string | undefined} */
function plainText(entity, depth) {
  const type = headerOf(entity, 'content-type') ?? 'text/plain';
  if (/^\s*multipart\//i.test(type)) {
    const boundary = parameter(type, 'boundary');
    if (boundary === undefined || depth === 0) return undefined;
    for (const part of partsOf(entity.body, boundary)) {
      const found = plainText(part, depth - 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!/^\s*text\/plain/i.test(type) || /^\s*attachment/i.test(headerOf(entity, 'content-disposition') ?? '')) {
    return undefined;
  }
  const encoding = (headerOf(entity, 'content-transfer-encoding') ?? '').trim().toLowerCase();
  if (encoding !== 'quoted-printable' && encoding !== 'base64') return entity.body;
  const bytes =
    encoding === 'base64' ? Buffer.from(entity.body, 'base64') : unquoted(entity.body.replace(/=[ \t]*\n/g, ''));
  return inCharset(bytes, parameter(type, 'charset')).replaceAll('\r\n', '\n');
}

/** @param {string} body @param {string} boundary */
function partsOf(body, boundary) {
  return `\n${body}`
    .split(`\n--${boundary}`)
    .slice(1)
    .filter((part) => !part.startsWith('--'))
    .flatMap((part) => {
      const written = part.replace(/^[ \t]*\n/, '');
      return (written.startsWith('\n') ? { headers: [], body: written.slice(1) } : entityIn(written)) ?? [];
    });
}

/** @param {Entity} entity @param {string} wanted */
function headerOf({ headers }, wanted) {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value;
}

/** @param {string} value @param {string} name @returns {string | undefined} */
function parameter(value, name) {
  const [, quoted, bare] = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(value) ?? [];
  return quoted ?? bare;
}

/** @param {string} value */
function decodedWords(value) {
  return value.replace(ENCODED, (_, charset, way, written) => {
    const bytes = way.toLowerCase() === 'b' ? Buffer.from(written, 'base64') : unquoted(written.replaceAll('_', ' '));
    return inCharset(bytes, charset);
  });
}
