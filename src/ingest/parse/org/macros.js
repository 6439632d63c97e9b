import { LIMITS, LimitExceeded } from '../limits.js';
import { lines } from '../lines.js';

const DEFINITION = /^[ \t]*#\+macro:[ \t]+([A-Za-z][\w-]{0,39})[ \t]+(.*)$/iu;
/** Settings that a text may write by their names: `{{{title}}}`. */
const SETTING = /^[ \t]*#\+(title|author|date|email):[ \t]*(.*)$/iu;
/** A macro, and the sign before it: between signs of code it is none. */
const USE = /(^|.)\{\{\{([A-Za-z][\w-]{0,39})(?:\(((?:\\.|[^\\{}]){0,2000})\))?\}\}\}(?=(.?))/gsu;
const BEGIN_CODE = /^[ \t]*#\+begin_(src|example)(?:[ \t]|$)/iu;
const END_CODE = /^[ \t]*#\+end_(src|example)[ \t]*$/iu;

/** Macros of a document, macros within macros, and characters that one stands for, at most. */
const MOST = 500;
const DEEPEST = 8;
const LONGEST = 2000;

/**
 * Returns a text of Org with the macros of the same file written out (`#+MACRO: name text of $1`, `{{{name(argument)}}}`), but for those in code and those that
 * compute (`(eval …)`). Throws `LimitExceeded` where they stand for too much text altogether.
 * @param {string} text
 */
export function withMacros(text) {
  if (!text.includes('{{{')) return text;
  const macros = macrosIn(text);
  if (macros.size === 0) return text;
  const writer = new Writer(macros);
  /** @type {string[]} */
  const written = [];
  let code = '';
  for (const line of lines(text)) {
    if (code === '') code = BEGIN_CODE.exec(line)?.[1].toLowerCase() ?? '';
    else if (END_CODE.exec(line)?.[1].toLowerCase() === code) code = '';
    written.push(code === '' && !DEFINITION.test(line) ? writer.write(line, 0) : line);
  }
  return written.join('\n');
}

/** @param {string} text */
function macrosIn(text) {
  /** @type {Map<string, string>} */
  const macros = new Map();
  for (const line of lines(text)) {
    const [, name, body] = DEFINITION.exec(line) ?? SETTING.exec(line) ?? [];
    if (name === undefined || macros.size === MOST || body.startsWith('(eval')) continue;
    macros.set(name.toLowerCase(), body.trim().slice(0, LONGEST));
  }
  return macros;
}

/** Writes macros out, and counts what it writes. */
class Writer {
  expanded = 0;

  /** @param {ReadonlyMap<string, string>} macros */
  constructor(macros) {
    this.macros = macros;
  }

  /** @param {string} line @param {number} depth how many macros it stands in @returns {string} */
  write(line, depth) {
    if (!line.includes('{{{')) return line;
    return line.replace(USE, (all, before, name, given, behind) => {
      const body = this.macros.get(name.toLowerCase());
      const isCode = (before === '=' || before === '~') && behind === before;
      if (body === undefined || isCode || depth === DEEPEST) return all;
      const text = filled(body, given ?? '');
      this.expanded += text.length;
      if (this.expanded > LIMITS.expandedCharacters)
        throw new LimitExceeded(
          'expandedCharacters',
          `has macros of its own (#+MACRO) that stand for more than ${LIMITS.expandedCharacters} characters altogether; write their text out or split it`,
        );
      return before + this.write(text, depth + 1);
    });
  }
}

/** Returns the text of a macro with its arguments; these alone where it becomes too long. @param {string} body @param {string} given */
function filled(body, given) {
  const named = given.split(/(?<!\\),/u).map((one) => one.replaceAll('\\,', ',').trim());
  let length = 0;
  const text = body.replace(/\$(\d)/gu, (_, i) => {
    const argument = i === '0' ? given : (named[Number(i) - 1] ?? '');
    length += argument.length;
    return length > LONGEST ? '' : argument;
  });
  return length > LONGEST ? given : text;
}
