import { slicer } from '../../core/async/slices.js';
import type { Passage } from '../../core/model.js';
import { bareTitle, PATH_SEPARATOR } from '../../core/text/about.js';
import { AFTER_NO_NAME, NEVER_NAMES } from '../../core/text/connectors.js';
import { isCapitalised, keyOf, MAX_KEY_TOKENS, nameKey, withoutPossessive } from '../../core/text/keys.js';
import { nameSpans } from '../../core/text/name-spans.js';
import { isStopWord, stopTokens, stopWords } from '../../core/text/stop-words.js';
import { type Token, tokenize } from '../../core/text/tokens.js';

/** The terms of a document: its headings and what it writes as code, by key, with the name as written there. */
export interface Terms {
  readonly names: ReadonlyMap<string, string>;
  /** The same keys word by word. */
  readonly words: WordTree;
  readonly headings: ReadonlySet<string>;
  /** Keys of headings below the first level: parts of one subject, that definitions may be given of. */
  readonly sections: ReadonlySet<string>;
}

/** The words that continue a key, word by word. */
interface WordTree {
  /** Absent where no key goes on: most of 100,000 titles would have an empty map. */
  next?: Map<string, WordTree>;
  /** True where a key ends. */
  isKey: boolean;
}

/** A name or term in a sentence. */
export interface Term {
  readonly key: string;
  readonly name: string;
  /** Character span in the sentence, quotes and backticks around it included. */
  readonly start: number;
  readonly end: number;
}

/** A heading with a verb is a statement, not a name. */
const CLAUSE =
  /(?<!\p{L})(?:is|are|was|were|has|have|does|do|did|can|will|should|must|how|why|what|when|if)(?!\p{L})/iu;
const LITERAL = /^(?:true|false|null|none|nil|undefined|yes|no|on|off)$/iu;
const CODE = /`([^`\n]{2,60})`/gu;

/** Collects the terms of a document. Gives way to the event loop. */
export async function collectTerms(passages: readonly Passage[]): Promise<Terms> {
  const pause = slicer();
  const names = new Map<string, string>();
  const words: WordTree = { isKey: false };
  const headings = new Set<string>();
  const sections = new Set<string>();
  const add = (name: string): string | undefined => {
    const key = nameKey(name);
    const count = key.split(' ').length;
    if (
      count > MAX_KEY_TOKENS ||
      key.length < 3 ||
      CLAUSE.test(name) ||
      isStopWord(key) ||
      NEVER_NAMES.has(key) ||
      /^[\d\s.]+$/u.test(key)
    )
      return undefined;
    if (names.has(key)) return key;
    names.set(key, name);
    addKey(words, key);
    return key;
  };
  for (const { title, text } of passages) {
    title.split(PATH_SEPARATOR).forEach((part, level) => {
      const key = add(bareTitle(part));
      if (key === undefined) return;
      headings.add(key);
      if (level > 0) sections.add(key);
    });
    await pause();
    for (const [, code] of text.matchAll(CODE))
      if (!LITERAL.test(code!) && /^[\p{L}][\p{L}\p{N} ._-]*$/u.test(code!)) add(code!);
  }
  return { names, words, headings, sections };
}

/** Adds a key to those that begin in a tree. */
function addKey(root: WordTree, key: string): void {
  let node = root;
  for (const word of key.split(' ')) {
    node.next ??= new Map();
    let child = node.next.get(word);
    if (child === undefined) {
      child = { isKey: false };
      node.next.set(word, child);
    }
    node = child;
  }
  node.isKey = true;
}

/** Returns the terms and capitalised names of a sentence, in order. A single small word is one only as code or after "the". */
export function termsIn(sentence: string, terms: Terms, textLanguage?: string): Term[] {
  const tokens = tokenize(sentence);
  const { unknown: stop } = stopTokens(sentence, tokens);
  const found: Term[] = [];
  const covered = new Array<boolean>(tokens.length).fill(false);
  for (let at = 0; at < tokens.length; at += 1) {
    const length = knownLength(sentence, tokens, { at, terms });
    if (length === 0) continue;
    found.push(termOf(sentence, tokens, { from: at, to: at + length, terms }));
    covered.fill(true, at, at + length);
    at += length - 1;
  }
  const functionWords = stopWords(textLanguage);
  for (const [from, to] of nameSpans(sentence, tokens, { stop, covered, functionWords, textLanguage })) {
    found.push(termOf(sentence, tokens, { from, to, terms }));
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Returns the length in tokens of the longest term of the document at a token, 0 where there is none. */
function knownLength(
  sentence: string,
  tokens: readonly Token[],
  { at, terms }: { readonly at: number; readonly terms: Terms },
): number {
  let length = 0;
  let node: WordTree | undefined = terms.words;
  for (let i = at; i < tokens.length && node !== undefined; i += 1) {
    const { norm } = tokens[i]!;
    // The last word of a term may carry a possessive 's.
    if (node.next?.get(withoutPossessive(norm))?.isKey === true) length = i - at + 1;
    node = node.next?.get(norm);
  }
  if (length !== 1) return length;
  const [token, before, next] = [tokens[at]!, tokens[at - 1], tokens[at + 1]];
  const marked = sentence[token.start - 1] === '`' && sentence[token.end] === '`';
  const written = isCapitalised(token) ? at > 0 || !AFTER_NO_NAME.has(next?.norm ?? '') : before?.norm === 'the';
  return marked || written ? 1 : 0;
}

function keyAt(tokens: readonly Token[], from: number, to: number): string {
  return withoutPossessive(keyOf(tokens, from, to));
}

function termOf(
  sentence: string,
  tokens: readonly Token[],
  { from, to, terms }: { readonly from: number; readonly to: number; readonly terms: Terms },
): Term {
  const key = keyAt(tokens, from, to);
  const [start, end] = [tokens[from]!.start, tokens[to - 1]!.end];
  const written = sentence.slice(start, end).replace(/['’ʼ]s$/u, '');
  return { key, name: terms.names.get(key) ?? written, ...withMarks(sentence, start, end) };
}

function withMarks(sentence: string, start: number, end: number): { start: number; end: number } {
  let [from, to] = [start, end];
  while (from > 0 && /["'“‘`*]/u.test(sentence[from - 1]!)) from -= 1;
  while (to < sentence.length && /["”’`*]/u.test(sentence[to]!)) to += 1;
  return { start: from, end: to };
}
