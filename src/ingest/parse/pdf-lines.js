/**
 * @typedef {{ text: string, x: number, y: number, size: number, height: number, end: number }} Line
 * `y` from the bottom of the page, `height` that of the page, `size` of the type, all in points.
 */

/**
 * Returns the lines of a page from its text items, in the order they were written: a new line where the base line moves.
 * @param {Array<{ str?: string, transform?: number[], width?: number, hasEOL?: boolean }>} items
 * @param {number} height
 * @returns {Line[]}
 */
export function linesOf(items, height) {
  /** @type {Line[]} */
  const lines = [];
  /** @type {Line | undefined} */
  let line;
  for (const item of items) {
    if (typeof item.str !== 'string' || item.transform === undefined) continue;
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = item.transform;
    const size = Math.hypot(c, d) || Math.hypot(a, b);
    if (item.str.trim() !== '') {
      const same = line !== undefined && Math.abs(line.y - y) < 0.45 * Math.max(size, line.size) && x >= line.x;
      if (!same) {
        line = { text: '', x, y, size, height, end: x };
        lines.push(line);
      } else if (x - line.end > 0.14 * size && !line.text.endsWith(' ')) line.text += ' ';
      line.text += item.str;
      line.end = x + (item.width ?? 0);
      line.size = Math.max(line.size, size);
    } else if (line !== undefined && item.str !== '' && !line.text.endsWith(' ')) line.text += ' ';
  }
  for (const each of lines) each.text = each.text.replace(/\s+/gu, ' ').trim();
  return lines.filter((each) => each.text !== '');
}
