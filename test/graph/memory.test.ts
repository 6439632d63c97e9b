import { describe } from '@jest/globals';
import { MemoryGraph } from '../../src/backends/graph/memory.js';
import { templates } from '../contracts/graph/fixture.js';
import { graphContract } from '../contracts/graph.contract.js';

describe('memory graph', () => {
  graphContract({
    worlds: 9,
    open: async () => {
      const graph = new MemoryGraph({ templates });
      await graph.connect();
      return { graph, replica: null, close: () => graph.disconnect() };
    },
  });
});
