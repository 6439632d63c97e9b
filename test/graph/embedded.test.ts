import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { EmbeddedBackend } from '../../src/backends/graph/embedded.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { templates } from '../contracts/graph/fixture.js';
import { graphContract } from '../contracts/graph.contract.js';

describe('embedded graph in memory', () => {
  graphContract({
    worlds: 25,
    open: async () => {
      const store = await openSqlite(':memory:');
      const graph = new EmbeddedBackend(store, { templates });
      await graph.connect();
      return { graph, replica: async () => new EmbeddedBackend(store, { templates }), close: () => store.close() };
    },
  });
});

describe('embedded graph in a file', () => {
  graphContract({
    worlds: 6,
    open: async () => {
      const directory = await mkdtemp(join(tmpdir(), 'graph-'));
      const file = join(directory, 'store.db');
      const store = await openSqlite(file);
      const others: Array<Awaited<ReturnType<typeof openSqlite>>> = [];
      const graph = new EmbeddedBackend(store, { templates });
      await graph.connect();
      return {
        graph,
        replica: async () => {
          const other = await openSqlite(file);
          others.push(other);
          return new EmbeddedBackend(other, { templates });
        },
        close: async () => {
          for (const opened of [store, ...others]) await opened.close();
          await rm(directory, { recursive: true, force: true });
        },
      };
    },
  });
});
