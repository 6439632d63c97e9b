import type { RetrievalParts } from './collaborators.js';
import { byCosine, byGraph, byTextAndVectors, type Rank } from './score/rank.js';

/** `vec` cosine only; `graph` the whole line; `auto` the line where there is a graph, else text and vectors. */
export type ModeName = 'auto' | 'vec' | 'graph';

type Choose = (parts: RetrievalParts, domains: readonly string[] | undefined) => Promise<Rank>;

export const MODES: Readonly<Record<ModeName, Choose>> = {
  vec: async () => byCosine,
  graph: async () => byGraph,
  auto: async (parts, domains) => ((await hasGraph(parts, domains)) ? byGraph : byTextAndVectors),
};

/** Returns whether there is a graph: typed edges, or passages with the links and mentions that they bring. */
async function hasGraph(parts: RetrievalParts, domains: readonly string[] | undefined): Promise<boolean> {
  const { edges, passages } = await parts.graph.statistics(domains);
  return edges > 0 || passages > 0;
}
