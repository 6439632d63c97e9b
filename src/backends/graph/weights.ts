/** Weights of the PageRank graph (design page on retrieval, "Building the graph", points 5 and 6). */

/** Weight of a link per unit of lw = 1 / number of nodes about its key. */
export const LINK_WEIGHT = 3;

/** Entities with fewer passages connect nothing. */
export const MIN_DOCUMENT_FREQUENCY = 2;

/** Returns ln(1 + N/documentFrequency) / ln(1 + N): how selective an entity is among N passages; 0 below two. */
export function entityWeight(documentFrequency: number, passages: number): number {
  if (documentFrequency < MIN_DOCUMENT_FREQUENCY || passages < 1) return 0;
  return Math.log1p(passages / documentFrequency) / Math.log1p(passages);
}

/** Returns 1 + ln tf, twice that where the passage is about it; one that is about it without a mention counts tf 1. */
export function mentionWeight(tf: number, title: boolean): number {
  return (title ? 2 : 1) * (1 + Math.log(Math.max(1, tf)));
}

/** Document frequencies between which an entity's passages are listed. */
export const SHARED_MIN = 2;
export const SHARED_MAX = 15;

/** What `PprOptions` are unless set otherwise. */
export const PPR_DEFAULTS = { damping: 0.5, epsilon: 1e-5, tolerance: 1e-10, maxIterations: 200, limit: 200 } as const;

/** Largest number of links, or typed edges, of one node that `expand` returns, unless set otherwise. */
export const DEFAULT_LINK_LIMIT = 50;
