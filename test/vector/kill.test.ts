import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { HnswVectors } from '../../src/backends/vector/hnsw.js';

const child = join(import.meta.dirname, 'children', 'write-until-killed.ts');

/** Runs the writers, kills them after so many lines, returns the whole lines that they wrote. */
async function killedAfter(
  directory: string,
  { first, lines, segmentMegabytes }: { first: number; lines: number; segmentMegabytes: number },
): Promise<string[]> {
  const writer = spawn(process.execPath, ['--import', 'tsx', child, directory, `${first}`, `${segmentMegabytes}`], {
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

/** What the lines say of each id: its round, or null where it was deleted; an id whose last change is open is left out. */
function follow(state: Map<string, number | null>, lines: readonly string[]): void {
  for (const line of lines) {
    const [sign = '', ...ids] = line.split(' ');
    for (const id of ids) {
      if (sign === '?') state.delete(id);
      else state.set(id, sign === '-' ? null : Number(sign.slice(1)));
    }
  }
}

it.each([
  ['one graph', 1000],
  ['many small graphs', 0.01],
])(
  'misses no acknowledged write of twenty clients after kill -9, and serves on the next start: %s',
  async (_, segmentMegabytes) => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-kill-'));
    const state = new Map<string, number | null>();
    for (const [attempt, lines] of [400, 1500, 60].entries()) {
      follow(state, await killedAfter(directory, { first: attempt * 1000, lines, segmentMegabytes }));
      const files = await readdir(join(directory, 'vectors')).catch(() => []);
      // The second start finds a damaged graph file and builds it anew.
      if (attempt === 1) for (const file of files) await truncate(join(directory, 'vectors', file), 100);
      const store = await openSqlite(join(directory, 'store.db'));
      const settings = { buildFrom: 50, exactBelow: 50, quietMs: 1, segmentMegabytes };
      const vectors = new HnswVectors(store, { directory: join(directory, 'vectors'), settings });
      await vectors.connect();
      await vectors.whenBuilt();
      const found = new Map((await vectors.get('m', [...state.keys()])).map(({ id, vector }) => [id, vector[0]]));
      expect(state.size).toBeGreaterThan(20);
      for (const [id, round] of state)
        expect([id, found.get(id)]).toEqual([id, round === null ? undefined : round + 1]);
      const hits = await vectors.query('m', { vector: [attempt * 1000, 1, 2, 3], topK: 5 });
      expect(hits.length).toBe(5);
      const { count } = await vectors.describeIndex('m');
      const all = await vectors.query('m', { vector: [1, 1, 2, 3], topK: 1000 });
      expect(all.length).toBe(count);
      await vectors.disconnect();
      await store.close();
    }
    await rm(directory, { recursive: true, force: true });
  },
);
