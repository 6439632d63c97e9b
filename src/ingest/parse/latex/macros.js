import { LIMITS, LimitExceeded } from '../limits.js';

/** @typedef {import('./reader.js').LatexReader} Reader */
/** @typedef {{ text: string, count: number }} Macro What a command of the document stands for, and how many arguments it has. */

/** Characters that one command of a document stands for at most. */
const LONGEST_EXPANSION = 2000;

/** The commands that a document defines. All readers of its pieces share them, and count together what they write for them. */
export class Macros {
  /** @type {Map<string, Macro>} */
  byName = new Map();
  expanded = 0;

  /** Counts characters that stand for a command. Throws `LimitExceeded` where they are too many altogether. @param {number} characters */
  count(characters) {
    this.expanded += characters;
    if (this.expanded > LIMITS.expandedCharacters)
      throw new LimitExceeded(
        'expandedCharacters',
        `has commands of its own (\\newcommand) that stand for more than ${LIMITS.expandedCharacters} characters altogether; write their text out or split it`,
      );
  }
}

/** Writes what a command of the document stands for, with its arguments. @param {Reader} reader @param {Macro} macro */
export function expand(reader, { text, count }) {
  /** @type {string[]} */
  const given = [];
  const next = () => {
    const size = given.join('').length;
    if (given.length < count && reader.source[reader.at] === '{')
      reader.capture((one) => {
        given.push(one);
        next();
      });
    else if (text.length + size > LONGEST_EXPANSION) reader.add(given.join(' '));
    else {
      const expanded = text.replace(/#(\d)/gu, (_, i) => given[Number(i) - 1] ?? '');
      // Arguments are text of the document, as often as they stand there.
      reader.macros.count(Math.max(0, expanded.length - size));
      if (expanded.length <= LONGEST_EXPANSION) reader.add(expanded);
    }
  };
  if (count > 0) reader.option();
  next();
}

/** `\newcommand{\name}[2][default]{body}`. @param {Reader} reader */
export function define(reader) {
  const name = commandName(reader);
  const count = Number(reader.option() ?? 0);
  reader.option();
  keep(reader, name, count);
}

/** `\def\name#1{body}`. @param {Reader} reader */
export function defineOld(reader) {
  const name = commandName(reader);
  const parameters = /^[^{}\n]{0,50}/u.exec(reader.source.slice(reader.at, reader.at + 60))?.[0] ?? '';
  reader.at += parameters.length;
  keep(reader, name, parameters.split('#').length - 1);
}

/** @param {Reader} reader */
function commandName(reader) {
  const bare = reader.match(/\s{0,9}\\([A-Za-z@]+)/uy)?.[1];
  return (
    bare ??
    reader
      .group()
      .replace(/^\s*\\/u, '')
      .trim()
  );
}

/** @param {Reader} reader @param {string} name @param {number} count */
function keep(reader, name, count) {
  const body = reader.group();
  if (reader.isInner || !/^[A-Za-z@]+$/u.test(name) || body.length > LONGEST_EXPANSION || !(count >= 0 && count <= 9))
    return;
  const text = reader.inner(body);
  if (text.length <= LONGEST_EXPANSION) reader.macros.byName.set(name, { text, count });
}
