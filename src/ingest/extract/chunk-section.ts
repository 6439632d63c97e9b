import { countDense } from '../../core/text/characters.js';
import { splitSentences } from '../../core/text/sentences.js';
import { isLowSurrogate } from '../../core/wording/whole-characters.js';
import { type Block, namesColumns, type Section } from '../parse/parts.js';

/** A section of at most this many words stays one passage. */
const WHOLE = 300;
const LONGEST = 200;
const TARGET = 160;
const SHORTEST = 60;
/** A sentence is cut only beyond this, and a word beyond `LONGEST_WORD` characters. */
const LONGEST_SENTENCE = 400;
const LONGEST_WORD = 1500;

/** A text that is never divided: a sentence, a list item, a table row. `glue` joins it to the unit before it. */
interface Unit {
  readonly text: string;
  readonly words: number;
  readonly glue: string;
  readonly opensBlock: boolean;
  /** Head of the table that a later row belongs to: a text that begins with the row begins with the head. */
  readonly head?: string | undefined;
  /** Notes that it refers to: they stand after its block, in the same text. */
  readonly notes?: readonly string[];
}

/**
 * Returns texts of about 100 to 200 words from a section, at paragraph and sentence ends. A short section is one text; a sentence
 * is cut only where it is longer than 400 words. Together the texts contain everything but white space; a table that goes on in
 * another text has its head there again.
 */
export function chunkSection(section: Pick<Section, 'blocks'>): string[] {
  const { blocks } = section;
  const total = blocks.reduce((sum, { text, notes }) => sum + countWords(text) + wordsOf(notes), 0);
  if (total <= WHOLE) return wholeSection(blocks);
  const heads = headsOf(blocks);
  const units = blocks.flatMap((block, i) => unitsOf(block, { before: blocks[i - 1], head: heads[i] }));
  const target = total / Math.ceil(total / TARGET);
  const groups: Unit[][] = [];
  let words = 0;
  for (const unit of units) {
    const group = groups.at(-1);
    if (group === undefined || breaksBefore(unit, { before: group.at(-1)!, words, target })) {
      groups.push([unit]);
      words = unit.words;
    } else {
      group.push(unit);
      words += unit.words;
    }
  }
  return mergeTail(groups).map(join);
}

function wholeSection(blocks: readonly Block[]): string[] {
  const seen = new Set<string>();
  const text = blocks
    .map((block, i) => blockGlue(block, blocks[i - 1]) + trimmed(block) + noteLines(block.notes ?? [], seen))
    .join('');
  return text.trim() === '' ? [] : [text];
}

function trimmed(block: Block): string {
  return block.kind === 'prose' ? block.text.trim() : block.text.trimEnd();
}

function breaksBefore(unit: Unit, open: { before: Unit; words: number; target: number }): boolean {
  if (open.words < SHORTEST || /[:：]$/u.test(open.before.text)) return open.words > LONGEST;
  if (open.words + unit.words > LONGEST) return true;
  return open.words >= (unit.opensBlock ? 0.75 : 1.15) * open.target;
}

/** Joins a short last group to the group before it. */
function mergeTail(groups: Unit[][]): Unit[][] {
  const [before, last] = [groups.at(-2), groups.at(-1)];
  if (before === undefined || last === undefined) return groups;
  const size = (units: readonly Unit[]): number => units.reduce((sum, unit) => sum + unit.words, 0);
  if (size(last) >= SHORTEST || size(before) + size(last) > WHOLE) return groups;
  return [...groups.slice(0, -2), [...before, ...last]];
}

function join(units: readonly Unit[]): string {
  const head = units[0]?.head;
  const seen = new Set<string>();
  let open: string[] = [];
  let text = '';
  for (const [i, unit] of units.entries()) {
    if (unit.opensBlock) {
      text += noteLines(open, seen);
      open = [];
    }
    text += i === 0 ? unit.text : unit.glue + unit.text;
    if (unit.notes !== undefined) open.push(...unit.notes);
  }
  text += noteLines(open, seen);
  return head === undefined ? text : `${head}\n${text}`;
}

/** Returns notes as they stand after their block, each once in a text. */
function noteLines(notes: readonly string[], seen: Set<string>): string {
  const fresh = notes.filter((note) => !seen.has(note));
  for (const note of fresh) seen.add(note);
  return fresh.map((note) => `\n\n${note}`).join('');
}

function wordsOf(notes: readonly string[] = []): number {
  return notes.reduce((sum, note) => sum + countWords(note), 0);
}

/**
 * Gives each note to the first unit that holds its mark, as long as the two are no longer than a text; other notes become units
 * after them.
 */
function withNotes(units: readonly Unit[], notes: readonly string[]): Unit[] {
  const holders = new Map<string, number>();
  for (const [i, { text }] of units.entries()) {
    for (const [mark] of text.matchAll(MARK)) if (!holders.has(mark)) holders.set(mark, i);
  }
  const words = units.map((unit) => unit.words);
  const given = units.map((): string[] => []);
  const apart: Unit[] = [];
  for (const note of notes) {
    const at = holders.get(MARK_FIRST.exec(note)?.[0] ?? '') ?? units.length - 1;
    const size = countWords(note);
    if (words[at] !== undefined && words[at] + size <= LONGEST) {
      words[at] += size;
      given[at]!.push(note);
    } else apart.push(...unitsOf({ kind: 'prose', text: note }, { before: APART, head: undefined }));
  }
  const carrying = units.map((unit, i) => ({ ...unit, words: words[i]!, notes: given[i]! }));
  return [...carrying, ...apart];
}

const MARK = /\[[^[\]]{1,200}\]/gu;
const MARK_FIRST = /^\[[^[\]]{1,200}\]/u;
/** What a note of its own follows. */
const APART: Block = { kind: 'prose', text: '' };

/** Returns for each block the head of the table that it is a later row of: the first row, where it names columns. */
function headsOf(blocks: readonly Block[]): Array<string | undefined> {
  let head: string | undefined;
  return blocks.map(({ kind, text }, i) => {
    if (kind !== 'table') return undefined;
    if (blocks[i - 1]?.kind === 'table') return head;
    head = namesColumns(text) ? text.trim() : undefined;
    return undefined;
  });
}

function unitsOf(
  block: Block,
  { before, head }: { readonly before: Block | undefined; readonly head: string | undefined },
): Unit[] {
  const glue = blockGlue(block, before);
  const units: Unit[] = [];
  for (const { text, gap } of pieces(block)) {
    if (text.trim() === '') continue;
    const first = units.length === 0;
    cutLong(text).forEach((part, i) => {
      units.push({
        text: part,
        words: countWords(part),
        glue: i > 0 ? ' ' : first ? glue : gap,
        opensBlock: first && i === 0,
        head,
      });
    });
  }
  return block.notes === undefined ? units : withNotes(units, block.notes);
}

/** Returns what joins a block to the block before it: items and rows a line break, paragraphs an empty line. */
function blockGlue(block: Block, before: Block | undefined): string {
  if (before === undefined) return '';
  const close =
    block.kind !== 'prose' && block.kind !== 'code' && (before.kind === block.kind || before.kind === 'prose');
  return close ? '\n' : '\n\n';
}

function pieces(block: Block): Array<{ text: string; gap: string }> {
  const text = trimmed(block);
  if (block.kind === 'code') return countWords(text) <= LONGEST ? [{ text, gap: '' }] : lineGroups(text);
  if (block.kind !== 'prose' && countWords(text) <= LONGEST_SENTENCE) return [{ text, gap: '' }];
  return splitSentences(text).map(([start, end], i, spans) => {
    const previous = spans[i - 1];
    const gap = previous === undefined ? '' : text.slice(previous[1], start);
    return { text: text.slice(start, end), gap: gap === '' ? '' : gap.includes('\n') ? '\n' : ' ' };
  });
}

/** Groups the lines of a long code block. */
function lineGroups(text: string): Array<{ text: string; gap: string }> {
  const groups: Array<{ text: string; gap: string }> = [];
  let open = '';
  for (const line of text.split('\n')) {
    const longer = open === '' ? line : `${open}\n${line}`;
    if (open !== '' && countWords(longer) > SHORTEST) {
      groups.push({ text: open, gap: '\n' });
      open = line;
    } else open = longer;
  }
  if (open !== '') groups.push({ text: open, gap: '\n' });
  return groups.filter((group) => group.text.trim() !== '');
}

/** Running text has fewer characters per word than this, on average. */
const LONG_WORDS = 16;

/** Counts words between white space; two characters of a script without spaces count as one, and so do 16 of anything. */
export function countWords(text: string): number {
  const words = text.match(/\S+/gu)?.length ?? 0;
  return Math.max(words + Math.floor(countDense(text) / 2), Math.floor(text.length / LONG_WORDS));
}

/** Returns the text itself, or parts of at most 200 words and 1,500 characters where it is too long to be a sentence. */
function cutLong(text: string): string[] {
  if (text.length <= LONGEST_WORD || (countWords(text) <= LONGEST_SENTENCE && text.length <= 4 * LONGEST_WORD)) {
    return [text];
  }
  const parts: string[] = [];
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + LONGEST_WORD);
    if (end < text.length) {
      const space = text.lastIndexOf(' ', end);
      if (space > start) end = space;
      else if (isLowSurrogate(text, end)) end -= 1;
    }
    const part = text.slice(start, end).trim();
    if (part !== '') parts.push(part);
    start = end;
  }
  return parts;
}
