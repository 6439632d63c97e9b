import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { Learning } from '../../src/learning/learning.js';

export interface LibrarySpeed {
  /** Median milliseconds of a select over 1,000 arms with posteriors. */
  readonly select_ms: number;
  /** Acknowledged observations a second, 64 in flight, on a SQLite file with synchronous=FULL. */
  readonly observe_per_s: number;
}

/** The learner as the service runs it, on a file. */
export async function librarySpeed(observations: number): Promise<LibrarySpeed> {
  const directory = mkdtempSync(join(tmpdir(), 'bandit-'));
  const store = await openSqlite(join(directory, 'bench.db'));
  const learning = new Learning(store, { clock: Date.now, seed: 1, openStore: openSqlite });
  const learner = await learning.learner('bench');
  const candidates = Array.from({ length: 1000 }, (_, i) => ({ id: `arm-${i}` }));
  await learner.batchObserve(candidates.map(({ id }, i) => ({ arm_id: id, reward: i % 2 })));
  const times: number[] = [];
  for (let i = 0; i < 600; i += 1) {
    const started = performance.now();
    await learner.select(candidates);
    times.push(performance.now() - started);
  }
  const select_ms = times.slice(100).sort((a, b) => a - b)[250]!;
  let next = 0;
  const started = performance.now();
  const worker = async (): Promise<void> => {
    while (next < observations) {
      const i = next++;
      await learner.observe({ arm_id: `arm-${i % 1000}`, outcome: i % 3 === 0 ? 'accepted' : 'rejected' });
    }
  };
  await Promise.all(Array.from({ length: 64 }, worker));
  const observe_per_s = observations / ((performance.now() - started) / 1000);
  await learning.close();
  await store.close();
  rmSync(directory, { recursive: true });
  return { select_ms, observe_per_s };
}
