// The library without a server: a vector index, a graph and an embedding model of this process. (As a user of the
// package, import from 'svc'.)
import { InProcessClient, InMemoryBackend, MemoryVectors, openBuiltin, shippedTemplates } from '../../src/index.js';

const client = new InProcessClient({
  vectors: new MemoryVectors(),
  graph: new InMemoryBackend({ templates: shippedTemplates() }),
  embedding: openBuiltin('static', console.warn),
  mode: 'graph',
});

const [redis] = await client.addConcepts(
  ['Redis is an in-memory store. The shop caches product pages in it.', 'Kafka keeps the orders as a log on disk.'],
  'shop',
);

const { query_id, items } = await client.query('Where are product pages cached?', { domains: ['shop'], top_k: 1 });
console.log(items[0]?.content);
await client.feedback(query_id, { [items[0]!.id]: 'accepted' }, 'recipe');

const [node] = await client.getNodes([redis!]);
console.log(node?.name);
await client.close();
