import { slicer } from '../../core/async/slices.js';
import { PATH_SEPARATOR } from '../../core/text/about.js';

export type BlockKind = 'prose' | 'list' | 'table' | 'code';

/** A stretch of a document below a heading: a paragraph, a list item, a table row, a code block. */
export interface Block {
  readonly kind: BlockKind;
  readonly text: string;
  /** The words of its links, in order, where it has any. */
  readonly links?: readonly string[];
  /** The notes that its marks refer to, each after its mark: "[1] Payable in three instalments." */
  readonly notes?: readonly string[];
  /** A line drawn above it parts it from what stands before: its text begins a passage. */
  readonly opens?: boolean;
}

export interface Heading {
  readonly kind: 'heading';
  /** 1 is the outermost of the text, 0 a title that stands apart from it. */
  readonly level: number;
  readonly text: string;
}

/** What every format is read into, in the order of the document. */
export type Part = Heading | Block;

/** The blocks under one heading; `path` is "Title" or "Title > Section", or empty before the first heading. */
export interface Section {
  readonly path: string;
  readonly blocks: readonly Block[];
  /** True for a later piece of a very long section. */
  readonly continues: boolean;
}

/** A section longer than this, in characters, is divided. */
const LONGEST_SECTION = 24_000;
/** So is one of more blocks: each costs more than its characters. */
const MOST_BLOCKS = 1000;
/** A longer block is divided: what cuts it into passages works on a whole block in one step. In characters. */
const LONGEST_BLOCK = 64_000;
/** A longer heading is a paragraph: each passage below a heading carries it. In characters. */
const LONGEST_HEADING = 300;
/** Headings in one section of a document of headings alone. */
const LIST_ITEMS = 500;

/**
 * Yields the parts grouped by heading. Sections without text are left out, unless the document has nothing but headings.
 * Gives way to the event loop.
 */
export async function* sections(parts: Iterable<Part>): AsyncGenerator<Section> {
  const pause = slicer();
  const open: Heading[] = [];
  const headings: Heading[] = [];
  let blocks: Block[] = [];
  let size = 0;
  let continues = false;
  let found = false;
  for (const part of inPieces(parts)) {
    const turn = pause();
    // An await of nothing costs more than a heading does, and there may be a million.
    if (turn !== undefined) await turn;
    const heading = headingOf(part);
    const isFull = size + sizeOf(part) > LONGEST_SECTION || blocks.length >= MOST_BLOCKS;
    const opens = part.kind !== 'heading' && part.opens === true;
    if (blocks.length > 0 && (heading !== undefined || isFull || opens)) {
      found = true;
      yield { path: pathOf(open), blocks, continues };
      continues = !opens;
      // The head of a table stands before its later rows too.
      const head = heading === undefined && !opens && part.kind === 'table' ? tableHead(blocks) : undefined;
      blocks = head === undefined ? [] : [head];
      size = head?.text.length ?? 0;
    }
    if (heading === undefined) {
      blocks.push(part.kind === 'heading' ? { kind: 'prose', text: part.text } : part);
      size += sizeOf(part);
      continue;
    }
    continues = false;
    while (open.length > 0 && open.at(-1)!.level >= heading.level) open.pop();
    open.push(heading);
    // A title alone is no text.
    if (!found && heading.level > 0) headings.push(heading);
  }
  if (blocks.length > 0) yield { path: pathOf(open), blocks, continues };
  else if (!found && headings.length > 0) yield* listOf(headings);
}

/** Returns the characters of a part and its notes. */
function sizeOf(part: Part): number {
  const notes = part.kind === 'heading' ? [] : (part.notes ?? []);
  return notes.reduce((sum, note) => sum + note.length, part.text.length);
}

/** Returns whether a table row may be the head of its table: it has several cells, is short, and holds no number. */
export function namesColumns(row: string): boolean {
  return row.length <= LONGEST_HEADING && /[^\s|]\s*\|\s*[^\s|]/u.test(row) && !/\p{N}/u.test(row);
}

/** Returns the head of the table that these blocks end in; undefined where they end in none, or it has none. */
function tableHead(blocks: readonly Block[]): Block | undefined {
  const first = blocks[blocks.findLastIndex(({ kind }) => kind !== 'table') + 1];
  return first !== undefined && namesColumns(first.text) ? first : undefined;
}

/** Yields the parts, very long ones cut at the end of a line, a sentence or a word; notes stand with the last piece. */
export function* inPieces(parts: Iterable<Part>): Generator<Part> {
  for (const part of parts) {
    if (part.text.length <= LONGEST_BLOCK) yield part;
    else {
      const kind = part.kind === 'heading' ? 'prose' : part.kind;
      const pieces = [...cutText(part.text, LONGEST_BLOCK)];
      const { notes = [], opens = false } = part.kind === 'heading' ? {} : part;
      for (const [i, text] of pieces.entries()) {
        const isLast = i === pieces.length - 1 && notes.length > 0;
        yield { kind, text, ...(isLast ? { notes } : {}), ...(i === 0 && opens ? { opens } : {}) };
      }
    }
  }
}

/** Cuts a text into pieces of at most `size` characters. */
export function* cutText(text: string, size: number): Generator<string> {
  let start = 0;
  while (text.length - start > size) {
    const piece = text.slice(start, start + size);
    const ends = ['\n', '. ', ' '].map((mark) => [mark, piece.lastIndexOf(mark)] as const);
    const [mark, at] = ends.find((end) => end[1] > size / 2) ?? ['', size - (endsInHalf(piece) ? 1 : 0)];
    yield piece.slice(0, at + mark.length);
    start += at + mark.length;
  }
  yield text.slice(start);
}

/** Returns whether a text ends between the two halves of a surrogate pair. */
function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

function headingOf(part: Part): Heading | undefined {
  return part.kind === 'heading' && part.text.length <= LONGEST_HEADING ? part : undefined;
}

/** Yields headings as list items. */
function* listOf(headings: readonly Heading[]): Generator<Section> {
  for (let start = 0; start < headings.length; start += LIST_ITEMS) {
    const blocks = headings.slice(start, start + LIST_ITEMS).map(({ text }) => ({ kind: 'list' as const, text }));
    yield { path: '', blocks, continues: start > 0 };
  }
}

function pathOf(open: readonly Heading[]): string {
  return open
    .map((heading) => heading.text)
    .filter((text) => text !== '')
    .join(PATH_SEPARATOR);
}
