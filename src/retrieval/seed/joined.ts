import type { TextTerm } from '../../backends/text/port.js';
import { fold } from '../../core/text/fold.js';
import { languageOf } from '../../core/text/language.js';
import { stem } from '../../core/text/stems/stem.js';
import { stopWords } from '../../core/text/stop-words.js';
import { type Token, tokenize } from '../../core/text/tokens.js';
import type { RetrievalParts } from '../collaborators.js';
import { bestTexts } from './best-texts.js';

const LETTERS = /^\p{L}{2,}$/u;
/** Letters of the words that two make, at least and at most. */
const [SHORTEST, LONGEST] = [5, 24];
/** Pairs of one question that are looked up, at most. */
const MOST = 8;
/** Documents that are read for how they write a pair. */
const LOOKED_AT = 5;

/** Small words that begin compounds. Others only stand before a word by chance: "the rapist", "Is land for sale?". */
const PARTICLES: ReadonlySet<string> = new Set(
  (
    'on off over under out up down in by back after before through ' +
    'auf aus ab bei mit nach vor zu uber unter um durch gegen hin her op uit af aan bij mee na voor toe onder door tegen'
  ).split(' '),
);

interface Pair {
  readonly first: Token;
  readonly second: Token;
}

/**
 * Returns a question with two words that stand apart in it as the documents write them, as one: "on call" as "oncall", "time table" as "timetable". One of the
 * two has to occur nowhere by itself. `terms`: what the text index knows of the question's stems.
 */
export async function joinedAsFound(
  parts: Pick<RetrievalParts, 'text' | 'graph'>,
  question: string,
  { terms, domains }: { readonly terms: readonly TextTerm[]; readonly domains: readonly string[] | undefined },
): Promise<string> {
  const unknown = new Set(terms.filter(({ df }) => df === 0).map((term) => term.stem));
  if (unknown.size === 0) return question;
  const language = languageOf(question);
  const isUnknown = ({ norm }: Token): boolean => unknown.has(stem(norm, language));
  const small = stopWords(language);
  const tokens = tokenize(question);
  const pairs = tokens.slice(1).flatMap((second, i): Pair[] => {
    const first = tokens[i]!;
    const isApart =
      question.slice(first.end, second.start) === ' ' &&
      [first, second].every((one) => LETTERS.test(one.norm)) &&
      (!small.has(fold(first.norm)) || PARTICLES.has(fold(first.norm)));
    const { length } = joined({ first, second });
    const mayBeOne = isApart && length >= SHORTEST && length <= LONGEST;
    return mayBeOne && (isUnknown(first) || isUnknown(second)) ? [{ first, second }] : [];
  });
  if (pairs.length === 0) return question;
  const looked = pairs.slice(0, MOST);
  const { texts } = await bestTexts(parts, looked.map(joined).join(' '), { domains, most: LOOKED_AT });
  const written = new Set(texts.flatMap((one) => tokenize(one).map(({ norm }) => norm)));
  let spelled = question;
  // From the last to the first, so that places before stay as they are; a word joins one other.
  let end = question.length;
  for (const pair of looked.reverse()) {
    if (pair.second.end > end || !isWritten(pair, { written, language })) continue;
    spelled = `${spelled.slice(0, pair.first.end)}${spelled.slice(pair.second.start)}`;
    end = pair.first.start;
  }
  return spelled;
}

function joined({ first, second }: Pair): string {
  return `${first.norm}${second.norm}`;
}

/** Returns whether the documents write a pair as one word, or as another form of it: "timetables". */
function isWritten(pair: Pair, { written, language }: { written: ReadonlySet<string>; language: string }): boolean {
  const word = joined(pair);
  if (written.has(word)) return true;
  const beginning = pair.first.norm + pair.second.norm.slice(0, 2);
  const term = stem(word, language);
  return [...written].some((one) => one.startsWith(beginning) && stem(one, language) === term);
}
