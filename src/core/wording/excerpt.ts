import { tokenize } from '../text/tokens.js';
import { analyse } from '../text/words.js';

/** Characters before the first word that is shown for its match, at most: the beginning of its sentence, where that is nearer. */
const BEFORE = 60;

/** Characters that are shown after a word for it to count, where the text has them. */
const AFTER = 60;

/** What a word is worth that stands at one place; at each of several places it is worth an equal share of that. */
const WORTH = 1000;

/**
 * Returns where the part of a text begins that holds most of these words in at most `limit` characters: what comes after the words of a
 * question is what answers it. A word counts more the fewer places the text has it at: another place shows a repeated one. 0 where the beginning
 * holds as much.
 */
export function excerptStart(text: string, terms: readonly string[], limit: number): number {
  const wanted = new Set(terms.flatMap((term) => analyse(term)));
  if (wanted.size === 0) return 0;
  const found = tokenize(text).flatMap(({ text: word, start, end }) => {
    const stem = analyse(word).find((one) => wanted.has(one));
    return stem === undefined ? [] : [{ stem, start, end }];
  });
  const places = new Map<string, number>();
  for (const { stem } of found) count(places, stem, 1);
  const shown = limit - 2;
  const after = Math.min(AFTER, Math.floor(limit / 4));
  // Both ends of the part only move forward, so that each word enters and leaves it once.
  const held = new Map<string, number>();
  let [first, next, worth] = [0, 0, 0];
  const worthOf = (stem: string): number => Math.ceil(WORTH / places.get(stem)!);
  const within = (from: number): number => {
    const end = from + shown < text.length ? from + shown - after : text.length;
    for (; next < found.length && found[next]!.end <= end; next += 1)
      if (count(held, found[next]!.stem, 1) === 1) worth += worthOf(found[next]!.stem);
    for (; first < next && found[first]!.start < from; first += 1)
      if (count(held, found[first]!.stem, -1) === 0) worth -= worthOf(found[first]!.stem);
    return worth;
  };
  let best = { from: 0, held: within(0), first: 0 };
  for (const { start } of found) {
    const from = beginning(text, start);
    const now = within(from);
    if (now > best.held) best = { from, held: now, first: from };
    // Of places close together the last: then the most is shown of what follows the words.
    else if (best.from > 0 && now === best.held && from < best.first + limit) best = { ...best, from };
  }
  return best.from;
}

/** Returns how many there are then. */
function count(held: Map<string, number>, stem: string, by: number): number {
  const left = (held.get(stem) ?? 0) + by;
  held.set(stem, left);
  return left;
}

/** What ends a sentence, or comes before a list's next entry. */
const ENDS = /[.!?:]\s|[。！？：]\s?|\s[-*•] /gu;

/** Returns where the sentence of a place begins, or a word shortly before it where the sentence is long. */
function beginning(text: string, at: number): number {
  const least = Math.max(0, at - BEFORE);
  const before = text.slice(least, at);
  const end = [...before.matchAll(ENDS)].at(-1);
  if (end !== undefined) return least + end.index + end[0].length;
  return least === 0 ? 0 : least + before.search(/\s/u) + 1;
}
