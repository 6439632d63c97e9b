import { pieces } from '../lines.js';
import { accentAt } from './accents.js';
import { COMMANDS, cite } from './commands.js';
import { Cursor, SPACE } from './cursor.js';
import { beginEnvironment, endEnvironment } from './environments.js';
import { expand, Macros } from './macros.js';
import { mathText } from './math.js';
import { CITES, DROPPED, HEADINGS, REFERENCES } from './names.js';
import { People } from './people.js';
import { isGerman, signAt } from './signs.js';
import { SYMBOLS } from './symbols.js';

/** @typedef {import('./table.js').OpenTable} OpenTable */
/** @typedef {import('../notes/place.js').ReadPart} ReadPart */
/** @typedef {{ kind: 'group' | 'capture' | 'environment', name?: string, saved?: string, isShort?: boolean, done?: (text: string) => void, end?: () => void }} Frame */

/** Characters of a formula. */
const LONGEST_FORMULA = 5000;

const PLAIN = /[^\\{}%$&~\n`'"-]+/uy;
const BREAK = /\n[ \t]*\n\s*/uy;
const COMMENT = /%[^\n]*(?:\n[ \t]*(?=\S))?/uy;
const COMMAND = /\\([A-Za-z@]+)(\*?)/uy;

/** Reads a text of LaTeX from its beginning to its end, once: each character is looked at a fixed number of times, however deep braces lie in each other. */
export class LatexReader extends Cursor {
  /** @type {ReadPart[]} */
  parts = [];
  /** What is open: the text of a paragraph, a cell, or an argument. */
  text = '';
  /** The last character that was written. Asking a long text for it would join all its pieces each time. */
  last = '';
  /** @type {Frame[]} */
  stack = [];
  /** Places of the frames in it that are no groups. @type {number[]} */
  holders = [];
  /** Environments that are open, by name. @type {Map<string, number>} */
  open = new Map();
  captures = 0;
  /** @type {Array<{ name: string, next: number }>} */
  lists = [];
  /** @type {OpenTable[]} */
  tables = [];
  mark = '';
  /** @type {import('../notes/marks.js').NoteRef[]} */
  refs = [];
  /** How many of them stand in a part that was written. */
  placed = 0;
  /** @type {ReadPart[]} */
  waiting = [];
  notes = 0;
  names = { title: '', subtitle: '', date: '', authors: /** @type {string[]} */ ([]) };
  /** Names of statements that the document declares. @type {Map<string, string>} */
  statements = new Map();

  /** @param {string} source @param {{ macros?: Macros, isInner?: boolean }} [options] `isInner`: it is a part of a document. */
  constructor(source, { macros = new Macros(), isInner = false } = {}) {
    super(source);
    this.macros = macros;
    this.isInner = isInner;
    this.people = new People(source);
    const top = source.includes('\\part{') ? 0 : source.includes('\\chapter') ? 1 : 2;
    this.levels = new Map([...HEADINGS].map(([name, rank]) => [name, Math.max(1, rank - top + 1)]));
    this.isGerman = isGerman(source);
  }

  read() {
    while (this.at < this.source.length) this.step();
    while (this.stack.length > 0) this.pop();
    this.flush();
    return this;
  }

  step() {
    const plain = this.match(PLAIN);
    if (plain !== undefined) {
      this.add(plain[0]);
      return;
    }
    const sign = this.source[this.at];
    if (sign === '\\') this.command();
    else if (sign === '%') this.match(COMMENT);
    else if (sign === '\n') {
      if (this.match(BREAK) !== undefined) this.paragraph();
      else this.take(1, ' ');
    } else if (sign === '{') {
      this.take(1, '');
      this.push({ kind: 'group' });
    } else if (sign === '}') {
      this.take(1, '');
      if (this.stack.length > 0 && this.stack.at(-1)?.kind !== 'environment') this.pop();
      // Two arguments of a command that is not known are two words.
      if (this.source[this.at] === '{') this.add(' ');
    } else if (sign === '$') this.dollar();
    else if (sign === '&') this.cell();
    else {
      const { length, text } = signAt(this.source, this.at, this.isGerman);
      this.take(length, text);
    }
  }

  command() {
    const accent = accentAt(this.source, this.at);
    if (accent !== undefined) {
      this.add(accent.letter);
      this.at = accent.end;
      return;
    }
    const found = this.match(COMMAND);
    if (found === undefined) {
      this.controlSign(this.source[this.at + 1] ?? '');
      return;
    }
    const [, name, star] = found;
    const act = COMMANDS.get(name);
    const symbol = SYMBOLS.get(name);
    const macro = this.macros.byName.get(name);
    if (name === 'begin') beginEnvironment(this);
    else if (name === 'end') endEnvironment(this);
    else if (act !== undefined) act(this);
    else if (this.levels.has(name)) this.heading(/** @type {number} */ (this.levels.get(name)));
    else if (macro !== undefined) expand(this, macro);
    else if (DROPPED.has(name)) this.drop(/** @type {number} */ (DROPPED.get(name)));
    else if (CITES.test(name)) cite(this);
    else if (REFERENCES.has(name)) this.add(this.group().replace(/^[\w-]{1,12}:/u, ''));
    else if (symbol !== undefined) {
      this.add(symbol);
      this.match(SPACE);
    } else if (star === '' || this.source[this.at] === '[') this.option();
  }

  /** @param {string} sign */
  controlSign(sign) {
    if (sign === '\\') {
      this.take(2, '');
      if (this.source[this.at] === '*') this.at += 1;
      this.option();
      this.row();
    } else if (sign === '(' || sign === '[') {
      this.at += 2;
      this.formula(sign === '(' ? '\\)' : '\\]');
    } else if (/[\s,;:]/u.test(sign)) this.take(2, ' ');
    else this.take(2, /[-!/@"']/u.test(sign) ? '' : sign);
  }

  dollar() {
    const close = this.source.startsWith('$$', this.at) ? '$$' : '$';
    this.at += close.length;
    this.formula(close);
  }

  /** Reads a formula up to its end; what nothing ends is text. @param {string} close */
  formula(close) {
    let end = this.next(close);
    while (close === '$' && end < this.source.length && this.source[end - 1] === '\\') end = this.next(close, end + 1);
    const written = end - this.at <= LONGEST_FORMULA ? this.source.slice(this.at, end) : '';
    if (end >= this.source.length || written === '' || /\n[ \t]*\n/u.test(written)) return;
    this.at = end + close.length;
    this.addFormula(written, close !== '$' && close !== '\\)');
  }

  /** @param {string} written @param {boolean} isApart */
  addFormula(written, isApart) {
    const around = isApart ? '\n' : '';
    this.add(around + mathText(written, this.macros) + around);
  }

  /** @param {number} level */
  heading(level) {
    this.option();
    this.flush();
    this.capture((text) => this.emit({ kind: 'heading', level, text: text.replace(/\s+/gu, ' ').trim() }), true);
  }

  /** Reads the argument that follows, and gives its text away at its end. A short one ends with its paragraph at the latest. Returns whether there is one. @param {(text: string) => void} done @param {boolean} [isShort] */
  capture(done, isShort = false) {
    this.match(SPACE);
    if (this.source[this.at] !== '{') return false;
    this.at += 1;
    this.push({ kind: 'capture', saved: this.text, done, isShort });
    this.text = '';
    this.captures += 1;
    return true;
  }

  /** @param {Frame} frame */
  push(frame) {
    if (frame.kind !== 'group') this.holders.push(this.stack.length);
    this.stack.push(frame);
  }

  /** Ends the innermost group, argument or environment. */
  pop() {
    const frame = this.stack.pop();
    if (frame === undefined) return;
    if (frame.kind !== 'group') this.holders.pop();
    if (frame.kind === 'environment') {
      const name = frame.name ?? '';
      this.open.set(name, (this.open.get(name) ?? 1) - 1);
      frame.end?.();
    } else if (frame.kind === 'capture') {
      const { text } = this;
      this.text = frame.saved ?? '';
      this.captures -= 1;
      frame.done?.(text);
    }
  }

  paragraph() {
    const short = this.holders.at(-1) ?? -1;
    if (this.stack[short]?.isShort) while (this.stack.length > short) this.pop();
    if (this.captures > 0 || this.tables.length > 0) this.add(' ');
    else this.flush();
  }

  /** Ends a cell. */
  cell() {
    this.at += 1;
    const table = this.tables.at(-1);
    if (table === undefined) this.add(this.captures > 0 || this.text !== '' ? '&' : '');
    else if (this.tables.length > 1 || this.captures > table.captures) this.add(' ');
    else this.endCell(table);
  }

  /** @param {OpenTable} table */
  endCell(table) {
    table.endCell(this.text);
    this.text = '';
  }

  /** Ends a row, or a line. */
  row() {
    const table = this.tables.at(-1);
    if (table === undefined || this.captures > table.captures) this.add('\n');
    else if (this.tables.length > 1) this.add('; ');
    else {
      this.endCell(table);
      this.emit({ kind: 'table', text: table.endRow() });
    }
  }

  flush() {
    if (this.captures > 0 || this.tables.length > 0) return;
    const text = this.text
      .replace(/[^\S\n]+/gu, ' ')
      .replace(/ ?\n\s*/gu, '\n')
      .trim();
    this.text = '';
    if (text === '') return;
    const { mark } = this;
    this.mark = '';
    for (const [i, piece] of [...pieces(text)].entries())
      this.emit(
        mark !== '' && i === 0
          ? { kind: 'list', text: mark + piece.replace(/\n/gu, ' ') }
          : { kind: 'prose', text: piece },
      );
  }

  /** @param {import('../parts.js').Part} part */
  emit(part) {
    if (part.text === '') return;
    // Marks stand in the text in the order of their notes.
    const first = this.placed;
    let at = 0;
    for (; this.placed < this.refs.length; this.placed += 1) {
      const found = part.text.indexOf(this.refs[this.placed].mark, at);
      if (found < 0) break;
      at = found + 1;
    }
    this.parts.push({ part, refs: this.refs.slice(first, this.placed), note: undefined });
    if (this.captures === 0) for (const note of this.waiting.splice(0)) this.parts.push(note);
  }

  /** Skips arguments, and options before them. @param {number} count */
  drop(count) {
    for (let i = 0; i < count; i += 1) {
      while (this.option() !== undefined);
      this.group();
    }
  }

  /** @param {number} count @param {string} text */
  take(count, text) {
    this.at += count;
    this.add(text);
  }

  /** @param {string} text */
  add(text) {
    this.text += text;
    if (text !== '') this.last = text.slice(-1);
  }

  /** Returns a piece of the document as a line of text. @param {string} source */
  inner(source) {
    const reader = new LatexReader(source, { macros: this.macros, isInner: true }).read();
    return reader.parts.map(({ part }) => part.text).join(' ');
  }
}
