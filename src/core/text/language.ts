import { contentHash } from '../ids.js';
import { fold } from './fold.js';
import { stopWords } from './stop-words.js';
import { type Word, wordsOf } from './words.js';

/** Characters that are read: the first sentences tell. */
const READ = 1200;
/** Function words of one language alone that it takes to leave English; a word that n languages share counts 1/n. */
const LEAST = 1.5;
/** Share of the words that they must be. */
const SHARE = 0.15;
/** What a question needs, which is short: two words, of this weight together, and so much more than speaks for English. */
const LEAST_ASKED = 0.8;
/** What a statement needs with little English in it: function words of this weight together and in this share, and so many times what speaks for English. */
const LEAST_ALONE = 1;
const SHARE_ALONE = 0.2;
const TIMES_ENGLISH = 3;
const ABOVE_ENGLISH = 0.4;
const ENGLISH = 'english';

/**
 * Words that ask in these languages and in no other one, as they are written and without their accents where that leaves
 * no word of another language: one of them at the beginning of a question tells its language. Of several languages the
 * one that more of the question speaks for, else the first.
 */
const INTERROGATIVES: ReadonlyArray<readonly [languages: readonly string[], words: string]> = [
  [
    ['german'],
    'wo woher wohin wer wen wem wessen wann warum wieso weshalb wieviel womit wofür wozu woran worauf worüber',
  ],
  [['german'], 'wovon welche welcher welches welchen welchem'],
  [['french'], "quel quelle quels quelles qui qu' où d'où quand pourquoi combien lequel laquelle lesquels lesquelles"],
  [['spanish'], 'qué quién quiénes quien quienes cuál cuáles cual cuales cuándo cuando dónde donde adónde cómo'],
  [['spanish'], 'cuánto cuánta cuántos cuántas cuanto cuanta cuantos cuantas'],
  [['italian'], "chi che cosa dove perché perchè quale quali quanti quante è cos' dov' com'"],
  [['portuguese'], 'quem qual quais onde aonde quantos quantas'],
  [['dutch'], 'waar waarom waarin waarmee welk welke wanneer hoe hoeveel wiens'],
  [['german', 'dutch'], 'wie'],
  [['italian', 'portuguese'], 'quando quanto quanta'],
  [['portuguese', 'spanish'], 'como'],
  [['spanish', 'portuguese', 'french'], 'que'],
];
/** The same of two words: they tell more than the first alone. */
const ASKING_PAIRS: ReadonlyArray<readonly [languages: readonly string[], words: string]> = [
  [['portuguese'], 'o que'],
  [['portuguese', 'spanish'], 'que horas'],
];
/** Letters, and words of one letter, that one language writes, or two do: in a question one of them weighs as much as a function word. A capital begins a name ("São Paulo"). */
const LETTERS: ReadonlyArray<readonly [languages: readonly string[], written: RegExp]> = [
  [['portuguese'], /(?<![\p{L}\p{M}])(?!(?:são|não)(?!\p{L}))\p{Ll}*[ãõ]/u],
  [['spanish'], /(?<![\p{L}\p{M}])\p{Ll}*ñ/u],
  [['italian'], /(?<![\p{L}\p{M}])[èÈ](?![\p{L}\p{M}'’])/u],
  [['portuguese', 'italian'], /(?<![\p{L}\p{M}])[éÉ](?![\p{L}\p{M}'’])/u],
];
/**
 * Verbs of one language alone that stand in short questions without another word of it, among the first two words and small:
 * "Was kostet 1.250 Euro?". Without them "was" is as often English.
 */
const ASKED_VERBS: ReadonlyArray<readonly [language: string, words: string]> = [
  ['german', 'kostet heißt bedeutet passiert geschieht wiegt'],
  ['french', 'coûte coûtent coute coutent'],
  ['spanish', 'cuesta cuestan puedo pueden tienen tenéis quedan aceptan venden'],
  ['italian', 'costano'],
  ['portuguese', 'custa custam'],
];
/** The same behind one word alone. */
const ASKED_PAIRS: ReadonlyArray<readonly [language: string, words: string]> = [
  ['italian', 'quanto costa'],
  ['dutch', 'wat kost'],
  ['dutch', 'wat kosten'],
  ['german', 'was kosten'],
];
/** Questions of English whose first words are as often German: "Was war declared?", "Was man made for this?". */
const WAS = /^\s*was (?:war|man|die) (?:\p{Ll}{2,20}ed|born|cast|fought|lost|made|meant|over|won)(?!\p{L})/iu;
/** Words of a question at most: the first word of a longer text tells less. */
const LONGEST_ASKED = 40;
/** What a capital may follow: nouns of German begin with one, and whatever follows a verb ("dov'è"). */
const BEFORE_CAPITALS = /^(?:welch|wessen)|'/u;
/** The beginning of a text by words, as they are written. */
const WRITTEN = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)?/gu;

let verbs: Map<string, string> | undefined;
let interrogatives: Map<string, readonly string[]> | undefined;

/** Languages found last, by a hash of what tells them: a passage that is ingested is asked for again and again. */
const known = new Map<string, string>();
const MOST_REMEMBERED = 4096;
/** A shorter text is read faster than it is remembered. */
const LEAST_REMEMBERED = 300;

/**
 * Returns the language of a text by its function words, as `stem` and `stopWords` name it; English where they do not
 * tell, as in a list of names. The same text always gives the same answer.
 */
export function languageOf(text: string): string {
  const beginning = text.slice(0, READ);
  const isQuestion = asks(text);
  const key = `${isQuestion ? '?' : ' '}${beginning}`;
  return remembered(key, () => languageBy(wordsOf(beginning), { text, isQuestion }));
}

/** Returns the language of a passage: that of its text or, where this does not tell, of its title and its text together. */
export function languageOfPassage({ title, text }: { readonly title: string; readonly text: string }): string {
  if (title === '') return languageOf(text);
  const both = `${title}\n${text}`;
  if (both.length > READ) {
    const language = languageOf(text);
    return language === ENGLISH ? languageOf(both) : language;
  }
  // A line's end divides words: each of the two is read once.
  return remembered(`${title.length} ${both}`, () => {
    const words = wordsOf(text);
    const language = languageBy(words, { text, isQuestion: asks(text) });
    if (language !== ENGLISH) return language;
    return languageBy([...wordsOf(title), ...words], { text: both, isQuestion: asks(both) });
  });
}

/** Returns the language that `read` finds for a text of this key, read once for as long as it is remembered. */
function remembered(key: string, read: () => string): string {
  if (key.length < LEAST_REMEMBERED) return read();
  const hash = contentHash(key);
  const found = known.get(hash);
  if (found !== undefined) return found;
  const language = read();
  if (known.size === MOST_REMEMBERED) known.delete(known.keys().next().value!);
  known.set(hash, language);
  return language;
}

/** Returns the language of a text and its words, read as English; no words of a text of which the beginning alone was read. */
export function languageAndWords(text: string): { readonly language: string; readonly words?: readonly Word[] } {
  const words = wordsOf(text.slice(0, READ));
  const language = languageBy(words, { text, isQuestion: asks(text) });
  return text.length <= READ ? { language, words } : { language };
}

function asks(text: string): boolean {
  return /[?？]\s*$/u.test(text);
}

/** `words`: those at the beginning of the text. */
function languageBy(words: readonly Word[], { text, isQuestion }: { text: string; isQuestion: boolean }): string {
  if (isQuestion && WAS.test(text)) return ENGLISH;
  const { best, weights, counts } = evidenceIn(words, isQuestion ? text : '');
  const asked = isQuestion && words.length <= LONGEST_ASKED ? askedIn(text, weights) : undefined;
  if (asked !== undefined) return asked;
  const weight = weights.get(best) ?? 0;
  if (weight >= Math.max(LEAST, SHARE * words.length)) return best;
  const [count, english] = [counts.get(best) ?? 0, weights.get(ENGLISH) ?? 0];
  if (count < 2) return ENGLISH;
  if (isQuestion && weight >= LEAST_ASKED && weight >= english + ABOVE_ENGLISH) return best;
  const others = [...weights].filter(([language]) => language !== best).map(([, other]) => other);
  const isAlone = weight >= TIMES_ENGLISH * english && weight > Math.max(...others, 0);
  return isAlone && weight >= LEAST_ALONE && count >= SHARE_ALONE * words.length ? best : ENGLISH;
}

/** Returns the language that the asking word of a question is of; undefined where it tells none, or more speaks for English. */
function askedIn(text: string, weights: ReadonlyMap<string, number>): string | undefined {
  const language = asking(text, weights);
  if (language === undefined) return undefined;
  const weight = Math.max(1, weights.get(language) ?? 0);
  return weight >= (weights.get(ENGLISH) ?? 0) + ABOVE_ENGLISH ? language : undefined;
}

/**
 * Returns the language of the asking word: the first of the question, or the second behind a function word of the same language
 * ("In welchem Jahr", "De quel pays"). A capital right behind it makes it the beginning of a name ("Chi Omega").
 */
function asking(text: string, weights: ReadonlyMap<string, number>): string | undefined {
  if (/^\s*¿/u.test(text)) return 'spanish';
  interrogatives ??= byWord();
  const words = firstWords(text);
  const verb = verbIn(words);
  if (verb !== undefined) return verb;
  for (const at of [0, 1]) {
    const [word, next] = [words[at]?.toLowerCase().replace('’', "'") ?? '', words[at + 1] ?? ''];
    const of =
      interrogatives.get(`${word} ${next}`) ??
      interrogatives.get(word) ??
      interrogatives.get(word.replace(/'.*$/u, "'")) ??
      [];
    const named = /^\p{Lu}/u.test(next) && !BEFORE_CAPITALS.test(word);
    const fits = at === 0 ? of : of.filter((language) => stopWords(language).has(fold(words[0]!)));
    if (next === '' || named || fits.length === 0) continue;
    if (word === 'qual' && next === 'è') return 'italian';
    return fits.reduce((a, b) => ((weights.get(b) ?? 0) > (weights.get(a) ?? 0) ? b : a));
  }
  return undefined;
}

/** Returns the language of a verb among the first two words; one with a capital that is not the first is a name. */
function verbIn([first = '', second = '', third]: readonly string[]): string | undefined {
  verbs ??= new Map([
    ...ASKED_PAIRS.map(([language, words]) => [words, language] as const),
    ...ASKED_VERBS.flatMap(([language, words]) => words.split(' ').map((word) => [word, language] as const)),
  ]);
  const [one, other] = [first.toLowerCase(), second];
  const pair = verbs.get(`${one} ${other}`) ?? verbs.get(other);
  return pair ?? (third === undefined ? undefined : verbs.get(one));
}

function byWord(): Map<string, readonly string[]> {
  const single = INTERROGATIVES.flatMap(([of, words]) => words.split(' ').map((word) => [word, of] as const));
  return new Map([...single, ...ASKING_PAIRS.map(([of, words]) => [words, of] as const)]);
}

/** Returns the first words of a text as written: those that may ask, and the one behind them. */
function firstWords(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.slice(0, READ).normalize('NFC').matchAll(WRITTEN)) {
    words.push(word);
    if (words.length === 3) break;
  }
  return words;
}

/** Weighs what function words say for each language, and the letters of a question. */
function evidenceIn(words: readonly Word[], question = '') {
  const weights = new Map<string, number>();
  const counts = new Map<string, number>();
  const add = (languages: readonly string[]): void => {
    for (const language of languages) {
      weights.set(language, (weights.get(language) ?? 0) + 1 / languages.length);
      counts.set(language, (counts.get(language) ?? 0) + 1);
    }
  };
  for (const { languages } of words) if (languages !== undefined) add(languages);
  const written = question.slice(0, READ).normalize('NFC');
  for (const [languages, letters] of LETTERS) if (letters.test(written)) add(languages);
  let best = ENGLISH;
  for (const [language, weight] of weights) if (weight > (weights.get(best) ?? 0)) best = language;
  return { best, weights, counts };
}

/** Returns whether a sentence may be English: what rests on English words is read in no other language. */
export function mayBeEnglish(sentence: string): boolean {
  const { best, weights } = evidenceIn(wordsOf(sentence.slice(0, READ)));
  const other = best === ENGLISH ? 0 : (weights.get(best) ?? 0);
  return other < LEAST_ASKED || other < (weights.get(ENGLISH) ?? 0) + ABOVE_ENGLISH;
}
