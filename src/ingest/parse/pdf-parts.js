/** @typedef {import('./pdf-lines.js').Line} Line */

const ITEM = /^(?:[-•‣▪◦●∙*–]|\d{1,3}[.)]|[a-z]\))\s+\S/u;

/** Characters of a line's end in which a row of dots is looked for: each dot begins one. */
const LONGEST_END = 100;

/**
 * Returns the parts of all pages: headings by type size, paragraphs by gaps, list items by their marks.
 * @param {Line[][]} pages
 */
export function pdfLineParts(pages) {
  const kept = withoutRunning(pages);
  const body = bodySize(kept);
  const levels = headingLevels(kept, body);
  const leading = usualLeading(kept);
  /** @type {Array<{ kind: string, level?: number, text: string }>} */
  const parts = [];
  /** @type {{ kind: string, level?: number, lines: Line[] } | undefined} */
  let open;
  const flush = () => {
    if (open === undefined) return;
    const text = joinLines(open.lines);
    if (open.kind === 'heading') parts.push({ kind: 'heading', level: open.level, text });
    else parts.push({ kind: open.kind, text: open.kind === 'list' ? text.replace(/^[•‣▪◦●∙–]/u, '-') : text });
    open = undefined;
  };
  for (const page of kept) {
    page.forEach((line, i) => {
      const level = isHeading(line, body) ? levels.get(Math.round(line.size)) : undefined;
      const kind = level !== undefined ? 'heading' : ITEM.test(line.text) ? 'list' : undefined;
      if (open === undefined || !goesOn(open, line, { kind, level, leading, first: i === 0 })) {
        flush();
        open = { kind: kind ?? 'prose', lines: [], ...(level === undefined ? {} : { level }) };
      }
      open.lines.push(line);
    });
  }
  flush();
  return parts;
}

/** Returns whether a line belongs to what is open: the same heading, the item's next line, the paragraph. */
function goesOn(open, line, { kind, level, leading, first }) {
  const before = open.lines.at(-1);
  const gap = before.y - line.y;
  if (kind === 'heading' || open.kind === 'heading') {
    return kind === 'heading' && open.level === level && !first && gap < 1.8 * line.size;
  }
  if (kind === 'list') return false;
  const ended = /[.!?:。！？]["'”’)]*$/u.test(before.text);
  // A new page or column: the sentence tells.
  if (first || gap < 0) return !ended;
  if (gap > 1.28 * leading * Math.max(line.size, before.size)) return false;
  if (open.kind === 'list') return line.x > open.lines[0].x - 1;
  return !(ended && line.x - before.x > 0.8 * line.size);
}

/** Returns the usual distance of two lines' base lines, in sizes of their type. */
function usualLeading(pages) {
  const gaps = [];
  for (const page of pages) {
    page.forEach((line, i) => {
      const before = page[i - 1];
      if (before === undefined || Math.abs(before.size - line.size) > 0.5) return;
      const gap = (before.y - line.y) / line.size;
      if (gap > 0.8 && gap < 3) gaps.push(gap);
    });
  }
  gaps.sort((a, b) => a - b);
  return gaps[Math.floor(gaps.length / 3)] ?? 1.3;
}

function joinLines(lines) {
  let text = '';
  for (const line of lines) {
    if (text === '') text = line.text;
    else if (/\p{L}[\u00ad‐-]$/u.test(text.slice(-3)) && /^\p{Ll}/u.test(line.text))
      text = text.slice(0, -1) + line.text;
    else text += ` ${line.text}`;
  }
  return text.replaceAll('\u00ad', '');
}

function isHeading(line, body) {
  return (
    line.size >= 1.12 * body && line.text.length <= 150 && /[\p{L}\p{N}]/u.test(line.text) && !/[.,;]$/u.test(line.text)
  );
}

/** Returns the size that most characters have. */
function bodySize(pages) {
  const counts = new Map();
  for (const page of pages) {
    for (const { size, text } of page) {
      const key = Math.round(size * 10) / 10;
      counts.set(key, (counts.get(key) ?? 0) + text.length);
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 0;
}

/** Maps sizes of headings, largest first, to the levels 1 to 6. */
function headingLevels(pages, body) {
  const sizes = new Set();
  for (const page of pages) for (const line of page) if (isHeading(line, body)) sizes.add(Math.round(line.size));
  return new Map([...sizes].sort((a, b) => b - a).map((size, i) => [size, Math.min(i + 1, 6)]));
}

/**
 * Returns the lines without tables of contents and page numbers, and without those that stand at the top or bottom of
 * most pages (of three pages where they hold a number, and of two where it counts the pages in smaller type).
 */
function withoutRunning(pages) {
  /** @type {Map<string, Array<{ page: number, text: string }>>} */
  const seen = new Map();
  const keyOf = (line) => `${line.text.replace(/\d+/gu, '#')}@${Math.round(line.y / 4)}`;
  const atEdge = (line) => line.y < 0.09 * line.height || line.y > 0.91 * line.height;
  for (const [page, lines] of pages.entries()) {
    for (const [key, { text }] of new Map(lines.filter(atEdge).map((line) => [keyOf(line), line])))
      seen
        .set(key, seen.get(key) ?? [])
        .get(key)
        ?.push({ page, text });
  }
  const body = bodySize(pages) - 0.5;
  const often = Math.max(3, pages.length / 2);
  return pages.map((page) =>
    page.filter((line) => {
      if (/(?:\.\s?){5,}\s*\d*$/u.test(line.text.slice(-LONGEST_END))) return false;
      if (!atEdge(line)) return true;
      if (/^(?:[Pp]age\s+)?[-–—\s]*\d{1,4}(?:\s*(?:\/|of)\s*\d{1,4})?[-–—\s]*$/u.test(line.text)) return false;
      const found = seen.get(keyOf(line)) ?? [];
      return found.length < (/\d/u.test(line.text) ? 3 : often) && !(line.size < body && countsPages(found));
    }),
  );
}

/** Returns whether one number of a line rises with the pages, and all others stay. @param {Array<{ page: number, text: string }>} found */
function countsPages([first, ...others]) {
  const numbersOf = ({ text }) => (text.match(/\d+/gu) ?? []).map(Number);
  const numbers = numbersOf(first);
  return (
    others.length > 0 &&
    others.every((other) => {
      const rises = numbersOf(other).map((number, i) => number - (numbers[i] ?? 0));
      const moved = rises.filter((rise) => rise !== 0);
      return moved.length === 1 && moved[0] === other.page - first.page;
    })
  );
}
