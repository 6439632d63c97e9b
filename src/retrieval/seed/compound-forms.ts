import { ADDRESSES } from '../../core/text/connectors.js';
import { stem } from '../../core/text/stems/stem.js';
import { isStopWord } from '../../core/text/stop-words.js';
import { isEnglish } from './misspelt.js';
import type { QuestionWord } from './question-words.js';

/** Words of a question, and what a text may write for them: one of each of these lists of folded words, in one sentence. */
export interface CompoundForm {
  readonly asked: readonly QuestionWord[];
  readonly written: ReadonlyArray<readonly string[]>;
  /** True where one has to follow the other: "a light in the house" is no lighthouse. */
  readonly adjacent: boolean;
}

/** Letters of a part of a word that is divided, at least, and of one of two words that are joined. */
const [LEAST_DIVIDED, LEAST_JOINED] = [4, 3];
/** Letters of a compound, at least and at most. */
const [SHORTEST, LONGEST] = [7, 40];
/** Words from one of two that are joined to the other, at most: "Gebühr kostet die Aufnahme". */
const NEAR = 4;
/** Pairs of one question that are joined, at most. */
const MOST_PAIRS = 30;
const LETTERS = /^\p{L}+$/u;
/** Between two words of English that may be one. */
const APART = /^[ -]$/u;

/** What may stand between the parts of a compound, by the language that is read. Others write no compounds. */
const LINKS: Readonly<Record<string, readonly string[]>> = {
  german: ['', 's', 'n', 'en', 'es', 'er', 'e'],
  dutch: ['', 's', 'n', 'en', 'er', 'e'],
  english: ['', 's'],
};
/** Endings of Swedish, Danish and Norwegian: these languages are read as English, whose stems leave them. The article of a noun, */
const ARTICLES = ['n', 'en', 't', 'et'];
/** and what the first part of a compound lacks besides: plurals, and what verbs end in. */
const OTHERS = ['r', 'er', 'ar', 'or', 'a'];

interface Reading {
  /** As `core/text/stem.ts` names it. */
  readonly language: string;
  /** Whether English has a word; undefined where nothing tells. */
  readonly vocabulary: ((word: string) => boolean) | undefined;
}

/** Returns the words of a question that may be divided: not names of people, nor names by their capital, which German nouns have too. Pure. */
export function divisible(words: readonly QuestionWord[], text: string, language: string): QuestionWord[] {
  return words.filter(({ content, start, end }, i) => {
    const before = words[i - 1];
    if (!content || (before !== undefined && ADDRESSES.has(before.norm))) return false;
    return language === 'german' || i === 0 || !/^\p{Lu}/u.test(text.slice(start, end));
  });
}

/** Returns what texts may write for one word of a question: its two parts, apart; of a word of English one behind the other. Pure. */
export function dividedForms(word: QuestionWord, reading: Reading): CompoundForm[] {
  const { norm } = word;
  const links = LINKS[reading.language];
  if (links === undefined || !LETTERS.test(norm) || norm.length < 2 * LEAST_DIVIDED || norm.length > LONGEST) return [];
  const inflected = isInflected([word], reading);
  const adjacent = reading.language === 'english' && !inflected;
  const forms: CompoundForm[] = [];
  for (let at = LEAST_DIVIDED; at <= norm.length - LEAST_DIVIDED; at += 1) {
    const firsts = links.flatMap((link) => withoutEnd(norm.slice(0, at), link));
    const second = norm.slice(at);
    const written = [
      inflected ? firsts.flatMap((one) => [one, ...inflections(one, reading)]) : firsts,
      inflected ? withAndWithoutArticle(second) : [second],
    ].map((all) => all.filter((one) => one.length >= LEAST_DIVIDED && !isStopWord(one, reading.language)));
    if (written.every((parts) => parts.length > 0)) forms.push({ asked: [word], written, adjacent });
  }
  return forms;
}

/**
 * Returns what texts may write for two words of a question that stand near each other, in either order: one word. Words of English are joined only where
 * they follow each other: "a house that is green" is no greenhouse. Pure.
 */
export function* joinedForms(
  words: readonly QuestionWord[],
  { text, ...reading }: Reading & { readonly text: string },
): Generator<CompoundForm> {
  const links = LINKS[reading.language];
  if (links === undefined) return;
  const foreign = isForeign(words, { ...reading, text });
  let pairs = 0;
  for (const [i, first] of words.entries()) {
    for (const second of words.slice(i + 1, i + 1 + NEAR)) {
      if (pairs === MOST_PAIRS) return;
      const asked = [first, second] as const;
      if (first.norm === second.norm || !asked.every(mayBePart)) continue;
      const inflected = foreign || isInflected(asked, reading);
      const isEnglishPair = reading.language === 'english' && !inflected;
      if (isEnglishPair && !(second === words[i + 1] && APART.test(text.slice(first.end, second.start)))) continue;
      const written = compoundsOf(asked, { ...reading, links: isEnglishPair ? [''] : links, inflected });
      const other = isEnglishPair ? [] : compoundsOf([second, first], { ...reading, links, inflected });
      pairs += 1;
      yield { asked, written: [[...new Set([...written, ...other])]], adjacent: false };
    }
  }
}

function mayBePart({ norm, content }: QuestionWord): boolean {
  return content && LETTERS.test(norm) && norm.length >= LEAST_JOINED;
}

/** Returns whether words that are read as English may be of a language whose nouns end in their article. */
function isInflected(words: readonly QuestionWord[], { language, vocabulary }: Reading): boolean {
  return language === 'english' && vocabulary !== undefined && !words.some(({ norm }) => isEnglish(norm, vocabulary));
}

/** Returns whether a question that is read as English is likely in another language: of its words without a capital two are none of English. */
function isForeign(
  words: readonly QuestionWord[],
  { text, vocabulary, language }: Reading & { readonly text: string },
): boolean {
  if (language !== 'english' || vocabulary === undefined) return false;
  const small = words.filter(({ norm, start, end }) => LETTERS.test(norm) && !/^\p{Lu}/u.test(text.slice(start, end)));
  return small.filter(({ norm }) => !isEnglish(norm, vocabulary)).length > 1;
}

/** Returns the words that two make in this order. A stem that leaves nearly nothing of the second is the first alone: "cancel" of "cancellate". */
function compoundsOf(
  [first, second]: readonly [QuestionWord, QuestionWord],
  { links, inflected, language }: Reading & { readonly links: readonly string[]; readonly inflected: boolean },
): string[] {
  const bare = inflected ? [...ARTICLES, ...OTHERS].flatMap((ending) => withoutEnd(first.norm, ending)) : [first.stem];
  const firsts = [first.norm, ...bare].filter(({ length }) => length >= LEAST_JOINED);
  const seconds = inflected ? withAndWithoutArticle(second.norm) : [second.norm];
  return firsts.flatMap((one) => {
    const ways = links.flatMap((link) => seconds.map((other) => `${one}${link}${other}`));
    return ways.filter(
      (word) =>
        word.length >= SHORTEST && word.length <= LONGEST && stem(word, language).length >= one.length + LEAST_JOINED,
    );
  });
}

function withoutEnd(word: string, end: string): string[] {
  return word.endsWith(end) ? [word.slice(0, word.length - end.length)] : [];
}

/** Returns a noun with its endings; what is a word of English then is another word: "light" of "lightest". */
function inflections(noun: string, { vocabulary }: Reading): string[] {
  const forms = [...ARTICLES, ...OTHERS].map((ending) => noun + ending);
  return vocabulary === undefined ? forms : forms.filter((form) => !isEnglish(form, vocabulary));
}

/** Returns a noun with and without its article, as it may stand at the end of a compound or by itself: "flicka" and "flickan", "kort" and "kortet". */
function withAndWithoutArticle(noun: string): string[] {
  const articles = /[aeiouy]$/u.test(noun) ? ['n', 't'] : /[lnr]$/u.test(noun) ? ['en', 'et', 'n'] : ['en', 'et'];
  return [
    noun,
    ...articles.map((article) => noun + article),
    ...ARTICLES.flatMap((article) => withoutEnd(noun, article)),
  ];
}
