import { readHtml } from './html.js';
import { isTableRow, pieces } from './lines.js';
import { withoutCallouts } from './markdown/callouts.js';
import { withDefinitions } from './markdown/definition-lists.js';
import { markdown, readInline } from './markdown-inline.js';
import { keyOf, noteLabels } from './notes/markdown-notes.js';
import { placeNotes } from './notes/place.js';
import { opened, withSummaries } from './questions/summaries.js';
import { frontBlock } from './titles/front-matter.js';

/** @typedef {import('./parts.js').Part} Part */
/** @typedef {import('./notes/place.js').ReadPart} ReadPart */

/** A longer document is parsed in segments, so that its tokens do not lie in memory all at once. In characters. */
const SEGMENT = 1 << 18;

/** Lists and quotes that are nested deeper are text: the parser would drop it, and all that follows. */
const DEEPEST = 80;

const { tokenize } = markdown.block;
markdown.block.tokenize = (state, start, end, ...rest) => {
  if (state.level < DEEPEST) tokenize.call(markdown.block, state, start, end, ...rest);
  else readAsText(state, start, end);
};

/** Marks of lists and quotes at the beginning of a line. */
const MARKS = /^[ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)])(?=\s|$))[ \t]*)+/u;

/** Adds the lines that belong to the open item or quote as paragraphs without their marks, each line with a mark as one. */
function readAsText(state, start, end) {
  let line = start;
  while (line < end && (state.isEmpty(line) || state.sCount[line] >= state.blkIndent)) line += 1;
  const paragraphs = [''];
  for (const written of state.getLines(start, line, state.blkIndent, false).split('\n')) {
    const text = written.replace(MARKS, '');
    if (text === written) paragraphs.push(`${paragraphs.pop()}\n${text}`);
    else paragraphs.push(text);
  }
  for (const content of paragraphs.map((text) => text.trim())) {
    if (content === '') continue;
    state.push('paragraph_open', 'p', 1);
    Object.assign(state.push('inline', '', 0), { content, map: [start, line], children: [] });
    state.push('paragraph_close', 'p', -1);
  }
  state.line = line;
}

/**
 * Yields the parts of a Markdown text: headings, paragraphs, list items, table rows and code blocks. A `#` inside a code
 * fence is no heading; text before the first heading counts; quotes, comments, callouts and tags lose their marks. A note stands with the
 * text that refers to it.
 * @param {string} text
 * @returns {Generator<Part>}
 */
export function* markdownParts(text) {
  const end = frontBlock(text)?.end ?? 0;
  const notes = noteLabels(text);
  const env = notes.size === 0 ? definitions(text) : { ...definitions(text), notes };
  const read = withSummaries(readParts(segments(text, end), env));
  // Only a text that may have notes lies in memory as a whole.
  if (notes.size > 0 || LINKED_MARK.test(text)) yield* placeNotes([...read]);
  else for (const { part } of read) yield part;
}

/** The mark of a note in HTML. */
const LINKED_MARK = /<sup[\s>]|noteref|footnote-ref/iu;

/** @param {Iterable<string>} segments @param {object} env @returns {Generator<ReadPart>} */
function* readParts(segments, env) {
  const place = { details: 0 };
  for (const segment of segments) yield* segmentParts(segment, env, place);
}

/**
 * Returns the link definitions of the whole text, which each segment needs.
 * @param {string} text
 */
function definitions(text) {
  const env = {};
  if (text.length <= SEGMENT) return env;
  let found = '';
  for (const [line] of text.matchAll(/^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*\S[^\n]{0,1000}$/gmu)) found += `${line}\n`;
  markdown.block.parse(found, markdown, env, []);
  return env;
}

/**
 * Yields a text in segments that end before a heading, a list item or, after an empty line, a paragraph at the left margin,
 * outside of fences and comments.
 * @param {string} text
 * @param {number} from
 */
function* segments(text, from) {
  let start = from;
  let fence = '';
  let comment = false;
  let blank = false;
  for (let at = from; text.length - start > SEGMENT && at < text.length; ) {
    const next = text.indexOf('\n', at);
    const line = text.slice(at, Math.min(next === -1 ? text.length : next, at + 200));
    const mark = /^ {0,3}(`{3,}|~{3,})/u.exec(line)?.[1];
    if (fence !== '') {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = '';
    } else if (comment) comment = !line.includes('-->');
    else if (mark !== undefined) fence = mark;
    else if (line.includes('<!--')) comment = line.indexOf('-->', line.lastIndexOf('<!--')) === -1;
    else if (at - start >= SEGMENT && (/^(?:#{1,6}[ \t]|[-*+] \S)/u.test(line) || (blank && /^\p{L}/u.test(line)))) {
      yield text.slice(start, at);
      start = at;
    }
    blank = line.trim() === '';
    at = next === -1 ? text.length : next + 1;
  }
  yield text.slice(start);
}

/**
 * @param {string} text
 * @param {object} env
 * @param {{ details: number }} place
 * @returns {Generator<ReadPart>}
 */
function* segmentParts(text, env, place) {
  const tokens = [];
  markdown.block.parse(text, markdown, env, tokens);
  const reader = new TokenReader(env);
  for (const token of tokens) {
    const isHtml = token.type === 'html_block';
    for (const { details = 0, ...read } of reader.read(token)) {
      const depth = place.details + (isHtml ? details : 0);
      yield depth === 0 ? read : { ...read, details: depth };
    }
    if (isHtml) place.details = Math.max(0, place.details + opened(token.content));
  }
}

/** Turns block tokens into parts; knows in which list, item, heading, table row or note a token stands. */
class TokenReader {
  /** The mark of the open item: its first paragraph carries it. */
  mark = '';
  lists = 0;
  heading = 0;
  /** True from the beginning of a quote to its first text. */
  opensQuote = false;
  /** @type {string[] | undefined} */
  cells;
  /** Marks of notes in the open table row. @type {import('./notes/marks.js').NoteRef[]} */
  refs = [];
  /** The open note. @type {import('./notes/html-notes.js').Anchor | undefined} */
  note;
  /** The mark of the open note: its first part carries it. @type {string | undefined} */
  noteMark;
  /** True from a line drawn across the text to what follows it. */
  opens = false;

  /** @param {object} env Link definitions by label, and labels of notes. */
  constructor(env) {
    this.env = env;
  }

  /** @returns {Generator<ReadPart>} */
  *read(token) {
    switch (token.type) {
      case 'hr':
        this.opens ||= token.level === 0;
        break;
      case 'inline':
        yield* this.inline(token.content);
        this.opensQuote = false;
        break;
      case 'heading_open':
        this.heading = Number(token.tag.slice(1));
        break;
      case 'heading_close':
        this.heading = 0;
        break;
      case 'bullet_list_open':
      case 'ordered_list_open':
        this.lists += 1;
        break;
      case 'bullet_list_close':
      case 'ordered_list_close':
        this.lists -= 1;
        break;
      case 'list_item_open':
        this.mark = `${'  '.repeat(Math.min(this.lists - 1, 4))}${token.info}${token.markup} `;
        break;
      case 'list_item_close':
        this.mark = '';
        break;
      case 'blockquote_open':
        this.opensQuote = true;
        break;
      case 'blockquote_close':
        this.opensQuote = false;
        break;
      case 'tr_open':
        this.cells = [];
        this.refs = [];
        break;
      case 'tr_close':
        if (this.cells?.some((cell) => cell !== ''))
          yield this.part({ kind: 'table', text: `| ${this.cells.join(' | ')} |` }, this.refs);
        this.cells = undefined;
        break;
      case 'fence':
      case 'code_block':
        yield* this.code(token.content);
        break;
      case 'note_open':
        this.note = { id: `^${keyOf(token.content)}`, isNote: true, isListed: true };
        this.noteMark = `[${token.content}]`;
        break;
      case 'note_close':
        this.note = undefined;
        this.noteMark = undefined;
        break;
      case 'html_block':
        for (const read of readHtml(token.content, { keepsAsides: true }).parts) {
          yield { ...read, part: this.opened(read.part), note: this.note ?? read.note };
        }
    }
  }

  /** Returns a part that knows whether a line is drawn above it; a heading parts by itself. @param {Part} part */
  opened(part) {
    const { opens } = this;
    this.opens = false;
    return opens && part.kind !== 'heading' ? { ...part, opens } : part;
  }

  /** @returns {ReadPart} */
  part(given, refs) {
    const { note, noteMark } = this;
    const part = this.opened(given);
    this.noteMark = undefined;
    return noteMark === undefined ? { part, refs, note } : { part, refs, note, mark: noteMark };
  }

  /** @returns {Generator<ReadPart>} */
  *inline(written) {
    if (this.cells !== undefined) {
      const { text, refs } = readInline(written, this.env);
      this.cells.push(text.replace(/\s+/gu, ' ').trim());
      this.refs.push(...refs);
    } else if (this.heading > 0) {
      const { text: read, refs } = readInline(written, this.env, { isHeading: true });
      const text = read.replace(/\s+/gu, ' ').trim();
      if (text !== '') yield this.part({ kind: 'heading', level: this.heading, text }, refs);
    } else if (this.mark === '' && isTableRow(written)) yield* this.rows(written);
    else for (const text of withoutCallouts(written, this).flatMap(withDefinitions)) yield* this.paragraph(text);
  }

  /** @returns {Generator<ReadPart>} */
  *paragraph(written) {
    for (const piece of pieces(written)) {
      const { text: read, links, refs } = readInline(piece, this.env, { isParagraph: this.mark === '' });
      const text = read.trim();
      if (text === '') continue;
      const found = links.length === 0 ? {} : { links };
      if (this.mark === '') yield this.part({ kind: 'prose', text, ...found }, refs);
      else yield this.part({ kind: 'list', text: this.mark + text, ...found }, refs);
      this.mark = '';
    }
  }

  /** Rows of a table without a line of dashes below its head. @returns {Generator<ReadPart>} */
  *rows(written) {
    for (const line of written.split('\n')) {
      if (!isTableRow(line)) yield* this.paragraph(line);
      else if (!/^[\s|:-]+$/u.test(line)) {
        const { text, refs } = readInline(line, this.env);
        yield this.part({ kind: 'table', text: text.trim() }, refs);
      }
    }
  }

  /** @returns {Generator<ReadPart>} */
  *code(written) {
    for (const piece of pieces(written)) {
      const text = piece.replace(/^\n+/u, '').trimEnd();
      if (text !== '') yield this.part({ kind: 'code', text }, []);
    }
  }
}
