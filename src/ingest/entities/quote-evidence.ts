import { isStopWord } from '../../core/text/stop-words.js';
import { tokenize } from '../../core/text/tokens.js';

/** Words between two names that make them names of one thing. */
const SAME_AS =
  /\b(?:also|better|commonly|formerly|originally|officially|popularly|usually)?\s*(?:known as|called|named|abbreviated(?: as| to)?|renamed|a\.?k\.?a\.?|nicknamed|short for|stands for|goes by|common name|original title)\b/iu;
const LONGEST_GAP = 60;

/** Returns true where a sentence says that one name is another of the same thing: "Penticton Regional Airport, also known as …". */
export function saysAlias(quote: string, a: string, b: string): boolean {
  const [x, y] = [find(quote, a), find(quote, b)];
  if (x === null || y === null) return false;
  const [first, second] = x.start < y.start ? [x, y] : [y, x];
  if (first.end > second.start) return false;
  const gap = quote.slice(first.end, second.start);
  return gap.length <= LONGEST_GAP && !/[.;!?]\s/u.test(gap) && SAME_AS.test(gap);
}

const KIN =
  /\b(?:son|daughter|father|mother|brother|sister|uncle|aunt|nephew|niece|cousin|grandson|granddaughter|grandfather|grandmother|great-grandfather|great-grandson|widow|wife|husband|named after|namesake)\b[^.;]{0,60}$/iu;

/** Returns true where a sentence names a person as kin of its subject: "grandson of church president John Taylor". */
export function isKinOf(quote: string, name: string): boolean {
  const found = find(quote, name);
  return found !== null && KIN.test(quote.slice(Math.max(0, found.start - 90), found.start));
}

/** Returns true where a sentence names both, each for itself: then they are two. */
export function namesBothApart(quote: string, short: string, long: string): boolean {
  const rest = quote.replaceAll(long, '\0');
  return rest !== quote && find(rest, short) !== null;
}

function find(quote: string, name: string): { readonly start: number; readonly end: number } | null {
  const [text, wanted] = [quote.toLowerCase(), name.toLowerCase()];
  for (let start = text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + 1)) {
    const end = start + wanted.length;
    if (!isLetter(text[start - 1]) && !isLetter(text[end])) return { start, end };
  }
  return null;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

/** Returns the overlap coefficient, 0..1, of the words of two sets of texts, without stop words and the names themselves. */
export function wordOverlap(a: readonly string[], b: readonly string[], names: readonly string[]): number {
  const own = new Set(names.flatMap((name) => tokenize(name).map(({ norm }) => norm)));
  const [x, y] = [contentWords(a, own), contentWords(b, own)];
  if (x.size === 0 || y.size === 0) return 0;
  let both = 0;
  for (const word of x) if (y.has(word)) both += 1;
  return both / Math.min(x.size, y.size);
}

function contentWords(texts: readonly string[], without: ReadonlySet<string>): Set<string> {
  const words = texts.flatMap((text) => tokenize(text).map(({ norm }) => norm));
  return new Set(words.filter((word) => word.length > 2 && !isStopWord(word) && !without.has(word)));
}
