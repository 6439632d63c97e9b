import { bodyParts, paragraphs } from './plain-text.js';
import { inlineText, referencesIn } from './restructured/inline.js';

/** @typedef {import('./parts.js').Part} Part */

/** A line of one punctuation sign, as stands below a title, or above and below it. */
const SIGNS = /^([!-/:-@[-`{-~])\1+$/u;
/** So long it stands below a title that is longer, too. */
const ENOUGH_SIGNS = 4;
/** A line that begins a directive, a target, a footnote or a comment. */
const MARK = /^\s*\.\.(?:\s|$)/u;
const DIRECTIVE = /^\s*\.\. +(?:\|[^|]+\| +)?(?<kind>[a-z][\w:.-]*)::(?:\s+(?<said>.*))?$/iu;
const TARGET = /^\s*\.\. +(?:_[^:]*:|__:?)/u;
const FOOTNOTE = /^\s*\.\. +(?=\[[^\]]+\]\s)/u;
const OPTION = /^\s+:[\w-]+:(?:\s|$)/u;
/** Borders of tables. */
const BORDER = /^\s*(?:\+(?:[-=]+\+)+|={2,}(?:\s+={2,})+)\s*$/u;

const CODE = wordSet('code code-block sourcecode parsed-literal prompt doctest testcode testoutput math');
const NOTES = wordSet('attention caution danger error hint important note seealso tip warning');
/** Directives that say nothing themselves: what stands in them are paths, settings or another format. */
const SILENT = wordSet(
  'contents currentmodule default-role highlight image include index literalinclude meta module raw role sectnum toctree',
);
const VERSIONS = new Map([
  ['versionadded', 'Added in version'],
  ['versionchanged', 'Changed in version'],
  ['deprecated', 'Deprecated since version'],
]);

/**
 * Yields the parts of a text in reStructuredText. The signs below titles tell their levels by the order in which they first stand; directives,
 * roles and literals are read without their marks; comments, targets and pictures are left out.
 * @param {string} text
 * @returns {Generator<Part>}
 */
export function* restructuredParts(text) {
  const references = referencesIn(text);
  for (const part of markedParts(text))
    yield part.kind === 'code' ? part : { ...part, text: inlineText(part.text, references) };
}

/** Yields the parts with the marks within their lines. @param {string} text @returns {Generator<Part>} */
function* markedParts(text) {
  /** @type {string[]} */
  const styles = [];
  /** What the indented lines below a mark are, and the indent of the mark. @type {{ kind: 'code' | 'silent', indent: number } | undefined} */
  let inside;
  /** @type {string[]} */
  let code = [];
  const endOfCode = function* () {
    if (code.length > 0) yield/** @type {Part} */ ({ kind: 'code', text: dedented(code) });
    code = [];
  };
  for (const paragraph of paragraphs(text)) {
    let lines = paragraph;
    while (lines.length > 0) {
      const within = inside === undefined ? 0 : endOfBlock(lines, inside.indent, 0);
      if (within > 0) {
        // Only an empty line parts paragraphs.
        const gap = code.length > 0 && lines === paragraph ? [''] : [];
        if (inside?.kind === 'code') code.push(...gap, ...lines.slice(0, within));
        lines = lines.slice(within);
        continue;
      }
      yield* endOfCode();
      const end = endOfFirst(lines);
      const opened = isEmptyComment(lines) ? { parts: [] } : opening(lines.slice(0, end));
      yield* opened?.parts ?? titledParts(lines.slice(0, end), styles);
      inside = opened?.inside;
      code = opened?.code ?? [];
      lines = lines.slice(end);
    }
  }
  yield* endOfCode();
}

/** Returns the number of lines before the first, from a place on, that is indented no more than a mark. @param {string[]} lines @param {number} indent @param {number} from */
function endOfBlock(lines, indent, from) {
  const end = lines.findIndex((line, i) => i >= from && indentOf(line) <= indent);
  return end < 0 ? lines.length : end;
}

/** Returns the number of lines before the next mark, or before the end of what the mark on the first line takes. @param {string[]} lines */
function endOfFirst(lines) {
  const next = lines.findIndex((line, i) => i > 0 && MARK.test(line));
  const end = MARK.test(lines[0]) ? endOfBlock(lines, indentOf(lines[0]), 1) : lines.length;
  return next < 0 ? end : Math.min(next, end);
}

/** Returns whether lines begin with two points alone and nothing at once below them: what follows an empty line is text. @param {string[]} lines */
function isEmptyComment(lines) {
  return lines[0].trim() === '..' && endOfBlock(lines, indentOf(lines[0]), 1) === 1;
}

/**
 * @typedef {object} Opened
 * @property {Iterable<Part>} parts
 * @property {{ kind: 'code' | 'silent', indent: number }} [inside] What the indented lines below are.
 * @property {string[]} [code] Lines of code at once.
 */

/**
 * Returns what a paragraph that begins with a mark, or announces code, says, and what follows in its indent; undefined for another.
 * @param {string[]} lines
 * @returns {Opened | undefined}
 */
function opening(lines) {
  const [first] = lines;
  const indent = indentOf(first);
  if (!MARK.test(first)) return announcement(lines, indent);
  if (TARGET.test(first)) return { parts: [] };
  const content = lines.slice(1);
  if (FOOTNOTE.test(first)) return { parts: bodyParts([first.replace(FOOTNOTE, ''), ...content]) };
  const { kind = '', said = '' } = DIRECTIVE.exec(first)?.groups ?? {};
  const name = kind.toLowerCase();
  while (content.length > 0 && OPTION.test(content[0])) content.shift();
  if (CODE.has(name)) return { parts: [], inside: { kind: 'code', indent }, code: content };
  if (kind === '' || SILENT.has(name)) return { parts: [], inside: { kind: 'silent', indent } };
  return { parts: directiveParts(name, said.trim(), content) };
}

/** Yields what a directive says: its title or its kind, and its text. @param {string} name @param {string} said @param {string[]} content @returns {Generator<Part>} */
function* directiveParts(name, said, content) {
  const version = VERSIONS.get(name);
  const isNote = NOTES.has(name);
  const head = isNote ? name.slice(0, 1).toUpperCase() + name.slice(1) : name === 'figure' ? '' : said;
  if (version !== undefined) yield* bodyParts([`${version} ${said}`, ...content]);
  else {
    if (head !== '') yield { kind: 'prose', text: head };
    yield* bodyParts(isNote && said !== '' ? [said, ...content] : content);
  }
}

/** Reads a paragraph whose last line ends with two colons: the indented lines below it are code. @param {string[]} lines @param {number} indent @returns {Opened | undefined} */
function announcement(lines, indent) {
  const inside = /** @type {const} */ ({ kind: 'code', indent });
  if (lines[0].trimStart().startsWith('>>> ')) return { parts: [], inside, code: lines };
  const last = (lines.at(-1) ?? '').trimEnd();
  if (!last.endsWith('::')) return undefined;
  const rest = last.slice(0, -2);
  const shown = rest === rest.trimEnd() ? `${rest}:` : rest.trimEnd();
  return { parts: bodyParts(rest.trim() === '' ? lines.slice(0, -1) : [...lines.slice(0, -1), shown]), inside };
}

/** Yields the titles that lines begin with, and what follows them. @param {string[]} written @param {string[]} styles @returns {Generator<Part>} */
function* titledParts(written, styles) {
  const lines = written.map((line) => line.trimEnd());
  let at = 0;
  for (;;) {
    const [first = '', second = '', third = ''] = lines.slice(at, at + 3);
    const isOver = SIGNS.test(first) && first === third && second.trim() !== '';
    if (!isOver && !isUnderlined(first, second)) break;
    const style = isOver ? `${first[0]} above` : second[0];
    if (!styles.includes(style)) styles.push(style);
    yield { kind: 'heading', level: styles.indexOf(style) + 1, text: (isOver ? second : first).trim() };
    at += isOver ? 3 : 2;
  }
  const rest = lines.slice(at).filter((line) => !BORDER.test(line));
  // A line of signs alone parts paragraphs.
  if (rest.length > 1 || (rest.length === 1 && !SIGNS.test(rest[0]))) yield* bodyParts(rest);
}

/** @param {string} title @param {string} signs */
function isUnderlined(title, signs) {
  if (!SIGNS.test(signs) || SIGNS.test(title) || /^\s/u.test(title)) return false;
  return signs.length >= Math.min(title.length, ENOUGH_SIGNS);
}

/** @param {string} line */
function indentOf(line) {
  return line.length - line.trimStart().length;
}

/** Returns lines without the indent that all of them have. @param {string[]} lines */
function dedented(lines) {
  const indent = lines.reduce((least, line) => (line === '' ? least : Math.min(least, indentOf(line))), Infinity);
  return lines.map((line) => line.slice(indent).trimEnd()).join('\n');
}

/** @param {string} words */
function wordSet(words) {
  return new Set(words.split(' '));
}
