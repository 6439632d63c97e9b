/** @typedef {import('../notes/place.js').ReadPart} ReadPart */
/** @typedef {{ depth: number, level: number, read: ReadPart | undefined }} Open */

/** Summaries within others that have a level of their own: a heading carries all that stand above it. */
const DEEPEST = 6;

/** Knows, while an HTML text is read, in how many <details> it stands, and whether in the <summary> of one. */
export class Details {
  depth = 0;
  inSummary = false;

  /** @param {string} name */
  enter(name) {
    if (name === 'details') this.depth += 1;
    if (name === 'summary') this.inSummary = true;
  }

  /** @param {string} name */
  leave(name) {
    if (name === 'details') this.depth = Math.max(0, this.depth - 1);
    if (name === 'summary') this.inSummary = false;
  }

  /** Returns what a part knows of where it stands; nothing outside. */
  place() {
    return {
      ...(this.depth === 0 ? {} : { details: this.depth }),
      ...(this.inSummary ? { isSummary: true } : {}),
    };
  }
}

/**
 * Yields parts with each summary as the heading of what it opens: a question above its answer. What stands behind the end of that is below the heading before it
 * again.
 * @param {Iterable<ReadPart>} parts @returns {Generator<ReadPart>}
 */
export function* withSummaries(parts) {
  /** @type {[Open, ...Open[]]} */
  const open = [{ depth: 0, level: 0, read: undefined }];
  for (const read of parts) {
    const { part, details = 0, isSummary = false } = read;
    const depth = isSummary ? Math.max(1, details) : details;
    const isLeft = (open.at(-1)?.depth ?? 0) > depth;
    while ((open.at(-1)?.depth ?? 0) > depth || (isSummary && open.at(-1)?.depth === depth)) open.pop();
    const above = open.at(-1) ?? open[0];
    const below = open.length > DEEPEST ? above.level : above.level + 1;
    if (isSummary) {
      const heading = { ...read, part: { kind: 'heading', level: below, text: part.text.replace(/\s+/gu, ' ') } };
      open.push({ depth, level: below, read: heading });
      yield heading;
    } else if (part.kind === 'heading') {
      if (above.depth === 0) open[0] = { depth: 0, level: part.level, read };
      // What a summary opens has headings of its own.
      yield above.depth === 0 ? read : { ...read, part: { ...part, level: Math.max(part.level, below) } };
    } else {
      if (isLeft && above.read !== undefined) yield { ...above.read, refs: [] };
      yield read;
    }
  }
}

/** Returns how many more <details> a piece of HTML opens than it closes. @param {string} html */
export function opened(html) {
  return (html.match(/<details[\s>]/giu)?.length ?? 0) - (html.match(/<\/details\s*>/giu)?.length ?? 0);
}
