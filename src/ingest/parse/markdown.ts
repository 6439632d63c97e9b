import { indentOf, isListItem, isTableRow, LONGEST_LINE, lines } from './lines.js';
import { inlineText } from './markdown-inline.js';
import type { Part } from './parts.js';

/** What a Markdown text says about itself in front of its first line. */
export interface FrontMatter {
  readonly title?: string;
  /** Offset of the first character after it. */
  readonly end: number;
}

/** Title and end of a YAML block between two lines of `---` at the very start; end 0 where there is none. */
export function frontMatter(text: string): FrontMatter {
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
 * Parts of a Markdown text: ATX and underlined headings, paragraphs, list items, table rows and code blocks. A `#` inside
 * a code fence is no heading; text before the first heading counts; block quotes and comments lose their marks.
 */
export function* markdownParts(text: string): Generator<Part> {
  const reader = new Reader();
  for (const line of lines(text, frontMatter(text).end)) yield* reader.take(line);
  yield* reader.flush();
}

interface Fence {
  readonly mark: string;
  readonly indent: number;
}

/** Reads line by line; what is open (a paragraph, an item, a code block) is given out when it ends. */
class Reader {
  private open: { kind: 'prose' | 'list' | 'code'; lines: string[]; size: number } | undefined;
  private fence: Fence | undefined;
  private comment = false;
  private blank = true;
  /** What the last part was: indented text after a list item goes on with the item. */
  private last: Part['kind'] | undefined;

  *take(raw: string): Generator<Part> {
    if (this.fence !== undefined) {
      yield* this.inFence(raw, this.fence);
      return;
    }
    const line = this.withoutComment(raw.replace(/^ {0,3}(?:> ?)+/u, ''));
    if (line === undefined) return;
    if (line.trim() === '') {
      this.blank = true;
      if (this.open?.kind !== 'code') yield* this.flush();
      return;
    }
    yield* this.takeText(line);
    this.blank = false;
  }

  *flush(): Generator<Part> {
    const { open } = this;
    this.open = undefined;
    if (open === undefined) return;
    const text = open.kind === 'code' ? open.lines.join('\n').replace(/\s+$/u, '') : inlineText(open.lines.join('\n'));
    if (text.trim() === '') return;
    this.last = open.kind;
    yield { kind: open.kind, text: open.kind === 'prose' ? text.trim() : text };
  }

  private *takeText(line: string): Generator<Part> {
    const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/u.exec(line)?.[1];
    if (fence !== undefined) {
      yield* this.flush();
      this.fence = { mark: fence, indent: indentOf(line) };
      this.open = { kind: 'code', lines: [], size: 0 };
      return;
    }
    const heading = atxHeading(line);
    if (heading !== undefined) {
      yield* this.flush();
      this.last = 'heading';
      yield heading;
      return;
    }
    if (this.underlines(line)) {
      const level = line.trimStart().startsWith('=') ? 1 : 2;
      const written = this.open?.lines[0] ?? '';
      this.open = undefined;
      yield { kind: 'heading', level, text: inlineText(written) };
      return;
    }
    if (/^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/u.test(line)) yield* this.flush();
    else if (isTableRow(line) && this.open?.kind !== 'code') yield* this.tableRow(line);
    else if (isListItem(line) && !this.isIndentedCode(line)) {
      yield* this.flush();
      this.open = {
        kind: 'list',
        lines: [line.replace(/^\s+/u, (space) => ' '.repeat(Math.min(space.length, 8)))],
        size: line.length,
      };
    } else yield* this.plainLine(line);
  }

  private *plainLine(line: string): Generator<Part> {
    const code = this.isIndentedCode(line);
    if (this.open !== undefined && (this.open.kind === 'code') !== code) yield* this.flush();
    yield* this.keepShort(line);
    this.open ??= { kind: code ? 'code' : 'prose', lines: [], size: 0 };
    this.open.lines.push(code ? line : hardBreak(line));
    this.open.size += line.length;
  }

  /** Four spaces in front make code after an empty line, and go on with code. */
  private isIndentedCode(line: string): boolean {
    if (indentOf(line) < 4) return false;
    return this.open === undefined ? this.blank && this.last !== 'list' : this.open.kind === 'code';
  }

  private *tableRow(line: string): Generator<Part> {
    yield* this.flush();
    if (!/^[\s|:-]+$/u.test(line)) yield { kind: 'table', text: inlineText(line.trim()) };
  }

  private *inFence(line: string, fence: Fence): Generator<Part> {
    const closing = line.trim();
    if (closing.startsWith(fence.mark) && closing === fence.mark[0]!.repeat(closing.length)) {
      this.fence = undefined;
      yield* this.flush();
      return;
    }
    yield* this.keepShort(line);
    this.open ??= { kind: 'code', lines: [], size: 0 };
    this.open.lines.push(line.slice(Math.min(indentOf(line), fence.indent)));
    this.open.size += line.length;
  }

  /** A block that grows very long is given out in pieces. */
  private *keepShort(line: string): Generator<Part> {
    if (this.open !== undefined && this.open.size + line.length > LONGEST_LINE) yield* this.flush();
  }

  /** A line of = or - under a paragraph of one short line. */
  private underlines(line: string): boolean {
    const { open } = this;
    if (open?.kind !== 'prose' || open.lines.length !== 1 || open.lines[0]!.length > 120) return false;
    return /^ {0,3}(?:=+|-{2,})[ \t]*$/u.test(line);
  }

  private withoutComment(line: string): string | undefined {
    let rest = line;
    if (this.comment) {
      const end = rest.indexOf('-->');
      if (end === -1) return undefined;
      this.comment = false;
      rest = rest.slice(end + 3);
    }
    const start = rest.indexOf('<!--');
    if (start === -1) return rest;
    const end = rest.indexOf('-->', start + 4);
    if (end !== -1) return this.withoutComment(`${rest.slice(0, start)}${rest.slice(end + 3)}`);
    this.comment = true;
    return rest.slice(0, start);
  }
}

/** Two spaces or a backslash at the end of a line break it. */
function hardBreak(line: string): string {
  return /(?: {2,}|\\)$/u.test(line) ? `${line.replace(/(?: {2,}|\\)$/u, '')}\u2028` : line;
}

function atxHeading(line: string): Part | undefined {
  const mark = /^ {0,3}(#{1,6})(?=[ \t]|$)/u.exec(line);
  if (mark === null) return undefined;
  const text = line
    .slice(mark[0].length)
    .trim()
    .replace(/(?:^|[ \t])#+$/u, '')
    .trim();
  return { kind: 'heading', level: mark[1]!.length, text: inlineText(text) };
}
