// Migrates hnsw to Qdrant in small batches and prints its progress; the parent kills it.
import { join } from 'node:path';
import { openSqlite } from '../../../src/backends/store/engine/sqlite.js';
import { HnswVectors } from '../../../src/backends/vector/hnsw.js';
import { VectorMigrations } from '../../../src/backends/vector/migrate.js';
import { QdrantVectors } from '../../../src/backends/vector/qdrant.js';

const [, , directory = '', url = '', prefix = ''] = process.argv;
const store = await openSqlite(join(directory, 'store.db'));
const current = new HnswVectors(store);
await current.connect();
const migrations = new VectorMigrations({ store, current, open: async () => new QdrantVectors({ url, prefix }) });
await migrations.run({
  from: 'hnsw',
  to: 'qdrant',
  batchSize: 20,
  dryRun: false,
  progress: (done) => process.stdout.write(`${done}\n`),
});
