import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { examineStore } from '../../src/cli/examine-store.js';
import { loadConfig } from '../../src/config.js';
import { seededRandom } from '../../src/core/random.js';
import { note } from '../jobs/notes.js';
import { startProcess } from '../service/process.js';
import { noteStarts, type TimedStart, timedStart } from './starts.js';
import { workloads } from './workloads.js';

const runs = Number(process.env.FAULT_RUNS ?? 20);
const seed = process.env.FAULT_SEED ?? 'faults';
const root = mkdtempSync(join(tmpdir(), 'faults-'));
const files = join(root, 'files');
beforeAll(() => {
  process.stderr.write(`FAULT_SEED=${seed}, ${runs} runs of each\n`);
  mkdirSync(files);
  for (let i = 0; i < 40; i += 1) writeFileSync(join(files, `${i}.md`), note(i));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe(`kill -9, ${runs} times each, during`, () => {
  it.each(workloads.map((one) => [one.name, one] as const))('%s', async (name, workload) => {
    const random = seededRandom(`${seed} ${name}`);
    const directory = join(root, name);
    const environment = { SVC_INGEST_ROOTS: files };
    const starts: TimedStart[] = [];
    for (let run = 0; run < runs; run += 1) {
      const server = await startProcess(directory, environment);
      const at = { url: server.url, directory, files };
      const work = workload.work(at, run).catch((error: unknown) => {
        // The end of the service ends the work; what the work itself found wrong does not go away.
        if (error instanceof Error && 'matcherResult' in error) throw error;
      });
      await new Promise((done) => setTimeout(done, 50 + random() * 1500));
      await server.kill();
      await work;

      const start = await timedStart(directory, environment);
      const next = start.server;
      starts.push(start);
      await workload.verify({ ...at, url: next.url }).finally(() => next.stop());
      const config = loadConfig({ environment: { SVC_DATA_DIR: directory, SVC_EMBEDDING: 'static' } });
      const checks = await examineStore(config);
      expect(checks.filter((check) => check.state !== 'ok')).toEqual([]);
      expect(checks.length).toBeGreaterThan(3);
    }
    noteStarts(name, starts);
  });
});
