/** Words between two things that a question asks about. White space is read from its start only: it may be long. */
const BETWEEN = /[,;]?(?<!\s)\s+(?:before|after|while|until|since|and|or|when|but)\s+/giu;
/** Content words that each part holds at least. */
const LEAST = 2;
/** Parts of a question; each is searched for by itself, so that a long text is not divided further. */
const MOST = 6;

/** A part of the question: UTF-16 offsets. */
export interface Clause {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the parts of a question that asks about several things ("Did Ada call before Ben moved?"), in order; none where
 * it asks about one. Each part holds two content words or more, what is shorter belongs to the part before it,
 * and what is beyond the sixth to the sixth.
 * `words`: the content words that count. English words divide.
 */
export function clausesOf(text: string, words: ReadonlyArray<{ readonly start: number }>): Clause[] {
  const clauses: Clause[] = [];
  const held = (start: number, end: number) => words.filter((word) => word.start >= start && word.start < end).length;
  let start = 0;
  for (const found of text.matchAll(BETWEEN)) {
    if (clauses.length === MOST - 1) break;
    if (held(start, found.index) < LEAST || held(found.index, text.length) < LEAST) continue;
    clauses.push({ start, end: found.index });
    start = found.index + found[0].length;
  }
  return clauses.length === 0 ? [] : [...clauses, { start, end: text.length }];
}
