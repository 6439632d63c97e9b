import { htmlParts } from './html.js';
import { isTableRow, pieces } from './lines.js';
import { inlineText, markdown, readInline } from './markdown-inline.js';

/** @typedef {import('./parts.js').Part} Part */

/** A longer document is parsed in segments, so that its tokens do not lie in memory all at once. In characters. */
const SEGMENT = 1 << 18;

/**
 * Returns the title in a YAML block between two lines of `---` at the very start, and the offset of the text after the
 * block; offset 0 where there is none.
 * @param {string} text
 * @returns {{ title?: string, end: number }}
 */
export function frontMatter(text) {
  if (!/^---[ \t]*\n/u.test(text)) return { end: 0 };
  const close = text.slice(0, 20_000).search(/\n(?:---|\.\.\.)[ \t]*(?:\n|$)/u);
  if (close === -1) return { end: 0 };
  const body = text.slice(text.indexOf('\n') + 1, Math.max(close, text.indexOf('\n') + 1));
  if (!body.split('\n').every((line) => /^(?:\s*$|\s+\S|#|-\s|[\w-]+\s*:)/u.test(line))) return { end: 0 };
  const title = /^title\s*:\s*["']?(.+?)["']?\s*$/mu.exec(body)?.[1];
  const end = text.indexOf('\n', close + 1);
  return { ...(title === undefined ? {} : { title }), end: end === -1 ? text.length : end + 1 };
}

/**
 * Yields the parts of a Markdown text: headings, paragraphs, list items, table rows and code blocks. A `#` inside a code
 * fence is no heading; text before the first heading counts; quotes, comments and tags lose their marks.
 * @param {string} text
 * @returns {Generator<Part>}
 */
export function* markdownParts(text) {
  const { end } = frontMatter(text);
  const env = definitions(text);
  for (const segment of segments(text, end)) yield* segmentParts(segment, env);
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
 * @returns {Generator<Part>}
 */
function* segmentParts(text, env) {
  const tokens = [];
  markdown.block.parse(text, markdown, env, tokens);
  const reader = new TokenReader(env);
  for (const token of tokens) yield* reader.read(token);
}

/** Turns block tokens into parts; knows in which list, item, heading or table row a token stands. */
class TokenReader {
  /** The mark of the open item: its first paragraph carries it. */
  mark = '';
  lists = 0;
  heading = 0;
  /** @type {string[] | undefined} */
  cells;

  /** @param {object} env Link definitions by label. */
  constructor(env) {
    this.env = env;
  }

  /** @returns {Generator<Part>} */
  *read(token) {
    switch (token.type) {
      case 'inline':
        yield* this.inline(token.content);
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
      case 'tr_open':
        this.cells = [];
        break;
      case 'tr_close':
        if (this.cells?.some((cell) => cell !== '')) yield { kind: 'table', text: `| ${this.cells.join(' | ')} |` };
        this.cells = undefined;
        break;
      case 'fence':
      case 'code_block':
        yield* this.code(token.content);
        break;
      case 'html_block':
        yield* htmlParts(token.content).parts;
    }
  }

  /** @returns {Generator<Part>} */
  *inline(written) {
    if (this.cells !== undefined) this.cells.push(inlineText(written, this.env).replace(/\s+/gu, ' ').trim());
    else if (this.heading > 0) {
      const text = inlineText(written, this.env).trim();
      if (text !== '') yield { kind: 'heading', level: this.heading, text };
    } else if (this.mark === '' && isTableRow(written)) yield* this.rows(written);
    else yield* this.paragraph(written);
  }

  /** @returns {Generator<Part>} */
  *paragraph(written) {
    for (const piece of pieces(written)) {
      const { text: read, links } = readInline(piece, this.env);
      const text = read.trim();
      if (text === '') continue;
      const found = links.length === 0 ? {} : { links };
      if (this.mark === '') yield { kind: 'prose', text, ...found };
      else yield { kind: 'list', text: this.mark + text, ...found };
      this.mark = '';
    }
  }

  /** Rows of a table without a line of dashes below its head. @returns {Generator<Part>} */
  *rows(written) {
    for (const line of written.split('\n')) {
      if (!isTableRow(line)) yield* this.paragraph(line);
      else if (!/^[\s|:-]+$/u.test(line)) yield { kind: 'table', text: inlineText(line, this.env).trim() };
    }
  }

  /** @returns {Generator<Part>} */
  *code(written) {
    for (const piece of pieces(written)) {
      const text = piece.replace(/^\n+/u, '').trimEnd();
      if (text !== '') yield { kind: 'code', text };
    }
  }
}
