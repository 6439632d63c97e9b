/** Returns the least number of insertions, deletions and replacements of one character (Levenshtein 1966). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

/** Returns how many such changes make a slip of a name of so many characters: at least two, a third of a longer one, never all. */
export function mostChanges(length: number): number {
  return Math.min(Math.max(2, Math.floor(length / 3)), length - 1);
}

/** Returns the name that a misspelt one most likely stands for. */
export function nearest(wrong: string, known: readonly string[]): string | undefined {
  const most = mostChanges(wrong.length);
  const distances = known.map((name) => ({ name, distance: editDistance(wrong.toLowerCase(), name.toLowerCase()) }));
  return distances.sort((a, b) => a.distance - b.distance).find(({ distance }) => distance <= most)?.name;
}

/** Members of an object that are looked at for slips. */
export const MOST_LOOKED_AT = 50;
/** Characters of a name: a longer one is no slip. */
export const LONGEST_SLIP = 40;

/**
 * Returns the members of an object that are none of `known`, nor of what is taken `besides`, and a few letters from a known one which the object
 * lacks, each with that one. Pure.
 */
export function slipsIn(
  value: object,
  known: readonly string[],
  besides: readonly string[] = [],
): Array<{ readonly name: string; readonly meant: string }> {
  const left = known.filter((name) => !Object.hasOwn(value, name));
  return Object.keys(value)
    .filter((name) => name.length <= LONGEST_SLIP && !known.includes(name) && !besides.includes(name))
    .slice(0, MOST_LOOKED_AT)
    .flatMap((name) => {
      const meant = nearest(name, left);
      return meant === undefined ? [] : [{ name, meant }];
    });
}
