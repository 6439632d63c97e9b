import { fold } from '../../core/text/fold.js';

/** Forms of a name that are compared. */
export interface NameForms {
  /** Words, folded; without articles, titles, legal forms and what stands in parentheses. */
  readonly words: readonly string[];
  /** The words without spaces: "U.S.A." and "USA" are one. */
  readonly joined: string;
  /** Arabic and Roman numbers, ordinals and generations (Jr., Sr.) in order: what tells "Part II" from "Part III". */
  readonly numbers: string;
  /** Text in parentheses that is no abbreviation of the name: "Paris (Texas)". */
  readonly qualifier: string;
  /** Letters of an abbreviation, folded, with those in parentheses: "NATO", "European Union (EU)"; else empty. */
  readonly acronym: string;
  /** Initials of the words, with and without the small ones. */
  readonly initials: readonly string[];
}

const SMALL = new Set('a an the of and for in on at to de la le du der die das und et y van von for & '.split(' '));
const ARTICLES = new Set(['the', 'a', 'an']);
const TITLES = new Set('sir dame lord lady king queen prince princess emperor pope saint dr mr mrs ms prof'.split(' '));
const LEGAL_FORMS = new Set('inc ltd llc plc corp corporation gmbh ag sa bv nv co kg'.split(' '));
const UNITS: Readonly<Record<string, string>> = {
  m: 'metre',
  metres: 'metre',
  meter: 'metre',
  meters: 'metre',
  km: 'kilometre',
};
const ROMAN = /^(?=[IVXLC])(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/;
const GENERATIONS = new Set(['jr', 'sr', 'junior', 'senior']);

/** A text of more words is compared as one word: no abbreviation stands for it, and no person has so many names. */
const MOST_WORDS = 32;

/** Returns the forms of a name. */
export function nameForms(name: string): NameForms {
  const inParentheses = /\(([^()]{1,60})\)\s*$/u.exec(name)?.[1] ?? '';
  const bare = name.replace(/\s*\([^()]*\)\s*$/u, '').trim() || name;
  const raw = wordsOf(bare);
  if (raw.length > MOST_WORDS) return asOneWord(name);
  const folded = raw.map(fold);
  const words = significant(folded);
  const initials = initialsOf(folded);
  const abbreviation = acronymOf(inParentheses);
  const abbreviates = abbreviation !== '' && initials.includes(abbreviation);
  return {
    words,
    joined: words.join(''),
    numbers: numbersOf(raw, folded).join(' '),
    qualifier: inParentheses === '' || abbreviates ? '' : fold(inParentheses),
    acronym: abbreviates ? abbreviation : acronymOf(bare),
    initials,
  };
}

function asOneWord(name: string): NameForms {
  const joined = fold(wordsOf(name).join(''));
  return { words: [joined], joined, numbers: '', qualifier: '', acronym: '', initials: [] };
}

/** Returns the words as written; letters with dots between them ("U.S.") are one word. */
function wordsOf(text: string): string[] {
  return (
    text.replace(/\b(?:\p{L}\.){2,}/gu, (letters) => letters.replaceAll('.', '')).match(/[\p{L}\p{M}\p{N}&]+/gu) ?? []
  );
}

function significant(folded: readonly string[]): string[] {
  const words = folded.map((word) => UNITS[word] ?? word);
  while (words.length > 1 && ARTICLES.has(words[0]!)) words.shift();
  // "King Albert" is Albert; the King of Sweden is not Sweden.
  while (words.length > 1 && TITLES.has(words[0]!) && !SMALL.has(words[1]!)) words.shift();
  while (words.length > 1 && LEGAL_FORMS.has(words.at(-1)!)) words.pop();
  return words.filter((word, i) => i === 0 || word !== 'the');
}

/** Returns the initials of the words: all, and those of the words that are not small. */
function initialsOf(words: readonly string[]): string[] {
  if (words.length < 2) return [];
  const of = (some: readonly string[]) => some.map((word) => word[0] ?? '').join('');
  return [...new Set([of(words), of(words.filter((word) => !SMALL.has(word)))])];
}

/** Returns the folded letters of an abbreviation of two to seven capitals, else nothing. */
function acronymOf(text: string): string {
  const letters = text.replace(/[.\s]/gu, '');
  return /^\p{Lu}{2,7}$/u.test(letters) && !/\s\p{L}{2}/u.test(text) ? fold(letters) : '';
}

function numbersOf(raw: readonly string[], folded: readonly string[]): string[] {
  const numbers: string[] = [];
  for (const [i, word] of raw.entries()) {
    const digits = /^\D{0,2}(\d+)/u.exec(word)?.[1];
    if (digits !== undefined) numbers.push(asWhole(digits, numbers.at(-1)));
    else if (ROMAN.test(word)) numbers.push(word);
    else if (GENERATIONS.has(folded[i]!)) numbers.push(folded[i]!.slice(0, 1));
  }
  return numbers;
}

/** Returns the end of a span of years: "2009–10" ends in 2010. */
function asWhole(digits: string, before: string | undefined): string {
  const range = before !== undefined && /^\d{4}$/.test(before) && digits.length === 2 && digits > before.slice(2);
  return range ? before.slice(0, 2) + digits : digits.replace(/^0+(?=\d)/, '');
}
