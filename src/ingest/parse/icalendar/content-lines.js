import ICAL from 'ical.js';
import { LIMITS, LimitExceeded } from '../limits.js';
import { decodeQuotedPrintable } from './quoted-printable.js';

/**
 * A property of a calendar or a contact: its name in lower case, its parameters, its values, and the group that it stands in ("item1").
 * @typedef {{ name: string, params: Record<string, unknown>, values: unknown[] }} Property
 */
/** What stands between BEGIN and END. @typedef {{ name: string, properties: Property[] }} Component */

/** How a line begins that is none of those before it. */
const NAME = /^[A-Za-z][A-Za-z\d._-]{0,80}[;:]/u;
const QUOTED_PRINTABLE = /;(?:ENCODING=)?QUOTED-PRINTABLE(?=[;:])/iu;
const ENCODING = /^(?:QUOTED-PRINTABLE|BASE64|[78]BIT)$/iu;
/** Longer parameters of a property are read as none: ical.js looks through them once for each. In characters. */
const LONGEST_HEAD = 8192;

/**
 * Returns the components of a calendar or an address book, each at its END, those of other components before these, with the properties that are wanted.
 * Lines that cannot be read are left out and counted; `isCut` says that the text ends within a component, which is left out as well. Throws `LimitExceeded`.
 * @param {string} text
 * @param {{ design: object, isWanted: (name: string) => boolean }} options The design set of ical.js, and the wanted names in lower case.
 * @returns {{ components: Component[], unread: number, isCut: boolean }}
 */
export function readComponents(text, { design, isWanted }) {
  /** @type {Component[]} */
  const components = [];
  /** @type {Component[]} */
  const open = [];
  let unread = 0;
  for (const line of logicalLines(text)) {
    const colon = valueStart(line);
    const head = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (head === 'begin') {
      open.push({
        name: line
          .slice(colon + 1)
          .trim()
          .toLowerCase(),
        properties: [],
      });
      if (open.length > LIMITS.depth)
        throw new LimitExceeded('depth', `nests components deeper than ${LIMITS.depth}; export it again`);
      continue;
    }
    if (head === 'end') {
      const component = open.pop();
      if (component !== undefined) components.push(component);
      continue;
    }
    const name = /^(?:[^;.]*\.)?([^;.]*)/u.exec(head.slice(0, LONGEST_HEAD))?.[1] ?? '';
    if (!isWanted(name)) continue;
    const property = colon > LONGEST_HEAD ? undefined : propertyOf(line, colon, design);
    if (property === undefined) unread += 1;
    else open.at(-1)?.properties.push(property);
  }
  return { components, unread, isCut: open.length > 0 };
}

/** Returns what a reader should know of lines that were left out. @param {{ unread: number, isCut: boolean }} read */
export function noticeOf({ unread, isCut }) {
  const lines = unread === 1 ? 'One line that cannot be read was' : `${unread} lines that cannot be read were`;
  const said = [
    ...(unread === 0 ? [] : [`${lines} left out`]),
    ...(isCut ? ['the file ends before its last entry does: it may be cut off'] : []),
  ].join('; ');
  return said === '' ? {} : { notice: `${said[0]?.toUpperCase()}${said.slice(1)}.` };
}

/**
 * Yields the lines of a text as they were before they were folded: a line that begins with a space goes on with the one before it, and so does one behind a `=` of
 * quoted-printable. A line without a name is one of the value before it, as careless programs write them.
 * @param {string} text @returns {Generator<string>}
 */
function* logicalLines(text) {
  // Joined at once: a line may be folded a million times.
  /** @type {string[]} */
  let open = [];
  let isQuoted = false;
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found === -1 ? text.length : found;
    const line = text.slice(at, end);
    at = end + 1;
    const last = open.at(-1) ?? '';
    if (isQuoted && last.endsWith('=')) open.splice(-1, 1, last.slice(0, -1), line.trimEnd());
    else if (/^[ \t]/u.test(line)) open.push(line.slice(1));
    else if (line.trim() === '') continue;
    else if (NAME.test(line)) {
      if (open.length > 0) yield open.join('');
      open = [line];
      isQuoted = QUOTED_PRINTABLE.test(line.slice(0, LONGEST_HEAD));
    } else open.push(`\\n${line}`);
  }
  if (open.length > 0) yield open.join('');
}

/** Returns where the colon stands before the value of a line: none in quotation marks. @param {string} line */
function valueStart(line) {
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at];
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === ':' && !isQuoted) return at;
  }
  return line.indexOf(':');
}

/** Returns the property of a line; undefined where it cannot be read. @param {string} line @param {number} colon @param {object} design @returns {Property | undefined} */
function propertyOf(line, colon, design) {
  try {
    const [name, params, , ...values] = ICAL.parse.property(asWritten(line, colon), design);
    return { name, params, values };
  } catch {
    return undefined;
  }
}

/** Returns a line as version 3 writes it: parameters with their names, and no quoted-printable. @param {string} line @param {number} colon */
function asWritten(line, colon) {
  // No parameter in quotation marks is divided.
  const [name = '', ...params] = line.slice(0, colon).match(/(?:"[^"]*"|[^";])+/gu) ?? [];
  const named = params.map((one) => {
    if (one.includes('=') || one === '') return one;
    return `${ENCODING.test(one) ? 'ENCODING' : 'TYPE'}=${one}`;
  });
  const encoded = named.some((one) => /^ENCODING=QUOTED-PRINTABLE$/iu.test(one));
  const head = [name, ...named.filter((one) => one !== '' && !/^(?:ENCODING|CHARSET)=/iu.test(one))].join(';');
  const value = line.slice(colon + 1);
  if (!encoded) return `${head}:${value}`;
  const charset = named.map((one) => /^CHARSET=(.*)$/iu.exec(one)?.[1]).find(Boolean);
  return `${head}:${decodeQuotedPrintable(value, charset).replace(/\r\n?|\n/gu, '\\n')}`;
}

/** Returns the first property of a name. @param {Component} component @param {string} name @returns {Property | undefined} */
export function first({ properties }, name) {
  return properties.find((property) => property.name === name);
}

/** Returns the text of a property; empty without one. @param {Property | undefined} property */
export function textOf(property) {
  const text = (property?.values ?? []).flat(2).filter((value) => typeof value === 'string');
  return text
    .join(',')
    .replace(/[^\S\n]+/gu, ' ')
    .trim();
}
