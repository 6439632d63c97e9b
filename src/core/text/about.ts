import type { AboutKey } from '../model.js';
import { ARTICLES, HONORIFICS, writesNounsSmall } from './connectors.js';
import { hasCapitalLetter, isCapitalised, keyOf, MAX_KEY_TOKENS, nameKey } from './keys.js';
import { languageOf } from './language.js';
import { splitSentences } from './sentences.js';
import { isStopWord } from './stop-words.js';
import { type Token, tokenize } from './tokens.js';
import { wordsOf } from './words.js';

/** Separates the parts of a heading path, as in "Handbook > Backups". */
export const PATH_SEPARATOR = ' > ';

/** Headings that name a place in a document, not a subject. */
const GENERIC = new Set(
  (
    'introduction|overview|summary|abstract|background|history|conclusion|conclusions|references|see also|notes|note|' +
    'external links|further reading|appendix|contents|table of contents|about|description|details|example|examples|' +
    'usage|faq|general|other|miscellaneous|changelog|license|licence|preface|foreword|scope|purpose|acknowledgements'
  ).split('|'),
);

/**
 * Returns the keys that a passage is about. A title, or the last specific part of a heading path, without a trailing
 * parenthesis; without a title the leading name of the first sentence. Aliases: the leading name, the part of a title
 * before a comma, the heading above; for untitled passages shorter forms of the name and names given as "born X". A title that
 * has nothing to do with the text is no more than an alias, and the passage is about the name that it opens with. A title that is
 * the name of a file says less: the text has the aliases of an untitled one too.
 */
export function aboutKeys(title: string, text: string, { isFileName = false } = {}): AboutKey[] {
  const keys = new Map<string, boolean>();
  const add = (key: string, alias: boolean): void => {
    if (key !== '' && key.length <= 512 && !keys.has(key) && !(alias && isStopWord(key))) keys.set(key, alias);
  };
  const opening = firstSentence(text);
  const lead = leadingName(opening, text);
  const proper = lead !== undefined && isProper(lead) ? lead : undefined;
  const addForms = (name: readonly Token[]): void => {
    for (const key of [...shorterForms(name), ...otherNames(opening)]) add(key, true);
  };
  const parts = specificParts(title);
  const name = parts.at(-1);
  const foreign = name !== undefined && proper !== undefined && isForeign(title, { text, opening, isFileName });
  if (name !== undefined && !foreign) {
    add(titleKey(name), false);
    const comma = name.indexOf(',');
    if (comma > 0 && !isShortWord(name.slice(0, comma))) add(nameKey(name.slice(0, comma)), true);
    if (lead !== undefined) add(keyOf(lead), true);
    const above = parts.at(-2);
    if (above !== undefined) add(titleKey(above), true);
    if (isFileName && proper !== undefined) addForms(proper);
  } else if (proper !== undefined) {
    add(keyOf(proper), false);
    addForms(proper);
    if (name !== undefined) add(titleKey(name), true);
  }
  return [...keys].map(([key, alias]) => ({ key, alias }));
}

/** A name of code that texts use as any word: `load`, `get2`, `__init__`, `save!`. */
const ANY_WORD = /^[^\p{L}\p{N}]*\p{Ll}[\p{Ll}\p{N}]*[^\p{L}\p{N}]*$/u;
/** Names of code with the words that they are written together of: `berthFee (berth fee)`; the parentheses of a call stand at the name itself. */
const SPELLED_OUT = /^(\S+(?:, \S+)*) \(.*\)$/u;
/** Names that one piece declares: `Most, Least`. */
const SEVERAL = /^[\p{L}\p{N}_$]+(?:, [\p{L}\p{N}_$]+)+$/u;

/**
 * Returns the keys that a piece of source code is about: the last part of its title, unless that is one small word, which texts use as any other; as aliases
 * further names that it declares and the file that it stands in. What it begins with names nothing.
 */
export function aboutKeysOfCode(title: string): AboutKey[] {
  const parts = title.split(PATH_SEPARATOR);
  const name = parts.at(-1)!.replace(SPELLED_OUT, '$1');
  if (parts.length === 1) return withKey({ key: nameKey(name), alias: false });
  const names = SEVERAL.test(name) ? name.split(', ') : [name];
  const own = names.filter((one) => !ANY_WORD.test(one) && !isStopWord(nameKey(one)));
  return [
    ...own.flatMap((one, i) => withKey({ key: nameKey(one), alias: i > 0 })),
    ...withKey({ key: nameKey(parts[0]!), alias: true }),
  ];
}

function withKey(key: AboutKey): AboutKey[] {
  return key.key === '' ? [] : [key];
}

/** Words that a text has at least where the absence of its title says something. */
const FOREIGN_FROM = 30;
/** How a text opens that says what something is: with the name itself, no sign of a list before it, and a verb in its first sentence. */
const DEFINES = /^["“'‘«]?\p{L}.*\s(?:is|was|are|were)\s/su;

/**
 * Returns true where a title is a name that a text has nothing of, though it is long enough to, and the text, which opens with
 * another name, says what that is: "Ada Lovelace" over "Grace Hopper was …" is a mistake of whoever put the title there.
 */
function isForeign(
  title: string,
  { text, opening, isFileName }: { text: string; opening: string; isFileName: boolean },
): boolean {
  if (!DEFINES.test(opening)) return false;
  const named = tokenize(bareTitle(title)).filter((token) => !isStopWord(token.norm));
  if (!isFileName && (named.length === 0 || !named.every(hasCapitalLetter))) return false;
  // Nearly every title is in its text as it is written, which spares the words of that.
  if (named.some((token) => holdsWord(text, token.text))) return false;
  const words = wordsOf(text);
  if (words.length < FOREIGN_FROM) return false;
  const stems = new Set(words.map((word) => word.stem));
  return !wordsOf(title).some((word) => !word.stop && stems.has(word.stem));
}

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!IN_WORD.test(text[at - 1] ?? ' ') && !IN_WORD.test(text[at + word.length] ?? ' ')) return true;
  }
  return false;
}

/** What may go on a word: a letter, a digit, half of a character, or a sign that joins. */
const IN_WORD = /[\p{L}\p{N}\p{M}\p{Cs}'’&.+#]/u;

/** Returns true where a passage is about another name than its title, as `aboutKeys` decided. */
export function isUnderForeignTitle(title: string, about: readonly AboutKey[]): boolean {
  const [first] = about;
  const name = specificParts(title).at(-1);
  return name !== undefined && first !== undefined && !first.alias && first.key !== titleKey(name);
}

/**
 * Returns true for one or two letters that are no abbreviation ("Ii" of "Ii, Finland"): folded to small letters they would
 * also be a numeral, an abbreviation or a function word of some language.
 */
function isShortWord(name: string): boolean {
  return /^\p{L}{1,2}$/u.test(name.trim()) && name !== name.toUpperCase();
}

/** Returns a title without its trailing parenthesis: "Paris (Texas)" is about "Paris". */
export function bareTitle(title: string): string {
  const bare = title.replace(/\s*\([^()]*\)\s*$/u, '').trim();
  return bare === '' ? title.trim() : bare;
}

function titleKey(part: string): string {
  return nameKey(bareTitle(part));
}

/** Returns the parts of a heading path that name a subject; where all are generic, the first. Numbers in front ("2.1 ") are left out. */
function specificParts(title: string): string[] {
  const parts = title
    .split(PATH_SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length < 2) return parts;
  const bare = parts.map((part) => part.replace(/^(?:\d+\.)+\d*\s+(?=\p{L})/u, ''));
  const specific = bare.filter((part) => !GENERIC.has(part.toLowerCase()));
  return specific.length > 0 ? specific : bare.slice(0, 1);
}

function firstSentence(text: string): string {
  const head = text.slice(0, 1000);
  const span = splitSentences(head)[0];
  return span === undefined ? '' : head.slice(...span);
}

/** Words that refer back instead of naming something. */
const POINTING = new Set(
  'this that these those it he she they we you i there here his her its their our my'.split(' '),
);
const VERBS = new Set(['is', 'was', 'are', 'were']);

/** The number of a clause: "2.1 There are …". */
const CLAUSE = /^\s*\d{1,3}(?:\.\d{1,3}){1,4}\.?\s/u;

/** Returns the tokens before "(", ",", "is", "was", "are" or "were" that a text's first sentence opens with, where these are 2 to 8. */
function leadingName(sentence: string, text: string): Token[] | undefined {
  // A clause is about what its section is.
  if (CLAUSE.test(sentence)) return undefined;
  const mark = sentence.search(/[(,]/u);
  const tokens = tokenize(mark === -1 ? sentence : sentence.slice(0, mark));
  const verb = tokens.findIndex((token) => VERBS.has(token.norm));
  if (mark === -1 && verb === -1) return undefined;
  const name = verb === -1 ? tokens : tokens.slice(0, verb);
  const first = name[0]?.norm ?? '';
  if (POINTING.has(first)) return undefined;
  // "In 1990, …" names nothing; "In Rainbows is …" does.
  if (verb === -1 && sentence[mark] === ',' && isStopWord(first) && !ARTICLES.has(first)) return undefined;
  if (verb === -1 && sentence[mark] === ',' && opensPhrase(name, text)) return undefined;
  if (verb === -1 && isSmall(name, text)) return undefined;
  const last = name.at(-1);
  const marked = last !== undefined && /[:;{]/u.test(sentence.slice(0, last.start));
  if (marked && !DEFINES.test(sentence) && !isTitleWithColon(sentence)) return undefined;
  return name.length >= 2 && name.length <= MAX_KEY_TOKENS ? name : undefined;
}

/**
 * Returns true for words in front of a comma that name nothing in the language of the text, as "En cas de vol, …": they begin
 * with a function word of it, which is no article and has no capital behind it, as in a name ("Van Gogh, …", "Über Bord, …").
 */
function opensPhrase([first, second]: readonly Token[], text: string): boolean {
  if (first === undefined || second === undefined || ARTICLES.has(first.norm)) return false;
  return isStopWord(first.norm, languageOf(text)) && !hasCapitalLetter(second);
}

/**
 * Returns true for words in front of a mark that name nothing in a language whose verbs are not known here and which writes nouns small: they have no
 * capital but the first ("Il canone mensile è di 720,00 €"), or a preposition in front ("Tra la signora Ada Rossi (…)").
 */
function isSmall(name: readonly Token[], text: string): boolean {
  const language = languageOf(text);
  if (!writesNounsSmall(language)) return false;
  return !name.slice(1).some(hasCapitalLetter) || opensPhrase(name, text);
}

/** "Star Wars: Andor, created", "Mission: Impossible (film), directed": a name before the colon, one behind it, and no list of them. */
const WITH_COLON =
  /^(?:\p{Lu}[\p{L}\p{N}'’-]*\s){0,5}\p{Lu}[\p{L}\p{N}'’-]*:\s\p{Lu}[\p{L}\p{N}'’-]*(?:\s\p{Lu}[\p{L}\p{N}'’-]*){0,4}(?:\s?\([^()]*\)|(?=,))(?!,\s(?:(?:and|und|et|y|e|i)\s)?\p{Lu})/u;

/** Returns true for a title with a colon in front of what is said of it: "Present: Ada, Tom" is a list, "Alien: Covenant (2017)" a name. */
function isTitleWithColon(sentence: string): boolean {
  return WITH_COLON.test(sentence);
}

/** Returns true for a leading name that is written as a name. */
function isProper(name: readonly Token[]): boolean {
  const content = name.filter((token) => !isStopWord(token.norm));
  const capitals = content.filter(isCapitalised).length;
  return capitals >= 1 && capitals * 2 >= content.length && (isCapitalised(content.at(-1)!) || capitals >= 2);
}

function shorterForms(name: readonly Token[]): string[] {
  const forms: string[] = [];
  let start = 0;
  while (start < name.length - 1 && (ARTICLES.has(name[start]!.norm) || HONORIFICS.has(name[start]!.norm))) start += 1;
  const bare = name.slice(start);
  if (start > 0) forms.push(keyOf(bare));
  if (bare.length < 3 || bare.length > 5 || !bare.every(hasCapitalLetter)) return forms;
  forms.push(keyOf([bare[0]!, bare.at(-1)!]), keyOf(bare, 0, 2), keyOf(bare, bare.length - 2));
  return forms;
}

const OTHER_NAME =
  /(?:known (?:\w+ )?as|born(?: as)?|née|nee|stage name(?: of)?|nicknamed|alias|called|pen name(?: of)?)\s+["“'‘]?((?:\p{Lu}[\p{L}\p{M}.'’-]*\s?){1,5})/gu;

function otherNames(sentence: string): string[] {
  return [...sentence.matchAll(OTHER_NAME)].map((found) => nameKey(found[1]!)).filter((key) => !isStopWord(key));
}
