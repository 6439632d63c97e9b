import type { TextTerm } from '../../backends/text/port.js';
import { languageOf } from '../../core/text/language.js';
import { stem } from '../../core/text/stems/stem.js';
import { isStopWord } from '../../core/text/stop-words.js';
import { type Token, tokenize } from '../../core/text/tokens.js';
import type { RetrievalParts } from '../collaborators.js';
import { bestTexts } from './best-texts.js';

/** Shorter words are one letter from too many others; longer ones have more neighbours than an engine takes in one search. */
const WORD = /^[a-z]{6,16}$/u;
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const ENDINGS = ['s', 'es', 'ed', 'ing', 'ly', 'er', 'ers'];
/** Words of one question that are looked up, at most. */
const MOST = 3;
/** Documents that are read for how they write a word. */
const LOOKED_AT = 5;
/** A longer text is pasted rather than typed. */
const LONGEST = 400;

/**
 * Returns a question with its misspelt words as the documents write them: a word that occurs nowhere, that English does not have,
 * and that is one letter from one that occurs. Names stay as they are, since another name is another person: words with a capital
 * letter are not looked at. `terms`: what the text index knows of the question's stems.
 */
export async function wellSpelled(
  parts: Pick<RetrievalParts, 'text' | 'graph' | 'vocabulary'>,
  text: string,
  { terms, domains }: { readonly terms: readonly TextTerm[]; readonly domains: readonly string[] | undefined },
): Promise<string> {
  const unknown = new Set(terms.filter(({ df }) => df === 0).map((term) => term.stem));
  const { vocabulary } = parts;
  if (vocabulary === undefined || unknown.size === 0 || text.length > LONGEST || languageOf(text) !== 'english')
    return text;
  const words = tokenize(text).filter((token) => isTyped(token) && unknown.has(stem(token.norm)));
  let spelled = text;
  // From the last to the first, so that places before stay as they are.
  for (const { norm, start, end } of words
    .filter(({ norm }) => !isEnglish(norm, vocabulary))
    .slice(0, MOST)
    .reverse()) {
    const meant = await nearestWord(parts, norm, domains);
    if (meant !== undefined) spelled = `${spelled.slice(0, start)}${meant}${spelled.slice(end)}`;
  }
  return spelled;
}

/** Returns whether a word is written in small letters only. */
function isTyped({ norm, text }: Token): boolean {
  return text === norm && WORD.test(norm) && !isStopWord(norm);
}

/** Returns whether English has a word: `vocabulary` lacks most inflected forms. */
export function isEnglish(word: string, vocabulary: (word: string) => boolean): boolean {
  return vocabulary(word) || basesOf(word).some(vocabulary);
}

/** Returns what a word may be an inflected form of: "timers" of "timer", "tries" of "try", "stopping" of "stop". */
function basesOf(word: string): string[] {
  return ENDINGS.flatMap((ending) => {
    if (!word.endsWith(ending)) return [];
    const base = word.slice(0, -ending.length);
    return [base, `${base}e`, ...(base.endsWith('i') ? [`${base.slice(0, -1)}y`] : []), base.replace(/(.)\1$/u, '$1')];
  });
}

/** Returns the word one letter from another that most documents hold, as the best of these write it. */
async function nearestWord(
  parts: Pick<RetrievalParts, 'text' | 'graph'>,
  word: string,
  domains: readonly string[] | undefined,
): Promise<string | undefined> {
  const candidates = oneLetterFrom(word);
  const { texts, terms } = await bestTexts(parts, candidates.join(' '), { domains, most: LOOKED_AT });
  // Another word of the same stem is none that they hold: "fertiler" of "fertilizer".
  const written = new Set(texts.flatMap((one) => tokenize(one).map(({ norm }) => norm)));
  const frequency = new Map(terms.map((term) => [term.stem, term.df]));
  const found = candidates
    .filter((candidate) => written.has(candidate))
    .map((candidate) => ({ word: candidate, df: frequency.get(stem(candidate)) ?? 0 }));
  return found.sort((a, b) => b.df - a.df)[0]?.word;
}

/**
 * Returns what one letter left out, added, exchanged with the next or replaced makes of a word; the first letter stays: hardly
 * anybody mistypes it. Pure.
 */
export function oneLetterFrom(word: string): string[] {
  const found = new Set<string>();
  for (let i = 1; i < word.length; i += 1) {
    const [before, after] = [word.slice(0, i), word.slice(i + 1)];
    if (i + 1 < word.length) found.add(`${before}${word[i + 1]}${word[i]}${word.slice(i + 2)}`);
    found.add(`${before}${after}`);
  }
  for (let i = 1; i <= word.length; i += 1)
    for (const letter of LETTERS) found.add(`${word.slice(0, i)}${letter}${word.slice(i)}`);
  for (let i = 1; i < word.length; i += 1)
    for (const letter of LETTERS) found.add(`${word.slice(0, i)}${letter}${word.slice(i + 1)}`);
  found.delete(word);
  return [...found];
}
