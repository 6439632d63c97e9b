import { LIMITS, LimitExceeded } from '../limits.js';

/** @typedef {{ type: string, key: string, fields: Map<string, string> }} BibtexEntry Type and names of fields in lower case, values as they are written. */

/** Where entries begin: a file that is cut off, or has a brace too few, goes on with the next one. */
const BEGINNING = /^[ \t]*@[ \t]*[A-Za-z]{2,40}\s{0,20}[{(]/gmu;
const ENTRY = /@[ \t]*([A-Za-z]{2,40})\s{0,20}[{(]/uy;
/** A key begins with no white space: two runs of it beside each other take the square of their time. */
const KEY = /\s*((?:[^,{}()="#@%\s][^,{}()="#@%\n]{0,199})?)(?:\n\s*)?(?:,|(?=[})]))/uy;
const NAME = /[\s,]*([A-Za-z][\w:.+-]{0,60})\s*=\s*/uy;
const WORD = /[^\s,#{}()"=@]{1,200}/uy;
const JOINED = /\s*#\s*/uy;
/** The abbreviations of months that every file may use. */
export const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/**
 * Returns the entries of a BibTeX file. What stands between them is a remark. An entry that cannot be read to its end keeps what was read of it: `broken` counts these. Throws
 * `LimitExceeded` where abbreviations (`@string`) stand for very much.
 * @param {string} text
 * @returns {{ entries: BibtexEntry[], broken: number }}
 */
export function readBibtex(text) {
  const reader = new BibtexReader(text);
  const starts = [...text.matchAll(BEGINNING)].map(({ index }) => index);
  if (starts.length === 0) starts.push(0);
  for (const [i, start] of starts.entries()) reader.readUntil(start, starts[i + 1] ?? text.length);
  return reader;
}

class BibtexReader {
  /** @type {BibtexEntry[]} */
  entries = [];
  broken = 0;
  /** @type {Map<string, string>} */
  strings = new Map(MONTHS.map((name, i) => [name, String(i + 1)]));
  expanded = 0;
  at = 0;
  end = 0;

  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }

  /** Reads the entries between two places. @param {number} start @param {number} end */
  readUntil(start, end) {
    this.at = start;
    this.end = end;
    for (;;) {
      const next = this.text.indexOf('@', this.at);
      if (next < 0 || next >= end) return;
      this.at = next;
      const type = this.match(ENTRY)?.[1]?.toLowerCase();
      if (type === undefined) this.at += 1;
      else this.entry(type);
    }
  }

  /** @param {string} type */
  entry(type) {
    if (type === 'comment' || type === 'preamble') {
      this.at -= 1;
      this.braced();
      return;
    }
    const key = type === 'string' ? '' : (this.match(KEY)?.[1]?.trim() ?? '');
    const fields = new Map();
    for (let found = this.match(NAME); found !== null; found = this.match(NAME)) {
      const name = found[1].toLowerCase();
      const value = this.value();
      if (!fields.has(name)) fields.set(name, value);
    }
    if (this.match(/[\s,]*[})]/uy) === null) this.broken += 1;
    if (type !== 'string') this.entries.push({ type, key, fields });
    else for (const [name, value] of fields) this.strings.set(name, value);
  }

  /** Reads a value: texts in braces or quotation marks, numbers and abbreviations, with `#` between them. */
  value() {
    const texts = [];
    do texts.push(this.piece());
    while (this.match(JOINED) !== null);
    return texts.join('');
  }

  piece() {
    const sign = this.text[this.at];
    if (sign === '{') return this.braced();
    if (sign === '"') return this.quoted();
    const word = this.match(WORD)?.[0] ?? '';
    const value = this.strings.get(word.toLowerCase());
    if (value === undefined) return word;
    this.expanded += value.length;
    if (this.expanded > LIMITS.expandedCharacters)
      throw new LimitExceeded(
        'expandedCharacters',
        `has abbreviations (@string) for more than ${LIMITS.expandedCharacters} characters; write them out`,
      );
    return value;
  }

  /** Reads what stands in braces, or in the brackets of an entry; what nothing closes goes to the end. */
  braced() {
    const start = this.at + 1;
    let depth = 0;
    for (; this.at < this.end; this.at += 1) {
      const sign = this.text[this.at];
      if (sign === '{' || (depth === 0 && sign === '(')) depth += 1;
      else if (sign === '}' || (depth === 1 && sign === ')' && this.text[start - 1] === '(')) depth -= 1;
      if (depth === 0) break;
    }
    this.at = Math.min(this.at + 1, this.end);
    return this.text.slice(start, depth === 0 ? this.at - 1 : this.at);
  }

  /** Reads what stands in quotation marks; one within braces closes nothing. */
  quoted() {
    const start = this.at + 1;
    let depth = 0;
    for (this.at = start; this.at < this.end; this.at += 1) {
      const sign = this.text[this.at];
      if (sign === '\\' && this.text[this.at + 1] === '"') this.at += 1;
      else if (sign === '{') depth += 1;
      else if (sign === '}') depth -= 1;
      else if (sign === '"' && depth <= 0) break;
    }
    const end = Math.min(this.at, this.end);
    this.at = Math.min(end + 1, this.end);
    return this.text.slice(start, end);
  }

  /** @param {RegExp} pattern A sticky one. */
  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null || pattern.lastIndex > this.end) return null;
    this.at = pattern.lastIndex;
    return found;
  }
}
