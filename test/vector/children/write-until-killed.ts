// Twenty clients upsert and delete ids of their own without end; each says what it is about to change and what was
// acknowledged. The parent kills it.
import { join } from 'node:path';
import { openSqlite } from '../../../src/backends/store/engine/sqlite.js';
import { HnswVectors } from '../../../src/backends/vector/hnsw.js';

const CLIENTS = 20;
const IDS = 30;
const directory = process.argv[2]!;
const first = Number(process.argv[3]);
const store = await openSqlite(join(directory, 'store.db'));
const vectors = new HnswVectors(store, {
  directory: join(directory, 'vectors'),
  settings: { buildFrom: 50, exactBelow: 50, quietMs: 1, segmentMegabytes: Number(process.argv[4]) },
});
await vectors.connect();
await vectors.createIndex('m', { dimension: 4 });

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function client(number: number): Promise<never> {
  for (let round = first; ; round += 1) {
    const ids = [0, 1, 2].map((k) => `c${number}-${(round * 7 + k) % IDS}`);
    say(`? ${ids.join(' ')}`);
    if (round % 4 === 3) {
      await vectors.delete('m', { ids });
      say(`- ${ids.join(' ')}`);
    } else {
      await vectors.upsert(
        'm',
        ids.map((id) => ({ id, vector: [round + 1, number, 2, 3] })),
      );
      say(`+${round} ${ids.join(' ')}`);
    }
    // Lets the graph be built and written now and then.
    if (round % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 8));
  }
}

await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
