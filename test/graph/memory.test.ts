import { describe } from '@jest/globals';
import { InMemoryBackend } from '../../src/backends/graph/memory.js';
import { templates } from '../contracts/graph/fixture.js';
import { ReferenceGraph } from '../contracts/graph/reference/reference-graph.js';
import { graphContract } from '../contracts/graph.contract.js';

describe('in-memory graph', () => {
  graphContract({
    worlds: 9,
    open: async () => {
      const graph = new InMemoryBackend({ templates });
      await graph.connect();
      return {
        graph,
        replica: async () => new InMemoryBackend({ templates, store: graph.store }),
        close: async () => {
          await graph.disconnect();
          await graph.store.close();
        },
      };
    },
  });
});

describe('the reference that others are compared with', () => {
  graphContract({
    worlds: 9,
    open: async () => {
      const graph = new ReferenceGraph({ templates });
      await graph.connect();
      return { graph, replica: null, close: () => graph.disconnect() };
    },
  });
});
