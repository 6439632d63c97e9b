// Upserts and deletes without end and prints what was acknowledged; the parent kills it.
import { join } from 'node:path';
import { openSqlite } from '../../../src/backends/store/sqlite.js';
import { HnswVectors } from '../../../src/backends/vector/hnsw.js';

const directory = process.argv[2]!;
const first = Number(process.argv[3]);
const store = await openSqlite(join(directory, 'store.db'));
const vectors = new HnswVectors(store, {
  directory: join(directory, 'vectors'),
  settings: { buildFrom: 50, exactBelow: 50, quietMs: 1 },
});
await vectors.connect();
await vectors.createIndex('m', { dimension: 4 });
for (let i = first; ; i += 10) {
  const entries = Array.from({ length: 10 }, (_, k) => ({ id: `n${i + k}`, vector: [i + k, 1, 2, 3] }));
  await vectors.upsert('m', entries);
  process.stdout.write(`+${i}\n`);
  if (i % 30 === 0) {
    await vectors.delete('m', { ids: [`n${i}`] });
    process.stdout.write(`-${i}\n`);
  }
  // Lets the graph be built and written now and then.
  if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 8));
}
