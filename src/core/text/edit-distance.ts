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
