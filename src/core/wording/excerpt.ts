import { tokenize } from '../text/tokens.js';
import { analyse } from '../text/words.js';

/** Characters before the first word that is shown for its match, at most: the beginning of its sentence, where that is nearer. */
const BEFORE = 60;

/** Characters that are shown after a word for it to count, where the text has them. */
const AFTER = 60;

/** What a word is worth that stands at one place; at each of several places it is worth an equal share of that. */
const WORTH = 1000;

/** Of words that stand equally often, the first is worth so much more than the last. */
const RAREST = 0.5;

/** Characters back from a word in which the entry of a list or the row of a table may begin that holds it. */
const ENTRY = 200;

/** Numbers with signs between: a date or a code, which is one thing. */
const JOINED = /^[-./:]$/u;

/**
 * Returns where the part of a text begins that holds most of these words, rarest first, in at most `limit` characters: what comes after the words of a
 * question is what answers it. A word counts more the fewer places the text has it at: another place shows a repeated one. Of a date or a code
 * that the text holds, the numbers alone do not count. 0 where the beginning holds as much.
 */
export function excerptStart(text: string, terms: readonly string[], limit: number): number {
  const wanted = new Set(terms.flatMap((term) => analyse(term)));
  if (wanted.size === 0) return 0;
  const found = wholeNumbers(text, wanted);
  const places = new Map<string, number>();
  for (const { stem } of found) count(places, stem, 1);
  const shown = limit - 2;
  const after = Math.min(AFTER, Math.floor(limit / 4));
  // Both ends of the part only move forward, so that each word enters and leaves it once.
  const held = new Map<string, number>();
  let [first, next, worth] = [0, 0, 0];
  const order = [...wanted];
  const worthOf = (stem: string): number => {
    const parts = stem.split(' ').length;
    const rarity = 1 + RAREST * (1 - order.indexOf(stem) / order.length);
    return Math.ceil((WORTH * (parts === 1 ? rarity : parts)) / places.get(stem)!);
  };
  const within = (from: number): number => {
    const end = from + shown < text.length ? from + shown - after : text.length;
    for (; next < found.length && found[next]!.end <= end; next += 1)
      if (count(held, found[next]!.stem, 1) === 1) worth += worthOf(found[next]!.stem);
    for (; first < next && found[first]!.start < from; first += 1)
      if (count(held, found[first]!.stem, -1) === 0) worth -= worthOf(found[first]!.stem);
    return worth;
  };
  let best = { from: 0, held: within(0), first: 0, places: next - first };
  for (const { start } of found) {
    const from = beginning(text, start, limit);
    const now = within(from);
    const places = next - first;
    if (now > best.held) best = { from, held: now, first: from, places };
    // Of places close together the last that loses none: then the most is shown of what follows the words.
    else if (best.from > 0 && now === best.held && from < best.first + limit && places >= best.places)
      best = { ...best, from, places };
  }
  return best.from;
}

interface Found {
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

/** Returns where a text holds words; the numbers of a date or a code as one, by their stems with spaces between, where it holds the whole of it. */
function wholeNumbers(text: string, wanted: ReadonlySet<string>): Found[] {
  const runs: Array<Array<Found & { readonly isWanted: boolean }>> = [];
  let last = -2;
  for (const { text: word, start, end } of tokenize(text)) {
    const stems = analyse(word);
    const stem = stems.find((one) => wanted.has(one));
    const one = { stem: stem ?? '', start, end, isWanted: stem !== undefined };
    const isJoined = start === last + 1 && JOINED.test(text[last] ?? '');
    if (isJoined) runs.at(-1)!.push(one);
    else runs.push([one]);
    last = end;
  }
  const held = (run: (typeof runs)[number]): number =>
    run.every(({ isWanted }) => isWanted) ? new Set(run.map(({ stem }) => stem)).size : 0;
  const most = runs.reduce(
    (best, run) => Math.max(best, /\p{N}/u.test(text.slice(run[0]!.start, run.at(-1)!.end)) ? held(run) : 0),
    1,
  );
  if (most === 1) return runs.flat().filter(({ isWanted }) => isWanted);
  const whole = new Set(runs.filter((run) => held(run) === most).flatMap((run) => run.map(({ stem }) => stem)));
  return runs.flatMap((run) => {
    if (held(run) === most) {
      const stem = run.map((one) => one.stem).join(' ');
      return [{ stem, start: run[0]!.start, end: run.at(-1)!.end }];
    }
    return run.filter(({ stem, isWanted }) => isWanted && !whole.has(stem));
  });
}

/** Returns how many there are then. */
function count(held: Map<string, number>, stem: string, by: number): number {
  const left = (held.get(stem) ?? 0) + by;
  held.set(stem, left);
  return left;
}

/** What ends a sentence or the row of a table, or comes before a list's next entry; not the number that a sentence begins with: "5. Pets". */
const ENDS = /(?<![.!?]\s\d{1,3})[.!?:]\s|\|\s(?=\|\s)|[。！？：]\s?|\s[-*•] /gu;

/** Where the entry of a list or the row of a table begins. */
const BEGINS = /(?:^|\s)[-*•] /gu;

/** What ends a sentence. */
const SENTENCE_ENDS = /[.!?]\s|[。！？]/u;

/** Returns where the sentence or the entry of a place begins, or a word shortly before it where the sentence is long. */
function beginning(text: string, at: number, limit: number): number {
  const from = Math.max(0, at - Math.min(ENTRY, Math.floor(limit / 2)));
  const entry = [...text.slice(from, at).matchAll(BEGINS)].at(-1);
  const opens = entry === undefined ? at : from + entry.index + entry[0].length;
  if (opens < at && !SENTENCE_ENDS.test(text.slice(opens, at))) return opens;
  const least = Math.max(0, at - BEFORE);
  const before = text.slice(least, at);
  const end = [...before.matchAll(ENDS)].at(-1);
  if (end !== undefined) return least + end.index + end[0].length;
  return least === 0 ? 0 : least + before.search(/\s/u) + 1;
}
