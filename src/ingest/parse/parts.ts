import { PATH_SEPARATOR } from '../../core/text/about.js';

export type BlockKind = 'prose' | 'list' | 'table' | 'code';

/** A stretch of a document below a heading: a paragraph, a list item, a table row, a code block. */
export interface Block {
  readonly kind: BlockKind;
  readonly text: string;
}

export interface Heading {
  readonly kind: 'heading';
  /** 1 is the outermost. */
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

/** Yields the parts grouped by heading. Sections without text are left out, unless the document has nothing but headings. */
export function* sections(parts: Iterable<Part>): Generator<Section> {
  const open: Heading[] = [];
  const headings: string[] = [];
  let blocks: Block[] = [];
  let size = 0;
  let continues = false;
  let found = false;
  for (const part of parts) {
    const whole = part.kind === 'heading' || size + part.text.length > LONGEST_SECTION;
    if (whole && blocks.length > 0) {
      found = true;
      yield { path: pathOf(open), blocks, continues };
      continues = true;
      blocks = [];
      size = 0;
    }
    if (part.kind !== 'heading') {
      blocks.push(part);
      size += part.text.length;
      continue;
    }
    continues = false;
    while (open.length > 0 && open.at(-1)!.level >= part.level) open.pop();
    open.push(part);
    if (!found) headings.push(part.text);
  }
  if (blocks.length > 0) yield { path: pathOf(open), blocks, continues };
  else if (!found && headings.length > 0) {
    yield { path: '', blocks: headings.map((text) => ({ kind: 'list', text })), continues: false };
  }
}

function pathOf(open: readonly Heading[]): string {
  return open
    .map((heading) => heading.text)
    .filter((text) => text !== '')
    .join(PATH_SEPARATOR);
}
