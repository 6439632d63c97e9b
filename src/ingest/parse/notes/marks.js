import { fraction, subscript, superscript } from './scripts.js';

/**
 * A mark in a text that refers to a note: what it leads to, and how it is written, such as `[2]`.
 * @typedef {{ target: string, mark: string }} NoteRef
 */

// Signs that stand in the text of a paragraph while it is read: begin of a superscript, of a subscript, end of both; begin of
// the mark of a note, begin of its label, its end. No document holds them: control characters are removed first.
const SUP = '\u0001';
const SUB = '\u0002';
const END = '\u0003';
const MARK = '\u0004';
const LABEL = '\u0005';
const MARK_END = '\u0006';

const ANY = /[\u0001-\u0006]/u;
const ALL = /[\u0001-\u0006]/gu;
const FOUND =
  /\u0001\s?(\d{1,4})\s?\u0003\s?[/⁄∕]\s?\u0002\s?(\d{1,4})\s?\u0003|[\u0001\u0002]([^\u0001-\u0003]*)\u0003|\u0004([^\u0004-\u0006]*)\u0005([^\u0004-\u0006]*)\u0006/gu;
const MARKS = /\u0004([^\u0004-\u0006]*)\u0005([^\u0004-\u0006]*)\u0006/gu;

/** Characters before and after a superscript that tell what it means. */
const AROUND = 24;

/** @param {string} text */
export function withoutSigns(text) {
  return ANY.test(text) ? text.replace(ALL, '') : text;
}

/** Returns whether a text is a mark made by `noteMark`. @param {string} text */
export function isNoteMark(text) {
  return text.startsWith(MARK);
}

/** Returns the sign that begins a superscript or subscript. @param {string} name `sup` or `sub`. */
export function scriptOpen(name) {
  return name === 'sup' ? SUP : SUB;
}

export const SCRIPT_CLOSE = END;

/** What a mark that leads to no note is written with: a number, a letter, a sign. */
const BARE_LABEL = /^[\s[(]*(?:\d{1,4}|\p{L}|[*†‡§¶#]{1,3})[\s\]).,]*$/u;
/** A link with more words is no mark. In characters. */
const LONGEST_LABEL = 16;

/**
 * Returns the mark of a note, to stand in a text until `readMarks` reads it; the words themselves where they can be no mark.
 * @param {string} target Empty where it leads to no note.
 * @param {string} written
 * @param {{ isSure?: boolean }} [options] Whether the document says that it is a mark.
 */
export function noteMark(target, written, { isSure = false } = {}) {
  const label = withoutSigns(written);
  const isMark = isSure || (target === '' ? BARE_LABEL.test(label) : label.trim().length <= LONGEST_LABEL);
  return isMark ? MARK + withoutSigns(target) + LABEL + label + MARK_END : label;
}

/**
 * Returns a text with its superscripts, subscripts and marks of notes as a reader would type them, and what the marks refer to.
 * A mark stands apart from the word before it and before the full stop: `30 Euro.[^1]` is "30 Euro [1].", so that it
 * belongs to the sentence that it is written at.
 * @param {string} text
 * @param {{ isHeading?: boolean }} [options] A heading has no marks: it is the title of passages.
 * @returns {{ text: string, refs: NoteRef[] }}
 */
export function readMarks(text, { isHeading = false } = {}) {
  if (!ANY.test(text)) return { text, refs: [] };
  const writer = new Writer();
  /** @type {NoteRef[]} */
  const refs = [];
  const addNotes = (content) => {
    let from = 0;
    for (const match of content.matchAll(MARKS)) {
      addWords(writer, content.slice(from, match.index));
      from = match.index + match[0].length;
      const [, target = '', label = ''] = match;
      const mark = markOf(label);
      if (mark === undefined) continue;
      if (target !== '') refs.push({ target, mark });
      if (!isHeading) writer.mark(mark);
    }
    addWords(writer, content.slice(from));
  };
  let from = 0;
  for (const match of text.matchAll(FOUND)) {
    writer.add(withoutSigns(text.slice(from, match.index)));
    from = match.index + match[0].length;
    const [, above, below, content] = match;
    if (above !== undefined) writer.add(fraction(above, below, writer.tail));
    else if (content === undefined) addNotes(match[0]);
    else if (content.includes(MARK)) addNotes(content);
    else {
      const around = { before: writer.tail, after: text.slice(from, from + AROUND) };
      const words = withoutSigns(content);
      const written = match[0][0] === SUB ? subscript(words, around.before) : superscript(words, around);
      if (written === undefined) writer.mark(markOf(words.replaceAll('−', '-')) ?? words);
      else writer.add(written);
    }
  }
  writer.add(withoutSigns(text.slice(from)));
  return { text: writer.end(), refs };
}

/** Adds what stands beside the marks in a superscript, but for brackets and commas. */
function addWords(writer, written) {
  const words = withoutSigns(written);
  if (!/[\p{L}\p{N}]/u.test(words)) return;
  writer.add(/[\p{L}\p{N}]$/u.test(writer.tail) && /^[\p{L}\p{N}]/u.test(words) ? ` ${words}` : words);
}

/**
 * Yields the pieces of a text, each with those of its marks.
 * @param {Iterable<string>} pieces
 * @param {NoteRef[]} refs In the order of the text.
 * @returns {Generator<[string, NoteRef[]]>}
 */
export function* refsOf(pieces, refs) {
  let next = 0;
  for (const piece of pieces) {
    const first = next;
    let at = 0;
    while (next < refs.length) {
      const found = piece.indexOf(refs[next].mark, at);
      if (found === -1) break;
      at = found + 1;
      next += 1;
    }
    yield [piece, refs.slice(first, next)];
  }
}

/** Writes a text piece by piece, and knows how it ends without looking at all of it. */
class Writer {
  /** @type {string[]} */
  pieces = [];
  tail = '';
  /** Signs that a mark was written before: they follow it. */
  signs = '';
  afterMark = false;

  /** @param {string} piece */
  add(piece) {
    if (piece === '') return;
    const space = this.afterMark && this.signs === '' && /^[\p{L}\p{N}\p{Sc}]/u.test(piece) ? ' ' : '';
    this.push(this.signs + space + piece);
    this.signs = '';
    this.afterMark = false;
  }

  /** @param {string} mark */
  mark(mark) {
    const last = this.pieces.at(-1) ?? '';
    const signs = this.signs === '' ? (/(?<=[^\s.,;:!?…])[.,;:!?…]{1,3}$/u.exec(last.slice(-AROUND))?.[0] ?? '') : '';
    if (signs !== '') {
      this.signs = signs;
      this.pieces[this.pieces.length - 1] = last.slice(0, -signs.length);
      this.tail = this.tail.slice(0, -signs.length);
    }
    this.push((this.tail === '' || /[\s([{|]$/u.test(this.tail) ? '' : ' ') + mark);
    this.afterMark = true;
  }

  push(piece) {
    this.pieces.push(piece);
    this.tail = (this.tail + piece.slice(-AROUND)).slice(-AROUND);
  }

  end() {
    return this.pieces.join('') + this.signs;
  }
}

/** Returns how a mark is written, `[2]` for "2", "(2)", "[2]"; undefined for an empty label. @param {string} label */
function markOf(label) {
  const bare = label
    .replace(/[\s\p{Variation_Selector}]+/gu, ' ')
    .replace(/^[\s[(]+/u, '')
    .replace(/[\s\]).]+$/u, '');
  return bare === '' ? undefined : `[${bare.replace(/[[\]]/gu, '')}]`;
}
