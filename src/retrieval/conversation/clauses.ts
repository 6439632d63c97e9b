/** Words between two things that a question asks about. */
const BETWEEN = /[,;]?\s+(?:before|after|while|until|since|and|or|when|but)\s+/giu;
/** Content words that each part holds at least. */
const LEAST = 2;

/** A part of the question: UTF-16 offsets. */
export interface Clause {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the parts of a question that asks about several things ("Did Ada call before Ben moved?"), in order; none where
 * it asks about one. Each part holds two content words or more, what is shorter belongs to the part before it.
 * `words`: the content words that count. English words divide.
 */
export function clausesOf(text: string, words: ReadonlyArray<{ readonly start: number }>): Clause[] {
  const clauses: Clause[] = [];
  const held = (start: number, end: number) => words.filter((word) => word.start >= start && word.start < end).length;
  let start = 0;
  for (const found of text.matchAll(BETWEEN)) {
    if (held(start, found.index) < LEAST || held(found.index, text.length) < LEAST) continue;
    clauses.push({ start, end: found.index });
    start = found.index + found[0].length;
  }
  return clauses.length === 0 ? [] : [...clauses, { start, end: text.length }];
}
