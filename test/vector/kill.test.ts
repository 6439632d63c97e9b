import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqlite } from '../../src/backends/store/sqlite.js';
import { HnswVectors } from '../../src/backends/vector/hnsw.js';

const child = join(import.meta.dirname, 'children', 'write-until-killed.ts');

/** Runs the writer, kills it after so many acknowledgements, answers what it had acknowledged. */
async function killedAfter(directory: string, first: number, lines: number): Promise<string[]> {
  const writer = spawn(process.execPath, ['--import', 'tsx', child, directory, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  await new Promise<void>((resolve) => {
    writer.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.split('\n').length > lines) writer.kill('SIGKILL');
    });
    writer.once('close', () => resolve());
  });
  // The last line may be torn.
  return output.split('\n').slice(0, -1);
}

it('misses no acknowledged vector after kill -9, and serves on the next start', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'svc-kill-'));
  const present = new Set<number>();
  const deleted = new Set<number>();
  for (const [round, lines] of [25, 90, 7].entries()) {
    for (const line of await killedAfter(directory, round * 100_000, lines)) {
      const number = Number(line.slice(1));
      if (line.startsWith('+')) for (let k = 0; k < 10; k += 1) present.add(number + k);
      else {
        present.delete(number);
        deleted.add(number);
      }
    }
    // Killed between a deletion and its acknowledgement: then that one entry may be there or not.
    const last = [...present].filter((number) => number % 30 === 0).at(-1);
    if (last !== undefined && !deleted.has(last)) present.delete(last);
    const store = await openSqlite(join(directory, 'store.db'));
    const settings = { buildFrom: 50, exactBelow: 50, quietMs: 1 };
    const vectors = new HnswVectors(store, { directory: join(directory, 'vectors'), settings });
    await vectors.connect();
    await vectors.settled();
    const found = await vectors.get(
      'm',
      [...present].map((number) => `n${number}`),
    );
    expect(found.length).toBe(present.size);
    for (const entry of found) expect(entry.vector[0]).toBe(Number(entry.id.slice(1)));
    const gone = await vectors.get(
      'm',
      [...deleted].map((number) => `n${number}`),
    );
    expect(gone).toEqual([]);
    const target = Math.max(...present);
    const hits = await vectors.query('m', { vector: [target, 1, 2, 3], topK: 5 });
    expect(hits.length).toBe(5);
    await vectors.disconnect();
    await store.close();
  }
  await rm(directory, { recursive: true, force: true });
});
