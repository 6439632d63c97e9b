import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { learningFixture, learningServer } from '../learning/fixture.js';
import { frontOf } from './learner-front.js';
import { arm, RUN } from './learning-runs.js';
import { gatewayWorld, NOON, post } from './world.js';

const RUNS = 1;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lessons-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('teaches each arm once however often kill -9 comes between an observation and its note', async () => {
  const file = join(root, 'svc.db');
  const there = await learningFixture();
  const server = await learningServer(there.learning);
  const store = await openSqlite(file);
  const world = await gatewayWorld({ store, environment: { SVC_LEARNING_URL: server.url } });
  const runs = Array.from({ length: RUNS }, (_, i) => ({
    ...RUN,
    traceId: `t${i}`,
    runId: `r${i}`,
    arms: [arm('a'), arm(`b${i}`, false)],
  }));
  await world.learning('/ingest', post(runs));
  await world.close();
  await store.close();

  let process_: ChildProcess | undefined;
  let observations = 0;
  const front = await frontOf(server.url, {
    lose: () => {
      observations += 1;
      // Every observation but the repeated ones is the last thing that its process does.
      return observations % 2 === 1 && process_!.kill('SIGKILL');
    },
  });
  const script = fileURLToPath(new URL('./flush-process.ts', import.meta.url));
  let kills = 0;
  for (let code: number | null = null; code !== 0; ) {
    const child = spawn(process.execPath, ['--import', 'tsx', script, file, front.url, String(NOON + 60_000)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    process_ = child;
    code = await new Promise((resolve) => child.on('exit', resolve));
    if (code === null) kills += 1;
    else expect(code).toBe(0);
  }
  await front.end();
  const { posteriors } = await there.learning.posteriors({ learner: 'gateway' });
  expect(kills).toBe(2 * RUNS);
  expect(Object.fromEntries(Object.entries(posteriors).map(([id, { alpha, beta }]) => [id, [alpha, beta]]))).toEqual({
    a: [1 + RUNS, 1],
    ...Object.fromEntries(runs.map((_, i) => [`b${i}`, [1, 2]])),
  });
  await server.close();
  await there.close();
}, 120_000);
