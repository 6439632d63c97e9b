/** A question about conversations, with the turns that answer it and those that a careless search would give instead. */
export interface PlacedQuestion {
  readonly kind: string;
  readonly question: string;
  /** Message ids `conversation turn`; none where nobody said it. */
  readonly right: readonly string[];
  readonly wrong: readonly string[];
}

/** Reads questions below the conversations of a file, a line each: `kind | question => session:turn … ! session:turn …`. */
export function placedQuestions(text: string, name: string): PlacedQuestion[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [, kind = '', question = '', right = '', wrong = ''] =
      /^(\w+) \| (.+?) =>\s*([^!]*?)\s*(?:!(.*))?$/u.exec(line) ?? [];
    const ids = (places: string) =>
      places.split(/\s+/u).flatMap((place) => {
        const [session, turn] = place.split(':').map(Number);
        return place === '' ? [] : [`${name} ${session} ${turn! - 1}`];
      });
    return { kind, question, right: ids(right), wrong: ids(wrong) };
  });
}
