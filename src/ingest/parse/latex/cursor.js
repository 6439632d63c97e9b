/** Characters of an argument that is not read, and of an option. */
const LONGEST_ARGUMENT = 20_000;
const LONGEST_OPTION = 300;

/** What may stand before an argument, and behind the name of a command: no line end of a blank line, which ends the paragraph. */
export const SPACE = /[ \t]*(?:\n(?![ \t]*\n)[ \t]*)?/uy;

/** A place in a source that moves forward. */
export class Cursor {
  at = 0;
  /** Where the next one of a text stands. @type {Map<string, number>} */
  nexts = new Map();

  /** @param {string} source */
  constructor(source) {
    this.source = source;
  }

  /** Skips an option in square brackets and returns it; undefined where there is none. */
  option() {
    if (this.source[this.at] !== '[') return undefined;
    const found = this.source.slice(this.at + 1, this.at + LONGEST_OPTION);
    const end = found.indexOf(']');
    if (end < 0 || /\n[ \t]*\n/u.test(found.slice(0, end))) return undefined;
    this.at += end + 2;
    return found.slice(0, end);
  }

  /** Skips an argument and returns what is written in it; one that is cut off ends with its paragraph. */
  group() {
    this.match(SPACE);
    if (this.source[this.at] !== '{') return '';
    const limit = Math.min(this.source.length, this.at + LONGEST_ARGUMENT);
    let depth = 0;
    let end = this.at;
    for (; end < limit; end += 1) {
      const sign = this.source[end];
      if (sign === '\\') end += 1;
      else if (sign === '{') depth += 1;
      else if (sign === '}') depth -= 1;
      if (depth === 0) break;
    }
    const written = this.source.slice(this.at + 1, end);
    this.at = Math.min(this.source.length, end + 1);
    return written;
  }

  /** Returns where a text stands next; the end of the source where it does not. @param {string} wanted @param {number} [from] */
  next(wanted, from = this.at) {
    const known = this.nexts.get(wanted) ?? -1;
    if (known >= from) return known;
    const found = this.source.indexOf(wanted, from);
    const at = found < 0 ? this.source.length : found;
    this.nexts.set(wanted, at);
    return at;
  }

  /** @param {RegExp} pattern A sticky one. */
  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (found === null) return undefined;
    this.at = pattern.lastIndex;
    return found;
  }
}
