/** Collects the missing endpoints of pending edges, by source. */
export class PendingEdges<S> {
  private readonly missing = new Map<S, Map<string, number>>();

  /** Notes an edge of a source by its endpoints as given; null for an endpoint that exists. */
  add(source: S, from: string | null, to: string | null): void {
    let endpoints = this.missing.get(source);
    if (endpoints === undefined) {
      endpoints = new Map();
      this.missing.set(source, endpoints);
    }
    if (from !== null) endpoints.set(from, (endpoints.get(from) ?? 0) + 1);
    if (to !== null && to !== from) endpoints.set(to, (endpoints.get(to) ?? 0) + 1);
  }

  /** Returns by source one warning for each endpoint, in the order in which they were noted; no empty lists. */
  warnings(): Map<S, string[]> {
    return new Map([...this.missing].map(([source, endpoints]) => [source, pendingWarnings(endpoints)]));
  }
}

/** Returns one sentence for each missing endpoint of pending edges, at most twenty. */
export function pendingWarnings(missing: ReadonlyMap<string, number>): string[] {
  const sentences = [...missing].slice(0, MAX_WARNINGS).map(([endpoint, count]) => {
    const edges = count === 1 ? '1 edge is' : `${count} edges are`;
    return `${edges} waiting for "${endpoint}", which does not exist in the domain yet.`;
  });
  const more = missing.size - sentences.length;
  return more > 0 ? [...sentences, `Edges are waiting for ${more} more names that do not exist yet.`] : sentences;
}

const MAX_WARNINGS = 20;
