import { expect, it } from '@jest/globals';
import { CONNECTIONS } from '../mcp/connections.js';
import { startWorld } from '../mcp/world.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';
import { ownCollections } from './empty-qdrant.js';

const COUNT = 1200;

describeLive('migration as a tool', liveUrl('QDRANT_URL', 'Qdrant'), (url) => {
  it.each(CONNECTIONS.filter(([name]) => ['v1 client, /mcp', 'v2 client, /mcp, stateless revision'].includes(name)))(
    'reports its progress and stops when it is cancelled, by the %s',
    async (_name, connect) => {
      const world = await startWorld({ ...ownCollections(url), SVC_TOOLS: 'all' });
      const client = await connect(world);
      const index_name = `tool-${process.pid}`;
      const vectors = Array.from({ length: COUNT }, (_, i) => [1, i, i % 7]);
      const ids = vectors.map((_, i) => `v${i}`);
      await client.call('svc_vector_upsert', { index_name, vectors, ids });
      const move = { source_type: 'hnsw', to: 'qdrant', batch_size: 50 };

      const controller = new AbortController();
      const stopped = client.call('svc_migrate_vec', move, {
        signal: controller.signal,
        onprogress: ({ progress }) => {
          if (progress >= 100) controller.abort();
        },
      });
      await expect(stopped).rejects.toThrow();

      const seen: number[] = [];
      // Until the one that was cancelled has noticed, there is one running already.
      const again = async () => {
        for (;;) {
          const answer = await client.call('svc_migrate_vec', move, {
            onprogress: ({ progress }) => seen.push(progress),
          });
          if (answer.isError !== true) return answer;
          expect(JSON.parse(answer.content[0]!.text!)).toMatchObject({ code: 'conflict' });
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      };
      const { structuredContent } = await again();
      expect(structuredContent).toMatchObject({ source_type: 'hnsw', dest_type: 'qdrant', dry_run: false });
      expect(structuredContent!.vectors_read).toBeLessThan(COUNT);
      expect(seen.length).toBeGreaterThan(3);
      expect([...seen].sort((a, b) => a - b)).toEqual(seen);
      expect(new Set(seen).size).toBe(seen.length);
      await client.close();
      await world.close();
    },
  );
});
