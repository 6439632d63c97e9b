import { isListItem, isTableRow, LONGEST_LINE, lines } from './lines.js';
import { beginsQuote } from './mail/quotes.js';
import { chapterOf, HeadingLevels, isSpeech, withTitle } from './plain/chapters.js';
import { clauseLines, isSectionTitle } from './plain/clauses.js';
import { isDateline } from './plain/dateline.js';
import { isTurn, joinLines, longestOf, TELLING, TIME } from './plain/joined-lines.js';
import { withWholeWords } from './text/divided-words.js';

/** @typedef {import('./parts.js').Part} Part */
/**
 * `alone`: a line alone that reads as a title; the part after it decides whether it is a heading. `chapter`: what such a line opens; `written`: its
 * parts, where the title of the chapter stands below it. `isTold`: a heading that is told from the lines about it alone.
 * @typedef {{ part: Part, alone?: true, chapter?: import('./plain/chapters.js').Chapter, written?: Part[], isTold?: true }} Candidate
 */

/**
 * Yields the parts of a plain text: paragraphs between empty lines, list items, table rows. A heading is a line underlined
 * with = or -, a line that opens a chapter, with the title below it, a short line alone before a longer paragraph, or the short first line of a
 * paragraph whose next line is long, where it reads as a title (capital, no full stop, not spoken). A line drawn across the text divides it, unless
 * it is one text as a message is.
 * @param {string} text
 * @param {{ isOneText?: boolean }} [options]
 * @returns {Generator<Part>}
 */
export function* textParts(text, { isOneText = false } = {}) {
  const levels = new HeadingLevels();
  let before;
  let previous;
  for (const candidate of candidates(text, isOneText)) {
    const titled = previous === undefined ? undefined : withTitleBelow(previous, candidate);
    if (previous !== undefined && titled === undefined) {
      for (const part of resolveTitle(previous, { before, next: candidate, levels })) {
        yield part;
        before = part;
      }
    }
    previous = titled ?? candidate;
  }
  if (previous !== undefined) yield* previous.written ?? [previous.part];
}

/** @param {string} text @param {boolean} isOneText @returns {Generator<Candidate>} */
function* candidates(text, isOneText) {
  let opens = false;
  for (const written of paragraphs(isOneText ? text : withWholeWords(text))) {
    const { paragraph, before = false, after = false } = isOneText ? { paragraph: written } : betweenLines(written);
    opens ||= before;
    for (const candidate of paragraphParts(paragraph)) {
      if (opens && candidate.part.kind !== 'heading') candidate.part = { ...candidate.part, opens };
      opens = false;
      yield candidate;
    }
    opens ||= after;
  }
}

/**
 * Returns a paragraph without the drawn lines that it begins or ends with, beside an empty line each: they part what stands
 * before from what comes after. A line inside, as between the figures of a receipt, and one below a title part nothing.
 * @param {string[]} written
 */
function betweenLines(written) {
  const last = written.length - 1;
  const isOverlined = last > 1 && written[0].trim() === written[2].trim() && isTitle(written[1].trim());
  const isUnderlined =
    (isOverlined ? last === 2 : last === 1 && isTitle(written[0].trim())) && LINE.test(written[last].trim());
  let start = 0;
  let end = written.length;
  while (!isOverlined && start < end && DRAWN.test(written[start])) start += 1;
  while (!isUnderlined && end > start && DRAWN.test(written[end - 1])) end -= 1;
  return { paragraph: written.slice(start, end), before: start > 0, after: end < written.length };
}

/** Returns the line that opens a chapter with the title that stands below it, alone or underlined. @param {Candidate} opening @param {Candidate} below @returns {Candidate | undefined} */
function withTitleBelow({ part, alone, chapter, written }, below) {
  if (!alone || chapter === undefined || chapter.isTitled || written !== undefined) return undefined;
  const text = below.part.text;
  if (below.part.kind === 'heading' && chapterOf(text) === undefined) {
    const titled = { ...below.part, text: withTitle(part.text, text) };
    return { part: titled, alone, chapter, written: [titled] };
  }
  if (below.alone !== true || below.chapter !== undefined || below.part.opens) return undefined;
  return {
    part: { ...part, text: withTitle(part.text, below.part.text) },
    alone,
    chapter,
    written: [part, below.part],
  };
}

/**
 * Returns a candidate as the heading that it is, or as it stands. A chapter has some text, and a list of chapters has none. What stands behind a comma, as
 * below "Dear Ms Bell,", goes on, and a name above a quoted mail is who wrote the one that quotes it.
 * @param {Candidate} candidate @param {{ before: Part | undefined, next: Candidate, levels: HeadingLevels }} about @returns {Part[]}
 */
function resolveTitle({ part, alone, chapter, written, isTold }, { before, next, levels }) {
  const { text } = part;
  if (alone && chapter !== undefined) {
    const opens = next.chapter === undefined ? next.part.kind !== 'heading' : chapter.isGroup && !next.chapter.isGroup;
    return opens ? [{ kind: 'heading', level: levels.ofChapter(chapter), text }] : (written ?? [part]);
  }
  const goesOn = before?.kind === 'prose' && before.text.endsWith(',');
  if (isSectionTitle(text, next.part.text)) return [{ kind: 'heading', level: levels.ofTitle(), text: text.trim() }];
  if (isTold) return [goesOn ? { kind: 'prose', text } : { ...part, level: levels.ofTitle() }];
  const follows = next.part.kind === 'prose' && !next.part.opens ? next.part.text : '';
  const introduces = follows.length >= Math.max(60, 2 * text.length) && !goesOn && !beginsQuote(follows);
  return [alone && introduces ? { kind: 'heading', level: levels.ofTitle(), text } : part];
}

/** What a line of fewer characters counts as: a paragraph of 16,000 lines of one character is divided too. */
const LEAST_LINE = 8;

/** Yields the lines between empty lines. @param {string} text @returns {Generator<string[]>} */
export function* paragraphs(text) {
  let open = [];
  let size = 0;
  for (const line of lines(text)) {
    const blank = line.trim() === '';
    if (open.length > 0 && (blank || size + line.length > LONGEST_LINE)) {
      yield open;
      open = [];
      size = 0;
    }
    if (blank) continue;
    open.push(line);
    size += Math.max(line.length, LEAST_LINE);
  }
  if (open.length > 0) yield open;
}

/** Who wrote a letter; I., V. and X. number chapters. */
const INITIAL = /^(?![IVX])\p{Lu}\.$/u;
/** What underlines a title. */
const LINE = /^(?:={3,}|-{3,})$/u;
/** A line drawn across a text: "-----", "=====", "* * *". */
const DRAWN = /^\s*(?:-{3,}|={3,}|\*{3,}|_{3,}|~{3,}|#{3,}|\*(?: +\*){2,}|-(?: +-){2,})\s*$/u;

/** @param {string[]} paragraph @returns {Generator<Candidate>} */
function* paragraphParts(paragraph) {
  if (paragraph.length === 0) return;
  const first = paragraph[0].trim();
  const second = paragraph[1]?.trim();
  // A title of reStructuredText may have the same line above it as below.
  if (LINE.test(first) && first === paragraph[2]?.trim() && isTitle(second)) {
    yield* paragraphParts(paragraph.slice(1));
    return;
  }
  const opening = chapterParts(paragraph);
  if (opening !== undefined) {
    yield* opening.candidates;
    for (const part of bodyParts(opening.body)) yield { part };
    return;
  }
  let body = paragraph;
  if (isTitle(first)) {
    const isSpoken = isSpeech(first);
    if (second === undefined && !isSpoken) {
      yield { part: { kind: 'prose', text: first }, alone: true };
      return;
    }
    const underlined = second !== undefined && LINE.test(second);
    const introduces =
      second !== undefined &&
      !isSpoken &&
      second.length >= Math.max(60, 1.7 * first.length) &&
      !(isTurn(first) && isTurn(second));
    if (underlined) yield { part: { kind: 'heading', level: second.startsWith('---') ? 2 : 1, text: first } };
    else if (introduces) yield { part: { kind: 'heading', level: 1, text: first }, isTold: true };
    if (underlined || introduces) body = paragraph.slice(underlined ? 2 : 1);
  }
  for (const part of bodyParts(body)) yield { part };
}

/**
 * Returns the line that opens a chapter at the beginning of a paragraph, with a title on the line below it, and the lines after them. Undefined where
 * there is none, or where more such lines follow, as in a table of contents.
 * @param {string[]} paragraph @returns {{ candidates: Candidate[], body: string[] } | undefined}
 */
function chapterParts(paragraph) {
  const [first = '', second, third] = paragraph.slice(0, 3).map((line) => line.trim());
  const chapter = chapterOf(first);
  if (chapter === undefined || (second !== undefined && (LINE.test(second) || chapterOf(second) !== undefined)))
    return undefined;
  const opening = { part: { kind: 'prose', text: first }, alone: true, chapter };
  const isAlone = second === undefined || chapter.isTitled || !isTitle(second) || isSpeech(second);
  if (isAlone || (third !== undefined && second.length > SHORT_LINE * third.length))
    return { candidates: [opening], body: paragraph.slice(1) };
  if (third !== undefined && chapterOf(third) !== undefined) return undefined;
  const title = { part: { kind: 'prose', text: second }, alone: true };
  return { candidates: [opening, title], body: paragraph.slice(2) };
}

/** Yields the prose, list items and table rows of a paragraph without a title. @param {string[]} written @returns {Generator<Part>} */
export function* bodyParts(written) {
  let prose = [];
  let item = [];
  /** Where a title may stand: the first line of an item, until another goes on with it. */
  let isFirst = false;
  const longest = longestOf(written);
  const clauses = clauseLines(written);
  const flush = function* () {
    if (prose.length > 0) yield { kind: 'prose', text: joinLines(prose) };
    if (item.length > 0) yield { kind: 'list', text: joinLines(item) };
    prose = [];
    item = [];
  };
  for (const [at, line] of written.entries()) {
    const isBelowFirst = isFirst;
    isFirst = false;
    if (isTableRow(line)) {
      yield* flush();
      if (!/^[\s|:-]+$/u.test(line)) yield { kind: 'table', text: line.trim() };
    } else if (isListItem(line) || clauses.has(at)) {
      yield* flush();
      item = [line.trimEnd()];
      isFirst = true;
    } else if (item.length === 0) prose.push(line.trim());
    else if (goesOn(item.at(-1), line) && !(isBelowFirst && isTitled(item[0], line, longest)))
      item.push(`${item.pop()} ${line.trim()}`);
    else item.push(line.trim());
  }
  yield* flush();
}

/**
 * Returns true for a line that goes on with the one before it in a list item, and does not only stand below it as text below "1. Safety".
 * @param {string} before
 * @param {string} line
 */
function goesOn(before, line) {
  return /^\s|^\P{Lu}/u.test(line) || before.endsWith(',');
}

/** What numbers an item. */
const NUMBER = /^\s*\d{1,3}[.)]\s+/u;
/** A line is no longer than this share of the longest where its end is no wrap. */
const SHORT_LINE = 0.6;

/**
 * Returns true where the first line of a numbered item is the title of an indented line: "8. PAINT" above "The tenant may …". It is in
 * capitals, which the text is not, or so short that what begins the text would have had room beside it.
 * @param {string} first
 * @param {string} line
 * @param {number} longest Characters of the longest line about.
 */
function isTitled(first, line, longest) {
  const title = first.replace(NUMBER, '');
  const [word] = line.trim().split(/\s/u);
  if (title === first || !isTitle(title) || !/^["“'‘(]?\p{Lu}/u.test(word)) return false;
  if (/\p{Lu}{2}/u.test(title) && !/\p{Ll}/u.test(title)) return /\p{Ll}/u.test(line);
  return longest >= TELLING && first.length + 1 + word.length <= SHORT_LINE * longest;
}

/** Figures in a column of their own: "Total    412.60", "Contents    12". */
const FIGURES = /\S\s{2,}[^\p{L}\s]{0,3}\p{N}[\p{N}.,\s]*[^\p{L}\p{N}]{0,3}$/u;

/** @param {string} text */
function isTitle(text) {
  if (text.length > 100 || text.length < 2 || INITIAL.test(text) || isListItem(text) || isTableRow(text)) return false;
  if (FIGURES.test(text) || TIME.test(text) || isDateline(text)) return false;
  if (/[.,;:。…]$/u.test(text) && !/(?:\p{Lu}\.|Inc\.|Jr\.|Sr\.|Co\.|Ltd\.)$/u.test(text)) return false;
  return /^["'“‘«([¿¡]*[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u.test(text) && text.split(/\s+/u).length <= 14;
}
