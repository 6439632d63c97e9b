// The library without a server: a vector index, a graph and an embedding model of this process. (As a user of the
// package, import from 'svc'.)
import { InProcessClient, InMemoryBackend, MemoryVectors, openBuiltin, shippedTemplates } from '../../src/index.js';

const client = new InProcessClient({
  vectors: new MemoryVectors(),
  graph: new InMemoryBackend({ templates: shippedTemplates() }),
  embedding: openBuiltin('static', console.warn),
  mode: 'graph',
});

await client.addConcepts(
  ['Redis is an in-memory store. The shop caches product pages in it.', 'Kafka keeps the orders as a log on disk.'],
  'shop',
);

const question = 'Where are product pages cached?';
const { query_id, items } = await client.query(question, { domains: ['shop'], top_k: 1 });
const best = items[0]!;
// The content of an item is "name: description"; of a text that was added, the name is its first sentence.
const [node] = await client.getNodes([best.node_id]);
console.log(`${question}\n${node?.description}`);
await client.feedback(query_id, { [best.id]: 'accepted' }, 'recipe');
await client.close();
