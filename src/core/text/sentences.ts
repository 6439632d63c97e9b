import { isAbbreviation, isOrdinal } from './abbreviations.js';
import { countDense } from './characters.js';

export type Span = [start: number, end: number];

/** Shorter pieces join their neighbour; a character of a script without spaces between words counts three. */
const SHORTEST = 25;

/** A mark with its closing quotes. The look-behind keeps long runs of marks linear. */
const END = /(?<![.!?…])[.!?…]+["'”’»)\]]*(?=\s)|[。！？｡؟।۔]+["'”’»」』）)\]]*/gu;
const STARTER = /^["'“‘«„([¿¡*_`~]*[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u;
const MARKER = /^[ \t]*(?:[-*+•‣▪–]|\d{1,3}[.)]|[a-z][.)]|\||>|#{1,6})[ \t]+\S|^[ \t]*\|/u;

/**
 * Returns the character spans [start, end) of the sentences of a text: ordered, not overlapping, without the white space around
 * them, covering every other character. Fragments under 25 characters join their neighbour.
 */
export function splitSentences(text: string): Span[] {
  return joinShort(text, sentencePieces(text));
}

export interface SentencePiece {
  readonly start: number;
  readonly end: number;
  /** True after a line break that divides paragraphs, list items or table rows. */
  readonly breaks: boolean;
}

/** Returns the sentences before short fragments are joined, with the breaks between blocks. */
export function sentencePieces(text: string): SentencePiece[] {
  const pieces: SentencePiece[] = [];
  for (const [start, end] of blocks(text)) {
    let from = start;
    let first = true;
    for (const stop of stopsIn(text.slice(start, end))) {
      first = push(pieces, text, { from, to: start + stop, breaks: first });
      from = start + stop;
    }
    push(pieces, text, { from, to: end, breaks: first });
  }
  return pieces;
}

function push(pieces: SentencePiece[], text: string, piece: { from: number; to: number; breaks: boolean }): boolean {
  let { from, to } = piece;
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1;
  if (from === to) return piece.breaks;
  pieces.push({ start: from, end: to, breaks: piece.breaks });
  return false;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000 || code === 0x2028;
}

/** Yields the spans between line breaks that end a sentence: empty lines, list items, table rows, short lines. */
function* blocks(text: string): Generator<Span> {
  let start = 0;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', lineStart)) {
    const line = text.slice(lineStart, at);
    const nextEnd = text.indexOf('\n', at + 1);
    const next = text.slice(at + 1, nextEnd === -1 ? Math.min(text.length, at + 400) : nextEnd);
    lineStart = at + 1;
    if (!breaksSentence(line, next)) continue;
    yield [start, at];
    start = at + 1;
  }
  yield [start, text.length];
}

/** Returns false for a wrapped line of running text, true for anything that looks like structure. */
function breaksSentence(line: string, next: string): boolean {
  const here = line.trimEnd();
  const there = next.trimStart();
  if (here.trimStart() === '' || there === '') return true;
  if (MARKER.test(next)) return true;
  if (/^\s*(?:\||#{1,6}\s|```|~~~)/u.test(line) || /^(?:```|~~~)/u.test(there)) return true;
  if (/[:;]$/u.test(here) && STARTER.test(there)) return true;
  return here.length < 45 && !/[,\p{Pd}]$/u.test(here) && STARTER.test(there);
}

function* stopsIn(block: string): Generator<number> {
  for (const match of block.matchAll(END)) {
    const stop = match.index + match[0].length;
    if (stop < block.length && endsSentence(block, match.index, stop)) yield stop;
  }
}

function endsSentence(block: string, mark: number, stop: number): boolean {
  if (/[。！？｡]/u.test(block[mark]!)) return true;
  let next = stop;
  while (next < block.length && isSpace(block.charCodeAt(next))) next += 1;
  const after = block.slice(next, next + 48);
  if (!STARTER.test(after)) return false;
  if (block[mark] !== '.') return true;
  if (isDigit(block.charCodeAt(mark - 1)) && isOrdinal(block.slice(Math.max(0, mark - 20), mark), after)) return false;
  const before = wordBefore(block, mark);
  const word = /^["'“‘«„([*_`]*([\p{L}\p{N}]+)/u.exec(after)?.[1] ?? '';
  return before === '' || !isAbbreviation(before, word);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Returns the last letters, digits and full stops before a mark, at most twenty. */
function wordBefore(block: string, mark: number): string {
  const least = Math.max(0, mark - 20);
  let from = mark;
  while (from > least && isWordPart(block[from - 1]!)) from -= 1;
  return block.slice(from, mark);
}

function isWordPart(character: string): boolean {
  const code = character.charCodeAt(0);
  if (code >= 128) return /[\p{L}\p{N}\ud800-\udfff]/u.test(character);
  return code === 46 || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function joinShort(text: string, pieces: readonly SentencePiece[]): Span[] {
  const spans: Span[] = [];
  let pending: number | undefined;
  pieces.forEach((piece, i) => {
    const start = pending ?? piece.start;
    pending = undefined;
    const next = pieces[i + 1];
    const last = spans.at(-1);
    if (weight(text, start, piece.end) >= SHORTEST) spans.push([start, piece.end]);
    else if (next !== undefined && (last === undefined || (piece.breaks && !next.breaks))) pending = start;
    else if (last !== undefined) last[1] = piece.end;
    else spans.push([start, piece.end]);
  });
  return spans;
}

function weight(text: string, start: number, end: number): number {
  if (end - start >= SHORTEST) return SHORTEST;
  return end - start + 2 * countDense(text.slice(start, end));
}
