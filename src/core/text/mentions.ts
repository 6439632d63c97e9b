import { forEachInSlices, mapInSlices, slicer } from '../async/slices.js';
import { ARTICLES } from './connectors.js';
import {
  hasCapitalLetter,
  isCapitalised,
  isNumeralOfName,
  keyOf,
  MAX_KEY_TOKENS,
  MAX_QUESTION_TOKENS,
  withoutPossessive,
} from './keys.js';
import { languageOf } from './language.js';
import { coveredTokens, nameSpans } from './name-spans.js';
import { stopTokens, stopWords } from './stop-words.js';
import { type Token, tokenize } from './tokens.js';

/** A mention within one sentence; the caller adds which sentence. */
export interface MentionPart {
  /** In the form of `keyOf`. */
  readonly key: string;
  /** As written, without a possessive 's. */
  readonly name: string;
  /** 0-based token offset in the sentence, and length in tokens. */
  readonly token: number;
  readonly length: number;
}

const NO_PART_OF_NAMES = new Set('is was are were has have had been who whom whose which that where when'.split(' '));
const DIVIDERS = ',;:()[]';

/** What is known of each token of a sentence. */
interface Words {
  readonly tokens: readonly Token[];
  readonly stop: readonly boolean[];
  /** The same for names that are not known. */
  readonly stopUnknown: readonly boolean[];
  readonly capital: readonly boolean[];
  /** Per token: the first content token from there on. */
  readonly content: readonly number[];
  /** Per token: where a name that starts there must have ended. */
  readonly limit: readonly number[];
  /** Questions: names of several words need no capitals. */
  readonly anyCase: boolean;
  /** A question of one content word, which needs no capital either. */
  readonly single: boolean;
  /** Function words of the language of the text that the sentence is of. */
  readonly functionWords?: ReadonlySet<string> | undefined;
  /** That language. */
  readonly textLanguage?: string | undefined;
  /** Words before a colon that are labels in that text. */
  readonly labels?: ReadonlySet<string> | undefined;
}

interface Reading extends Words {
  /** Per token: the keys of 1, 2, … tokens from there on; undefined where these tokens are not written as a name. */
  readonly keys: ReadonlyArray<ReadonlyArray<string | undefined>>;
}

/** The names in a sentence. */
export interface NamesIn {
  /** Every key that `mentions` may look up, some more than once, so that the active ones can be read in one batch. */
  readonly keys: readonly string[];
  /**
   * Returns the names, left to right: first the longest key (up to 8 tokens) that `isActiveKey` accepts and whose first
   * content token has a capital or is a number (never a single stop word); then the capitalised spans that remain.
   */
  mentions(isActiveKey: (key: string) => boolean): MentionPart[];
}

/**
 * Reads a sentence once for all the names in it. A function word of the language of its text is no name that is not known. `labels`: words before a colon
 * that are none, as `labelsIn` returns them for the text.
 */
export function namesIn(
  sentence: string,
  { textLanguage, labels }: Pick<Words, 'textLanguage' | 'labels'> = {},
): NamesIn {
  const reading = { ...read(sentence), functionWords: stopWords(textLanguage), textLanguage, labels };
  return { keys: allKeys(reading), mentions: (isActiveKey) => match(sentence, reading, isActiveKey) };
}

/**
 * Returns the names in a question, where active names of several words need no capitals, nor does one that is all it asks for. Gives way
 * to the event loop meanwhile, as `questionKeys` does: a long question has hundreds of thousands of keys.
 */
export async function questionEntities(
  question: string,
  isActiveKey: (key: string) => boolean,
  language?: string,
): Promise<MentionPart[]> {
  const words = readWords(question, true, language);
  const reading = {
    ...words,
    textLanguage: languageOf(question),
    keys: await mapInSlices(words.tokens.keys(), (start) => keysFrom(words, start), 'urgent'),
  };
  const found: MentionPart[] = [];
  const pause = slicer('urgent');
  for (let start = 0; start < words.tokens.length; ) {
    start = matchAt(question, reading, { start, isActiveKey, found });
    await pause();
  }
  return withSpans(question, reading, found);
}

/** Returns every key that `questionEntities` may look up. */
export async function questionKeys(question: string, language?: string): Promise<string[]> {
  const words = readWords(question, true, language);
  const all: string[] = [];
  await forEachInSlices(words.tokens.keys(), (start) => addKeys(keysFrom(words, start), all), 'urgent');
  return all;
}

function read(text: string): Reading {
  const words = readWords(text, false);
  return { ...words, keys: words.tokens.map((_, start) => keysFrom(words, start)) };
}

function readWords(text: string, anyCase: boolean, language?: string): Words {
  const tokens = tokenize(text);
  const { stop, unknown: stopUnknown } = stopTokens(text, tokens, language);
  const capital = tokens.map(isCapitalised);
  const content = new Array<number>(tokens.length);
  const limit = new Array<number>(tokens.length);
  let next = tokens.length;
  let end = tokens.length;
  for (let i = tokens.length - 1; i >= 0; i -= 1) {
    if (stop[i] !== true) next = i;
    content[i] = next;
    limit[i] = end;
    if (!anyCase && i > 0 && capital[i] !== true && dividesNames(text, tokens[i - 1]!, tokens[i]!)) end = i;
  }
  const single = anyCase && stopUnknown.filter((is) => !is).length === 1;
  return { tokens, stop, stopUnknown, capital, content, limit, anyCase, single };
}

/** Returns true where no name continues: at a lower-case "is", or at a lower-case word after a comma or parenthesis. */
function dividesNames(text: string, before: Token, token: Token): boolean {
  if (NO_PART_OF_NAMES.has(token.norm)) return true;
  if (token.start - before.end === 1 && text.charCodeAt(before.end) === 32) return false;
  for (let at = before.end; at < token.start; at += 1) if (DIVIDERS.includes(text[at]!)) return true;
  return false;
}

function allKeys(reading: Reading): string[] {
  const all: string[] = [];
  for (const keys of reading.keys) addKeys(keys, all);
  return all;
}

function addKeys(keys: ReadonlyArray<string | undefined>, all: string[]): void {
  for (const key of keys) {
    if (key === undefined) continue;
    all.push(key);
    if (key.endsWith("'s")) all.push(withoutPossessive(key));
  }
}

function match(text: string, reading: Reading, isActiveKey: (key: string) => boolean): MentionPart[] {
  const found: MentionPart[] = [];
  for (let start = 0; start < reading.tokens.length; ) start = matchAt(text, reading, { start, isActiveKey, found });
  return withSpans(text, reading, found);
}

/** Adds the name that starts at a token, where there is one; returns where the next may start. */
function matchAt(
  text: string,
  reading: Reading,
  { found, ...at }: { start: number; isActiveKey: (key: string) => boolean; found: MentionPart[] },
): number {
  const part = longestActive(text, reading, at);
  if (part !== undefined) found.push(part);
  return at.start + (part?.length ?? 1);
}

/** Returns the names found with the capitalised spans that remain, left to right. */
function withSpans(text: string, words: Words, found: MentionPart[]): MentionPart[] {
  const { tokens, stopUnknown: stop, functionWords, textLanguage, labels } = words;
  const covered = coveredTokens(found, tokens.length);
  const spans = nameSpans(text, tokens, { stop, covered, functionWords, textLanguage, labels });
  for (const [from, to] of spans) found.push(partOf(text, tokens, { start: from, length: to - from }));
  return found.sort((a, b) => a.token - b.token);
}

function longestActive(
  text: string,
  reading: Reading,
  at: { start: number; isActiveKey: (key: string) => boolean },
): MentionPart | undefined {
  const keys = reading.keys[at.start]!;
  for (let i = keys.length - 1; i >= 0; i -= 1) {
    const written = keys[i];
    if (written === undefined) continue;
    const key = activeForm(written, at.isActiveKey);
    if (key !== undefined) return { ...partOf(text, reading.tokens, { start: at.start, length: i + 1 }), key };
  }
  return undefined;
}

/** Returns the active key: as written or, where it ends in 's, without it. */
function activeForm(key: string, isActiveKey: (key: string) => boolean): string | undefined {
  if (isActiveKey(key)) return key;
  if (!key.endsWith("'s")) return undefined;
  const bare = withoutPossessive(key);
  return isActiveKey(bare) ? bare : undefined;
}

const NO_KEYS: readonly string[] = [];

function keysFrom(words: Words, start: number): ReadonlyArray<string | undefined> {
  const count = longest(words, start);
  if (count === 0) return NO_KEYS;
  const keys: Array<string | undefined> = [];
  let key = '';
  for (let length = 1; length <= count; length += 1) {
    const { norm } = words.tokens[start + length - 1]!;
    key = length === 1 ? norm : `${key} ${norm}`;
    keys.push(mayBeName(words, start, length) ? key : undefined);
  }
  return keys;
}

function longest(words: Words, start: number): number {
  const { tokens, stop, capital, content, limit, anyCase } = words;
  if (!anyCase && capital[start] !== true) {
    // A name opens with a capital, or with a small article before one.
    if (stop[start] !== true || capital[content[start]!] !== true || !ARTICLES.has(tokens[start]!.norm)) return 0;
  }
  return Math.min(anyCase ? MAX_QUESTION_TOKENS : MAX_KEY_TOKENS, limit[start]! - start);
}

/** Returns true where these tokens are written as a name. */
function mayBeName({ tokens, stop, capital, content, anyCase, single }: Words, start: number, length: number): boolean {
  if (length === 1 && isNumeralOfName(tokens, start)) return false;
  const end = start + length;
  const first = content[start]!;
  if (first >= end) return length > 1 && allCapitals(tokens, start, end);
  const last = end - 1;
  if (capital[first] === true) return stop[last] !== true || capital[last] === true || anyCase;
  if (length === 1) return single;
  if (!anyCase) return false;
  const second = first + 1 < end ? content[first + 1]! : end;
  return second < end || length >= 4;
}

function allCapitals(tokens: readonly Token[], start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) if (!hasCapitalLetter(tokens[i]!)) return false;
  return true;
}

function partOf(text: string, tokens: readonly Token[], at: { start: number; length: number }): MentionPart {
  const end = at.start + at.length;
  return {
    key: withoutPossessive(keyOf(tokens, at.start, end)),
    name: text.slice(tokens[at.start]!.start, tokens[end - 1]!.end).replace(/['’ʼ]s$/u, ''),
    token: at.start,
    length: at.length,
  };
}
