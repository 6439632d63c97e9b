import type { TextTerm } from '../../backends/text/port.js';
import { languageOf } from '../../core/text/language.js';
import { stem } from '../../core/text/stems/stem.js';
import { type Token, tokenize } from '../../core/text/tokens.js';
import type { RetrievalParts } from '../collaborators.js';

const LETTERS = /^\p{L}{2,}$/u;
/** Letters of the words that two make, at least and at most. */
const [SHORTEST, LONGEST] = [5, 24];
/** Pairs of one question that are looked up, at most. */
const MOST = 8;

interface Pair {
  readonly first: Token;
  readonly second: Token;
}

/**
 * Returns a question with two words that stand apart in it as the documents write them, as one: "on call" as "oncall", "time table" as "timetable". One of the
 * two has to occur nowhere by itself. `terms`: what the text index knows of the question's stems.
 */
export async function joinedAsFound(
  { text }: Pick<RetrievalParts, 'text'>,
  question: string,
  { terms, domains }: { readonly terms: readonly TextTerm[]; readonly domains: readonly string[] | undefined },
): Promise<string> {
  const unknown = new Set(terms.filter(({ df }) => df === 0).map((term) => term.stem));
  if (unknown.size === 0) return question;
  const language = languageOf(question);
  const isUnknown = ({ norm }: Token): boolean => unknown.has(stem(norm, language));
  const tokens = tokenize(question);
  const pairs = tokens.slice(1).flatMap((second, i): Pair[] => {
    const first = tokens[i]!;
    const isApart =
      question.slice(first.end, second.start) === ' ' && [first, second].every((one) => LETTERS.test(one.norm));
    const { length } = joined({ first, second });
    const mayBeOne = isApart && length >= SHORTEST && length <= LONGEST;
    return mayBeOne && (isUnknown(first) || isUnknown(second)) ? [{ first, second }] : [];
  });
  if (pairs.length === 0) return question;
  const looked = pairs.slice(0, MOST);
  const words = looked.map(joined).join(' ');
  const { terms: found } = await text.search(words, { topK: 1, ...(domains === undefined ? {} : { domains }) });
  const known = new Set(found.filter(({ df }) => df > 0).map((term) => term.stem));
  let spelled = question;
  // From the last to the first, so that places before stay as they are; a word joins one other.
  let end = question.length;
  for (const pair of looked.reverse()) {
    if (pair.second.end > end || !isKnown(joined(pair), { known, language })) continue;
    spelled = `${spelled.slice(0, pair.first.start)}${joined(pair)}${spelled.slice(pair.second.end)}`;
    end = pair.first.start;
  }
  return spelled;
}

function joined({ first, second }: Pair): string {
  return `${first.norm}${second.norm}`;
}

/** Words alone may be read as of another language than the question. */
function isKnown(word: string, { known, language }: { known: ReadonlySet<string>; language: string }): boolean {
  return [language, 'english'].some((one) => known.has(stem(word, one)));
}
