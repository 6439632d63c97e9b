const MAX_WARNINGS = 20;

/** Returns one sentence for each missing endpoint of pending edges, at most twenty. */
export function pendingWarnings(missing: ReadonlyMap<string, number>): string[] {
  const sentences = [...missing].slice(0, MAX_WARNINGS).map(([endpoint, count]) => {
    const edges = count === 1 ? '1 edge is' : `${count} edges are`;
    return `${edges} waiting for "${endpoint}", which does not exist in the domain yet.`;
  });
  const more = missing.size - sentences.length;
  return more > 0 ? [...sentences, `Edges are waiting for ${more} more names that do not exist yet.`] : sentences;
}
