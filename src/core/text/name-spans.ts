import {
  CONNECTORS,
  calendarOf,
  followsNoName,
  GREETINGS,
  LABELS,
  NEVER_NAMES,
  writesNounsSmall,
} from './connectors.js';
import { hasCapitalLetter, isNumeralOfName, MAX_KEY_TOKENS } from './keys.js';
import type { Token } from './tokens.js';

interface SpanContext {
  readonly stop: readonly boolean[];
  /** Tokens that belong to a name already. */
  readonly covered: readonly boolean[];
  /** Function words of the language of the text: none of them is a name alone. */
  readonly functionWords?: ReadonlySet<string> | undefined;
  /** The language of the text. Where it is not told, what is no name in any language is none. */
  readonly textLanguage?: string | undefined;
  /** Words before a colon that are labels in this text, besides those of the list, as `labelsIn` returns them. */
  readonly labels?: ReadonlySet<string> | undefined;
}

/** A French or Italian word in small letters behind an article or pronoun without its vowel: "L'annulation", "Qu'elle". */
const ELIDED = /^(?:[CDJL]|Qu)['’ʼ]\p{Ll}/u;
/** A word without its vowel inside a name: "Paul d'Aubigny", "Ada dell'Acqua". */
const PARTICLE = /^(?:d|dell|degl|dall)['’ʼ]\p{Lu}/u;
/** What makes the number before it an amount. */
const UNIT = /^\s?(?:[€$£¥%‰°]|(?:kg|km|cm|mm|ml|k?wh|euros?|eur|usd)(?![\p{L}\p{N}]))/iu;

/**
 * Returns the capitalised spans [from, to) of tokens that are written as names: joined over small connectors ("Bank of
 * England") and initials, without leading stop words, months and weekdays. The first word of a sentence counts only
 * where what follows does not make it a verb or an adverb.
 */
export function nameSpans(text: string, tokens: readonly Token[], context: SpanContext): Array<[number, number]> {
  const spans: Array<[number, number]> = [];
  if (isShouted(tokens)) return spans;
  for (let at = 0; at < tokens.length; ) {
    if (!startsName(tokens, at, context)) {
      at += 1;
      continue;
    }
    const end = spanEnd(text, tokens, { at, context });
    const named = withoutLabel(text, tokens, { from: afterGreeting(tokens, at, end), to: end, context });
    for (const [from, to] of germanParts(tokens, { ...named, context }))
      if (isName(text, tokens, { from, to, context })) spans.push([from, to]);
    at = end;
  }
  return spans;
}

/** Returns where a name begins that a line opens with a greeting before: "Bonjour Nadia". */
function afterGreeting(tokens: readonly Token[], from: number, end: number): number {
  return from === 0 && end > 1 && GREETINGS.has(tokens[0]!.norm) ? 1 : from;
}

/** Returns a span without the label of what stands behind it: "Contacto: Julián". Who speaks stands before a colon too: "Julie : la cotisation …". */
function withoutLabel(
  text: string,
  tokens: readonly Token[],
  { from, to, context }: { readonly from: number; readonly to: number; readonly context: SpanContext },
): { readonly from: number; readonly to: number } {
  const last = tokens[to - 1]!;
  const isLabel = writesNounsSmall(context.textLanguage) && isKnownLabel(last, context) && isBeforeColon(text, last);
  return { from, to: isLabel ? to - 1 : to };
}

function isKnownLabel({ norm }: Token, { labels }: SpanContext): boolean {
  return LABELS.has(norm) || labels?.has(norm) === true;
}

function isBeforeColon(text: string, { end }: Token): boolean {
  return /^[ \u00a0\u202f]?:\s/u.test(text.slice(end, end + 3));
}

/** Prepositions of German that are content in other places, and so no function words. */
const PREPOSITIONS = new Set('ab laut je neben hinter statt trotz'.split(' '));

/**
 * Divides what begins with a preposition or an article of German and holds another function word: "Bei Gewitter und ab Windstärke 6" is the
 * beginning of a sentence, whose nouns have capitals anyway. Any other span stays whole.
 */
function germanParts(
  tokens: readonly Token[],
  { from, to, context }: { readonly from: number; readonly to: number; readonly context: SpanContext },
): Array<[number, number]> {
  const { textLanguage, functionWords } = context;
  if (textLanguage !== 'german') return [[from, to]];
  const isFunction = (i: number): boolean =>
    functionWords?.has(tokens[i]!.norm) === true || PREPOSITIONS.has(tokens[i]!.norm);
  const places = Array.from({ length: to - from }, (_, i) => from + i).filter(isFunction);
  if (places[0] !== from || places.length < 2) return [[from, to]];
  return places
    .map((place, i): [number, number] => [place + 1, places[i + 1] ?? to])
    .filter(([start, end]) => start < end);
}

/** Marks the tokens that belong to one of the parts. */
export function coveredTokens(
  parts: ReadonlyArray<{ readonly token: number; readonly length: number }>,
  count: number,
): boolean[] {
  const covered = new Array<boolean>(count).fill(false);
  for (const part of parts) covered.fill(true, part.token, part.token + part.length);
  return covered;
}

function startsName(tokens: readonly Token[], at: number, { stop, covered, textLanguage }: SpanContext): boolean {
  if (covered[at] === true || stop[at] === true || !hasCapitalLetter(tokens[at]!)) return false;
  if (isNumeralOfName(tokens, at)) return false;
  const elides = textLanguage === undefined || textLanguage === 'french' || textLanguage === 'italian';
  return !(elides && ELIDED.test(tokens[at]!.text));
}

/** Returns one past the last token of the name that starts at `at`; a trailing connector does not belong to it. */
function spanEnd(text: string, tokens: readonly Token[], from: { at: number; context: SpanContext }): number {
  const { stop, covered, textLanguage } = from.context;
  const calendar = calendarOf(textLanguage);
  let end = from.at + 1;
  for (let next = end; next < tokens.length && next - from.at < MAX_KEY_TOKENS; next += 1) {
    const token = tokens[next]!;
    const before = tokens[next - 1]!;
    if (covered[next] === true || !adjoins(text, before, token) || before.norm.endsWith("'s")) break;
    const capital = hasCapitalLetter(token);
    if (capital && (stop[next] !== true || CONNECTORS.has(token.norm) || endsCode(text, before, token))) end = next + 1;
    else if (isNumber(token) && end === next && !calendar.has(before.norm) && !isAmount(text, token)) end = next + 1;
    else if (PARTICLE.test(token.text) && writesNounsSmall(textLanguage)) end = next + 1;
    else if (!CONNECTORS.has(token.norm)) break;
  }
  const isLoose = (at: number) =>
    CONNECTORS.has(tokens[at]!.norm) && stop[at] === true && !endsCode(text, tokens[at - 1]!, tokens[at]!);
  while (end > from.at + 1 && isLoose(end - 1)) end -= 1;
  return end;
}

/** Returns true for a single capital behind a hyphen: the A of "box Y5-A" is no article. */
function endsCode(text: string, before: Token, token: Token): boolean {
  return /^\p{Lu}$/u.test(token.text) && /^[-‐‑]$/u.test(text.slice(before.end, token.start));
}

/** Returns true where only a space, a hyphen, an ampersand, or the full stop of an initial or a short title lies between. */
function adjoins(text: string, before: Token, token: Token): boolean {
  if (token.start - before.end === 1 && text.charCodeAt(before.end) === 32) return true;
  const gap = text.slice(before.end, token.start);
  if (gap.includes('\n')) {
    if (/\n\s*\n/u.test(gap) || ITEM.test(text.slice(token.start, token.start + 8))) return false;
    if (isLineOfNames(text, before) || beginsLabel(text, before, token)) return false;
  }
  if (/^(?:\s+|[-‐‑–&]|\s&\s)$/u.test(gap)) return true;
  return (
    /^\.\s*$/u.test(gap) && (before.text.length === 1 || /^(?:St|Dr|Mr|Mrs|Ms|Jr|Sr|Ft|Mt|Prof)$/u.test(before.text))
  );
}

/** How a numbered item begins. */
const ITEM = /^\d{1,3}[.)]\s/u;
/** How a line begins that holds a label and its value: "Author: Jon". */
const LABEL = /^\p{L}[\p{L} ]{0,30}[ \u00a0]?:\s/u;

/**
 * Returns true where the line that ends with a token is written as a heading or an address: it has no word in small letters but
 * connectors and "and", and ends with none. Parsers join the lines of running text, so that those which are left apart were meant so.
 */
function isLineOfNames(text: string, before: Token): boolean {
  const line = lineTo(text, before);
  const small = line.match(/(?<![\p{L}\p{N}'’-])\p{Ll}[\p{L}\p{M}]*/gu) ?? [];
  const isHeading =
    /^\P{Ll}/u.test(line) && small.every((word) => word === 'and' || (word !== 'the' && CONNECTORS.has(word)));
  return isHeading && !CONNECTORS.has(before.norm);
}

function lineTo(text: string, { start, end }: Token): string {
  return text.slice(text.lastIndexOf('\n', start) + 1, end).trimStart();
}

/**
 * Returns true for a token on a new line that begins with a label, and no sentence that goes on: the line before or the one behind
 * has a label too.
 */
function beginsLabel(text: string, before: Token, { start }: Token): boolean {
  if (!LABEL.test(text.slice(start, start + 60))) return false;
  if (LABEL.test(lineTo(text, before))) return true;
  const next = text.indexOf('\n', start);
  return next !== -1 && LABEL.test(text.slice(next + 1, next + 61).trimStart());
}

function isAmount(text: string, { end }: Token): boolean {
  return UNIT.test(text.slice(end, end + 8));
}

function isNumber(token: Token): boolean {
  const code = token.norm.charCodeAt(0);
  return code >= 48 && code <= 57;
}

/** A box of a task, at the beginning; its mark is a word. */
const BOX = /^[^\p{L}\p{N}]{0,8}\[[xX]\]\s+$/u;
/** What ends a sentence or a part of it. */
const OPENING = /(?:[.!?…:–—]|\])\s+$/u;

/** Characters before a word in which a sentence may end. */
const NEAR = 16;

/**
 * Returns true for a word behind the first that opens a sentence: one behind the box of a task, and in languages that write nouns small one behind
 * the end of another sentence, as short ones are read together.
 */
function opensAnother(text: string, { start }: Token, { textLanguage }: SpanContext): boolean {
  if (start <= NEAR && BOX.test(text.slice(0, start))) return true;
  return writesNounsSmall(textLanguage) && OPENING.test(text.slice(Math.max(0, start - NEAR), start));
}

function isName(
  text: string,
  tokens: readonly Token[],
  { from, to, context }: { from: number; to: number; context: SpanContext },
): boolean {
  const calendar = calendarOf(context.textLanguage);
  let word = false;
  for (let i = from; i < to; i += 1) {
    const { norm } = tokens[i]!;
    if (norm.length > 1 && !calendar.has(norm) && !CONNECTORS.has(norm) && !isNumber(tokens[i]!)) word = true;
  }
  if (!word || (to - from === 1 && isNeverAlone(tokens[from]!, context))) return false;
  if (to - from > 1) return true;
  if (from > 0 && (tokens[to] === undefined || !opensAnother(text, tokens[from]!, context))) return true;
  // Who speaks, where labels of that language are known.
  if (writesNounsSmall(context.textLanguage) && isBeforeColon(text, tokens[from]!)) return true;
  return !isFirstWord(tokens.slice(from, from + 2), { covered: context.covered[from + 1] === true, context });
}

/** Returns true for an adverb or a function word; one in capitals is an abbreviation. */
function isNeverAlone({ norm, text }: Token, { functionWords }: SpanContext): boolean {
  return NEVER_NAMES.has(norm) || (functionWords?.has(norm) === true && /\p{Ll}/u.test(text));
}

/** Returns true for a first word that has its capital from the start of the sentence. */
function isFirstWord(
  [first, next]: readonly Token[],
  { covered, context }: { readonly covered: boolean; readonly context: SpanContext },
): boolean {
  if (first === undefined || next === undefined) return true;
  if (/^\P{Ll}{2,}/u.test(first.text) || /\p{Ll}\p{Lu}/u.test(first.text)) return false;
  return covered || followsNoName(next.norm, context.textLanguage) || /(?:ly|ing)$/u.test(first.norm);
}

/** Returns true for a line in capitals, where capitals mark no names. */
function isShouted(tokens: readonly Token[]): boolean {
  if (tokens.length < 4) return false;
  let quiet = 0;
  for (const { text } of tokens) {
    const second = text.charCodeAt(1);
    if ((second >= 97 && second <= 122) || text.length < 2 || text !== text.toUpperCase()) quiet += 1;
    if (quiet > tokens.length * 0.3) return false;
  }
  return true;
}
