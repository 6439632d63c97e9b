import { tokenize } from '../../core/text/tokens.js';
import { analyse } from '../../core/text/words.js';
import { shortened } from './output.js';

/** Characters before the first word that is shown for its match, at most: the beginning of its sentence, where that is nearer. */
const BEFORE = 60;

/**
 * Returns the part of a text that holds most of these words, on one line of at most `limit` characters: what comes after the
 * words of a question is what answers it. A text that is short enough is returned whole.
 */
export function excerpt(text: string, terms: readonly string[], limit: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= limit) return line;
  const from = startOf(line, terms, limit);
  return from === 0 ? shortened(line, limit) : `…${shortened(line.slice(from), limit - 1)}`;
}

/** Returns where the part begins: 0 where the beginning holds as many of the words. */
function startOf(line: string, terms: readonly string[], limit: number): number {
  const wanted = new Set(terms.flatMap((term) => analyse(term)));
  const found = tokenize(line).flatMap(({ text, start, end }) => {
    const stem = analyse(text).find((one) => wanted.has(one));
    return stem === undefined ? [] : [{ stem, start, end }];
  });
  const within = (from: number): number =>
    new Set(found.flatMap(({ stem, start, end }) => (start >= from && end <= from + limit - 2 ? [stem] : []))).size;
  let best = { from: 0, held: within(0), first: 0 };
  for (const { start } of found) {
    const from = beginning(line, start);
    const held = within(from);
    if (held > best.held) best = { from, held, first: from };
    // Of places close together the last: then the most is shown of what follows the words.
    else if (best.from > 0 && held === best.held && from < best.first + limit) best = { ...best, from };
  }
  return best.from;
}

/** What ends a sentence, or comes before a list's next entry. */
const ENDS = /[.!?:] |[。！？：] ?| [-*•] /gu;

/** Returns where the sentence of a place begins, or a word shortly before it where the sentence is long. */
function beginning(line: string, at: number): number {
  const least = Math.max(0, at - BEFORE);
  const before = line.slice(least, at);
  const end = [...before.matchAll(ENDS)].at(-1);
  if (end !== undefined) return least + end.index + end[0].length;
  return least === 0 ? 0 : least + before.indexOf(' ') + 1;
}
