import { checkpointsContract } from './graph/checkpoints.js';
import { edgesContract } from './graph/edges.js';
import type { GraphUnderTest, With } from './graph/fixture.js';
import { nodesContract } from './graph/nodes.js';
import { pagerankContract } from './graph/pagerank.js';
import { passagesContract } from './graph/passages.js';
import { randomContract } from './graph/random.js';
import { rulesContract } from './graph/rules.js';
import { sourcesContract } from './graph/sources.js';

/**
 * What every graph promises. PageRank: restart at the seeds' weights normalised to 1; a node without arcs sends its mass
 * back to the seeds; arcs are undirected and followed in proportion to weight; scores are divided by the highest.
 * Exact scores (epsilon 0, converged) agree with the reference within 1e-6; quick ones share 95 % of the best twenty.
 */
export function graphContract({ open, worlds }: GraphUnderTest): void {
  const withGraph: With = (test) => async () => {
    const fixture = await open();
    try {
      await test(fixture);
    } finally {
      await fixture.close();
    }
  };
  nodesContract(withGraph);
  edgesContract(withGraph);
  rulesContract(withGraph);
  passagesContract(withGraph);
  sourcesContract(withGraph);
  pagerankContract(withGraph);
  checkpointsContract(withGraph);
  randomContract(open, worlds);
}
