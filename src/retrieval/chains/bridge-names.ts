import type { PassageRecord } from '../../backends/graph/port.js';
import { PATH_SEPARATOR } from '../../core/text/about.js';
import { CALENDAR, CONNECTORS } from '../../core/text/connectors.js';
import { hasCapitalLetter, keyOf } from '../../core/text/keys.js';
import { stem } from '../../core/text/stems/stem.js';
import { isStopWord } from '../../core/text/stop-words.js';
import { type Token, tokenize } from '../../core/text/tokens.js';

/** A name in a passage that other passages may hold too. */
export interface BridgeName {
  readonly key: string;
  readonly name: string;
  /** Distinct stems of its words. */
  readonly stems: readonly string[];
  /** Sentence that holds it; −1 for the passage's own name. */
  readonly sentence: number;
  /** Token offset in the sentence, and length in tokens. */
  readonly token: number;
  readonly length: number;
}

/**
 * Returns the names in a passage that may lead to another one: its mentions, the names inside long ones ("Eastern Region of
 * Uganda" holds "Uganda"), and its own name without a trailing parenthesis. Dates, numbers and stop words are no names.
 */
export function bridgeNames({ mentions, about, title }: PassageRecord): BridgeName[] {
  const names: BridgeName[] = [];
  const add = (
    name: string,
    tokens: readonly Token[],
    place: { key?: string; sentence: number; token: number },
  ): void => {
    const stems = [...new Set(tokens.flatMap(({ norm }) => (isStopWord(norm) ? [] : [stem(norm)])))];
    if (stems.length > 0) names.push({ key: keyOf(tokens), name, stems, ...place, length: tokens.length });
  };
  for (const { key, name, sentence, token } of mentions) {
    const tokens = tokenize(name);
    if (!tokens.some(tells)) continue;
    add(name, tokens, { key, sentence, token });
    for (const [from, to] of inside(tokens)) {
      const part = name.slice(tokens[from]!.start, tokens[to - 1]!.end);
      add(part, tokens.slice(from, to), { sentence, token: token + from });
    }
  }
  if (title !== '' && about.some((own) => !own.alias)) {
    const own = title
      .split(PATH_SEPARATOR)
      .at(-1)!
      .replace(/\s*\([^()]*\)$/u, '');
    add(own, tokenize(own), { sentence: -1, token: 0 });
  }
  return names;
}

/** Returns true for a word that is more than a number, a date, an initial or a stop word. */
function tells({ norm }: Token): boolean {
  return norm.length > 1 && !isStopWord(norm) && !CALENDAR.has(norm) && !/^[\p{N}.,]+$/u.test(norm);
}

/** Returns the spans [from, to) between the small words of a name that are written as names themselves. */
function inside(tokens: readonly Token[]): Array<[number, number]> {
  const spans: Array<[number, number]> = [];
  let from = 0;
  for (let at = 0; at <= tokens.length; at += 1) {
    const token = tokens[at];
    if (token !== undefined && !CONNECTORS.has(token.norm) && !isStopWord(token.norm)) continue;
    const part = tokens.slice(from, at);
    if (part.length < tokens.length && part.some(tells) && hasCapitalLetter(part[0]!)) spans.push([from, at]);
    from = at + 1;
  }
  return spans;
}
