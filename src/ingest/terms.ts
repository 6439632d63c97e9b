import type { Passage } from '../core/model.js';
import { bareTitle, PATH_SEPARATOR } from '../core/text/about.js';
import { AFTER_NO_NAME } from '../core/text/connectors.js';
import { isCapitalised, MAX_KEY_TOKENS, nameKey } from '../core/text/keys.js';
import { type MentionPart, questionEntities } from '../core/text/mentions.js';
import { isStopWord } from '../core/text/stop-words.js';
import { tokenize } from '../core/text/tokens.js';

/** The terms of a document: its headings and what it writes as code, by key, with the name as written there. */
export interface Terms {
  readonly names: ReadonlyMap<string, string>;
  readonly headings: ReadonlySet<string>;
  /** Keys of headings below the first level: parts of one subject, that definitions may be given of. */
  readonly sections: ReadonlySet<string>;
}

/** A name or term in a sentence. */
export interface Term {
  readonly key: string;
  readonly name: string;
  /** Character span in the sentence, quotes and backticks around it included. */
  readonly start: number;
  readonly end: number;
}

/** A heading that says something names nothing. */
const CLAUSE =
  /(?<!\p{L})(?:is|are|was|were|has|have|does|do|did|can|will|should|must|how|why|what|when|if)(?!\p{L})/iu;
const LITERAL = /^(?:true|false|null|none|nil|undefined|yes|no|on|off)$/iu;
const CODE = /`([^`\n]{2,60})`/gu;

export function collectTerms(passages: readonly Passage[]): Terms {
  const names = new Map<string, string>();
  const headings = new Set<string>();
  const sections = new Set<string>();
  const add = (name: string): string | undefined => {
    const key = nameKey(name);
    const count = key.split(' ').length;
    if (count > MAX_KEY_TOKENS || key.length < 3 || CLAUSE.test(name) || isStopWord(key) || /^[\d\s.]+$/u.test(key))
      return undefined;
    if (!names.has(key)) names.set(key, name);
    return key;
  };
  for (const { title, text } of passages) {
    title.split(PATH_SEPARATOR).forEach((part, level) => {
      const key = add(bareTitle(part));
      if (key === undefined) return;
      headings.add(key);
      if (level > 0) sections.add(key);
    });
    for (const [, code] of text.matchAll(CODE))
      if (!LITERAL.test(code!) && /^[\p{L}][\p{L}\p{N} ._-]*$/u.test(code!)) add(code!);
  }
  return { names, headings, sections };
}

/** Terms and capitalised names of a sentence, in order. A single small word is one only as code or after "the". */
export function termsIn(sentence: string, terms: Terms): Term[] {
  const tokens = tokenize(sentence);
  const parts = questionEntities(sentence, (key) => terms.names.has(key)).filter(
    (part) => part.token > 0 || part.length > 1 || !AFTER_NO_NAME.has(tokens[1]?.norm ?? ''),
  );
  const taken = new Set<number>();
  for (const part of parts) for (let i = 0; i < part.length; i += 1) taken.add(part.token + i);
  const single: MentionPart[] = [];
  tokens.forEach((token, i) => {
    if (taken.has(i) || !terms.names.has(token.norm) || isStopWord(token.norm)) return;
    const marked = sentence[token.start - 1] === '`' && sentence[token.end] === '`';
    const definite = tokens[i - 1]?.norm === 'the' && !isCapitalised(token);
    if (marked || definite) single.push({ key: token.norm, name: token.text, token: i, length: 1 });
  });
  return [...parts, ...single]
    .sort((a, b) => a.token - b.token)
    .map((part) => {
      const from = tokens[part.token]!;
      const to = tokens[part.token + part.length - 1]!;
      return {
        key: part.key,
        name: terms.names.get(part.key) ?? part.name,
        ...withMarks(sentence, from.start, to.end),
      };
    });
}

function withMarks(sentence: string, start: number, end: number): { start: number; end: number } {
  let [from, to] = [start, end];
  while (from > 0 && /["'“‘`*]/u.test(sentence[from - 1]!)) from -= 1;
  while (to < sentence.length && /["”’`*]/u.test(sentence[to]!)) to += 1;
  return { start: from, end: to };
}
