import { LONGEST_LINE, pieces } from '../lines.js';
import { inlineOf } from './inline.js';
import { dayText, STAMP } from './stamps.js';
import { END_DRAWER, KEYWORD } from './syntax.js';
import { tableRow } from './table-row.js';

/** @typedef {import('../parts.js').Part} Part */
/** @typedef {import('../notes/place.js').ReadPart} ReadPart */
/** @typedef {import('../notes/html-notes.js').Anchor} Anchor */

const BEGIN = /^[ \t]*#\+begin_([\w-]{1,40})(?:[ \t]|$)/iu;
const END_BLOCK = /^[ \t]*#\+end_([\w-]{1,40})[ \t]*$/iu;
const DRAWER = /^[ \t]*:([\w-]{1,40}):[ \t]*$/u;
const FIXED = /^[ \t]*:(?: (.*))?$/u;
const COMMENT = /^[ \t]*#(?:[ \t]|$)/u;
const CLOCK = /^[ \t]*CLOCK:[ \t]*\[/u;
const RULE = /^-{5,}[ \t]*$/u;
const ROW = /^[ \t]*\|/u;
const ITEM =
  /^([ \t]*)([-+]|(?<=[ \t])\*|\d{1,9}[.)]|[A-Za-z][.)])[ \t]+(?:\[@\w{1,9}\][ \t]*)?(\[[ xX-]\](?=[ \t]|$))?(.*)$/u;
const TERM = /^(.{1,200}?)(?<![ \t])[ \t]+::(?:[ \t]+|$)/u;
const NOTE = /^\[fn:([\w-]{1,60})\][ \t]*(.*)$/u;
/** What a log keeps of a talk: "- Note taken on [2026-01-05 Mon 10:00] \\". */
const LOGGED = new RegExp(`^[ \\t]*- Note taken on (${STAMP.source})[ \\t]*(?:\\\\\\\\[ \\t]*)?$`, 'u');
const CODE = new Set(['src', 'example']);
const SILENT = new Set(['export', 'comment', 'html', 'latex']);
const CALLOUTS = new Set([
  'attention',
  'caution',
  'danger',
  'error',
  'hint',
  'important',
  'info',
  'note',
  'tip',
  'warning',
]);

/** The notes of a document: those written within a text stand behind it. */
export class Notes {
  count = 0;
  /** @type {ReadPart[]} */
  waiting = [];

  /** Returns the label of a note, and keeps one that is written where it is referred to. @param {string} label @param {string | undefined} note */
  add(label, note) {
    if (label === '') this.count += 1;
    const name = label === '' ? `note ${this.count}` : label;
    if (note !== undefined) this.waiting.push(notePart(name, inlineOf(note.trim(), (one) => one).text));
    return name;
  }

  /** Yields the notes that were kept since. @returns {Generator<ReadPart>} */
  *written() {
    yield* this.waiting.splice(0);
  }
}

/** @param {string} label @param {string} text @returns {ReadPart} */
function notePart(label, text) {
  /** @type {Anchor} */
  const note = { id: `^${label}`, isNote: true, isListed: true };
  return { part: { kind: 'prose', text }, refs: [], note, mark: `[${label}]` };
}

/** Yields the parts of lines without headlines. @param {string[]} lines @param {Notes} notes @returns {Generator<ReadPart>} */
export function* bodyOf(lines, notes) {
  const reader = new BodyReader(notes);
  const lastEnd = lines.findLastIndex((line) => END_DRAWER.test(line));
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    const block = BEGIN.exec(line)?.[1].toLowerCase();
    const drawer = block === undefined && at < lastEnd ? DRAWER.exec(line)?.[1].toUpperCase() : undefined;
    if (block !== undefined && (CODE.has(block) || SILENT.has(block))) {
      yield* reader.flush();
      const end = indexAfter(lines, at, (one) => END_BLOCK.exec(one)?.[1].toLowerCase() === block);
      // A file that is cut off ends within its last block.
      const stop = end < 0 ? lines.length : end;
      if (CODE.has(block)) yield* code(lines.slice(at + 1, stop));
      at = stop;
    } else if (drawer === 'LOGBOOK' || drawer === 'PROPERTIES') {
      yield* reader.flush();
      const end = indexAfter(lines, at, (one) => END_DRAWER.test(one));
      yield* loggedNotes(lines.slice(at + 1, end), reader);
      at = end;
    } else if (FIXED.test(line)) {
      yield* reader.flush();
      let end = at;
      while (end < lines.length && FIXED.test(lines[end])) end += 1;
      yield* code(lines.slice(at, end).map((one) => FIXED.exec(one)?.[1] ?? ''));
      at = end - 1;
    } else yield* reader.read(line);
  }
  yield* reader.flush();
}

/** Returns the index of the next line behind one that is looked for; -1 for none. @param {string[]} lines @param {number} at @param {(line: string) => boolean} isWanted */
function indexAfter(lines, at, isWanted) {
  for (let i = at + 1; i < lines.length; i += 1) if (isWanted(lines[i])) return i;
  return -1;
}

/** @param {string[]} written @returns {Generator<ReadPart>} */
function* code(written) {
  const indent = written.reduce((least, line) => (line.trim() === '' ? least : Math.min(least, indentOf(line))), 80);
  // A comma keeps a line of an example from being a headline.
  const text = written
    .map((line) =>
      line
        .slice(indent)
        .replace(/^,(?=[*,#])/u, '')
        .trimEnd(),
    )
    .join('\n');
  for (const piece of pieces(text)) {
    const trimmed = piece.replace(/^\n+/u, '').trimEnd();
    if (trimmed !== '') yield { part: { kind: 'code', text: trimmed }, refs: [], note: undefined };
  }
}

/** Yields what was noted in a log, without its clocks and changes of state. @param {string[]} lines @param {BodyReader} reader @returns {Generator<ReadPart>} */
function* loggedNotes(lines, reader) {
  let isOpen = false;
  for (const line of lines) {
    const stamp = LOGGED.exec(line)?.[1];
    if (stamp !== undefined) {
      isOpen = true;
      yield* reader.read(`- Note of ${dayText(stamp)}:`);
    } else if (/^[ \t]*-[ \t]/u.test(line) || CLOCK.test(line)) isOpen = false;
    else if (isOpen) yield* reader.read(`  ${line.trim()}`);
  }
  yield* reader.flush();
}

/** @param {string} line */
function indentOf(line) {
  return line.length - line.trimStart().length;
}

/** Turns lines into paragraphs, items and rows; knows which of them is open. */
class BodyReader {
  /** @type {string[]} */
  open = [];
  size = 0;
  /** What is open: an item with its mark, a note with its label, or a paragraph. @type {{ mark?: string, indent?: number, note?: string }} */
  about = {};
  /** Indents of the lists about the open item. @type {number[]} */
  lists = [];
  opens = false;

  /** @param {Notes} notes */
  constructor(notes) {
    this.notes = notes;
  }

  /** @param {string} line @returns {Generator<ReadPart>} */
  *read(line) {
    if (line.trim() === '') {
      yield* this.flush();
      return;
    }
    const callout = BEGIN.exec(line)?.[1].toLowerCase();
    if (callout !== undefined || END_BLOCK.test(line) || COMMENT.test(line) || CLOCK.test(line) || isMark(line)) {
      yield* this.flush();
      if (callout !== undefined && CALLOUTS.has(callout))
        yield* this.part('prose', callout.slice(0, 1).toUpperCase() + callout.slice(1));
      return;
    }
    const keyword = KEYWORD.exec(line);
    if (keyword !== null) {
      yield* this.flush();
      if (keyword[1].toLowerCase() === 'caption') yield* this.part('prose', keyword[2]);
    } else if (RULE.test(line)) {
      yield* this.flush();
      this.opens = true;
    } else if (ROW.test(line)) {
      yield* this.flush();
      yield* this.part('table', tableRow(line));
    } else yield* this.text(line);
  }

  /** @param {string} line @returns {Generator<ReadPart>} */
  *text(line) {
    const note = NOTE.exec(line);
    const item = note === null ? ITEM.exec(line) : null;
    if (note !== null) {
      yield* this.flush();
      this.about = { note: note[1] };
      this.add(note[2]);
    } else if (item !== null) {
      yield* this.flush();
      const [, space, bullet, box, text] = item;
      const indent = space.length;
      while (this.lists.length > 0 && /** @type {number} */ (this.lists.at(-1)) >= indent) this.lists.pop();
      const depth = Math.min(this.lists.length, 4);
      this.lists.push(indent);
      const sign = /\w/u.test(bullet) ? bullet : '-';
      this.about = { mark: `${'  '.repeat(depth)}${sign} ${box === undefined ? '' : `${box} `}`, indent };
      this.add(text.trim().replace(TERM, '$1: '));
    } else {
      if (this.about.indent !== undefined && indentOf(line) <= this.about.indent) {
        yield* this.flush();
        this.lists = [];
      }
      if (this.size > LONGEST_LINE) yield* this.flush();
      this.add(line.trim());
    }
  }

  /** @param {string} text */
  add(text) {
    this.open.push(text);
    this.size += text.length + 1;
  }

  /** Ends what is open. @returns {Generator<ReadPart>} */
  *flush() {
    const { open, about } = this;
    this.open = [];
    this.size = 0;
    this.about = {};
    if (about.note !== undefined) yield notePart(about.note, inlineOf(open.join('\n'), (one) => one).text);
    else if (about.mark !== undefined) yield* this.part('list', open.join(' '), about.mark);
    else if (open.length > 0) yield* this.part('prose', open.join('\n'));
    yield* this.notes.written();
  }

  /** @param {'prose' | 'list' | 'table'} kind @param {string} written @param {string} [mark] @returns {Generator<ReadPart>} */
  *part(kind, written, mark = '') {
    for (const [i, piece] of [...pieces(written)].entries()) {
      const { text, links, refs } = inlineOf(piece, (label, note) => this.notes.add(label, note));
      if (text.trim() === '') continue;
      const { opens } = this;
      this.opens = false;
      const found = links.length > 0 && kind !== 'table' ? { links } : {};
      const part = { kind, text: `${i === 0 ? mark : ''}${text.trim()}`, ...found, ...(opens ? { opens } : {}) };
      yield { part, refs, note: undefined };
    }
  }
}

/** Returns whether a line opens or closes a drawer whose lines are text. @param {string} line */
function isMark(line) {
  return DRAWER.test(line);
}
