/** Ends that edges of sources wait for. */
export class Waiting<S> {
  private readonly missing = new Map<S, Map<string, number>>();

  /** Notes an edge of a source by its ends as given; null for an end that exists. */
  add(source: S, from: string | null, to: string | null): void {
    let ends = this.missing.get(source);
    if (ends === undefined) {
      ends = new Map();
      this.missing.set(source, ends);
    }
    if (from !== null) ends.set(from, (ends.get(from) ?? 0) + 1);
    if (to !== null && to !== from) ends.set(to, (ends.get(to) ?? 0) + 1);
  }

  /** By source, ends in the order in which they were noted; sources without such an edge are left out. */
  warnings(): Map<S, string[]> {
    return new Map([...this.missing].map(([source, ends]) => [source, waitingWarnings(ends)]));
  }
}

/** One sentence for each thing that edges wait for, at most twenty. */
export function waitingWarnings(missing: ReadonlyMap<string, number>): string[] {
  const sentences = [...missing].slice(0, MAX_WARNINGS).map(([end, count]) => {
    const edges = count === 1 ? '1 edge is' : `${count} edges are`;
    return `${edges} waiting for "${end}", which does not exist in the domain yet.`;
  });
  const more = missing.size - sentences.length;
  return more > 0 ? [...sentences, `Edges are waiting for ${more} more names that do not exist yet.`] : sentences;
}

const MAX_WARNINGS = 20;
