/** @typedef {import('../parts.js').Part} Part */

/** Headings in each other at most: each passage carries the whole path. */
export const DEEPEST = 6;
/** A longer line is an item and no heading. In characters. */
const LONGEST_HEADING = 300;

/**
 * Writes the lines of an outline: those that hold something are headings, those that hold nothing are items of the list below the line that holds them. Where another heading
 * stands between, as a branch before a leaf, that line is a heading once more.
 */
export class OutlineWriter {
  /** The headings that hold the line which is written. @type {Array<{ level: number, text: string }>} */
  holders = [];
  /** The last heading that was written. @type {{ level: number, text: string } | undefined} */
  last;

  /** Yields a heading. @param {number} level From 1. @param {string} text @returns {Generator<Part>} */
  *heading(level, text) {
    this.leave(level);
    if (level > DEEPEST || text.length > LONGEST_HEADING || text.trim() === '') {
      if (text.trim() !== '') yield* this.item(level, `- ${text}`);
      return;
    }
    this.last = { level, text };
    this.holders.push(this.last);
    yield { kind: 'heading', level, text };
  }

  /** Yields an item with its mark; `title` is the heading of one that nothing holds. @param {number} level @param {string} text @param {string} [title] @returns {Generator<Part>} */
  *item(level, text, title) {
    this.leave(level);
    const holder = this.holders.at(-1);
    if (holder !== this.last && holder !== undefined) {
      this.last = holder;
      yield { kind: 'heading', ...holder };
    } else if (holder === undefined && this.last !== undefined && title !== undefined) {
      yield* this.heading(level, title);
    }
    const depth = Math.max(0, level - (holder?.level ?? 0) - 1);
    yield { kind: 'list', text: `${'  '.repeat(Math.min(depth, 4))}${text}` };
  }

  /** Closes the headings of a level and of deeper ones. @param {number} level */
  leave(level) {
    while (this.holders.length > 0 && /** @type {{ level: number }} */ (this.holders.at(-1)).level >= level)
      this.holders.pop();
  }
}
