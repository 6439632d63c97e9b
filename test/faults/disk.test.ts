import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { examineStore } from '../../src/cli/examine-store.js';
import { loadConfig } from '../../src/config.js';
import { post, startProcess } from '../service/process.js';
import { noteStarts, type TimedStart, timedStart } from './starts.js';
import { get } from './workloads.js';

const runs = Number(process.env.FAULT_RUNS ?? 20);
const root = mkdtempSync(join(tmpdir(), 'faults-disk-'));
const disk = join(root, 'disk');
let mounted = false;

beforeAll(() => {
  mkdirSync(disk);
  mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk]).status === 0;
  if (!mounted && process.env.CI !== undefined) throw new Error('A small tmpfs cannot be mounted; run as root.');
  if (!mounted) process.stderr.write('Skipped: a small tmpfs can be mounted by root only.\n');
});
afterAll(() => {
  if (mounted) spawnSync('umount', [disk]);
  rmSync(root, { recursive: true, force: true });
});

/** `svc doctor` finds nothing. */
async function expectSound(directory: string): Promise<void> {
  const config = loadConfig({ environment: { SVC_DATA_DIR: directory, SVC_EMBEDDING: 'static' } });
  const checks = await examineStore(config);
  expect(checks.filter((check) => check.state !== 'ok')).toEqual([]);
  expect(checks.length).toBeGreaterThan(3);
}

describe('a full disk', () => {
  it(`refuses writes with 503, loses none that it acknowledged, and recovers, ${runs} times`, async () => {
    if (!mounted) return;
    const starts: TimedStart[] = [];
    for (let run = 0; run < runs; run += 1) {
      const directory = join(disk, `data-${run}`);
      const server = await startProcess(directory);
      const label = (i: number): string => `batch ${i}`;
      const write = (i: number) =>
        post(server.url, '/v1/ingest/structured', {
          domain: 'd',
          source_id: label(i),
          concepts: Array.from({ length: 50 }, (_, n) => ({
            name: `${label(i)} ${n}`,
            description: `${i} `.repeat(500 + run),
          })),
        });
      const acknowledged = new Set<string>();
      let refused: number | undefined;
      for (let i = 0; refused === undefined && i < 2000; i += 1) {
        const answer = await write(i);
        if (answer?.status === 200) acknowledged.add(label(i));
        else refused = answer?.status ?? 0;
      }
      expect(refused).toBe(503);
      expect((await fetch(`${server.url}/v1/health`)).status).toBe(200);
      await server.kill();
      // Room again: as when someone deleted what filled the disk.
      spawnSync('mount', ['-o', 'remount,size=96m', disk]);
      const start = await timedStart(directory);
      const next = start.server;
      starts.push(start);
      const { documents } = await get(next.url, '/v1/documents?limit=10000');
      const found = new Map(
        (documents as Array<{ label: string; concepts: number }>).map((one) => [one.label, one.concepts]),
      );
      for (const one of acknowledged) expect([one, found.get(one)]).toEqual([one, 50]);
      for (const count of found.values()) expect(count).toBe(50);
      expect((await post(next.url, '/v1/ingest/text', { text: 'There is room again.', domain: 'd' }))?.status).toBe(
        200,
      );
      await next.stop();
      await expectSound(directory);
      rmSync(directory, { recursive: true });
      spawnSync('mount', ['-o', 'remount,size=24m', disk]);
    }
    noteStarts('full disk', starts);
  });

  it(`a second process on the same directory is refused and harms nothing, ${runs} times`, async () => {
    const directory = join(root, 'second');
    const starts: TimedStart[] = [];
    for (let run = 0; run < runs; run += 1) {
      const start = await timedStart(directory);
      const { server } = start;
      starts.push(start);
      const write = post(server.url, '/v1/ingest/text', { text: `Text ${run}.`, domain: 'd', name: `text ${run}` });
      await expect(startProcess(directory, { SVC_LOCK_WAIT_SECONDS: '0' })).rejects.toThrow(/already runs/);
      expect((await write)?.status).toBe(200);
      expect((await get(server.url, '/v1/documents')).documents).toHaveLength(run + 1);
      await server.stop();
      await expectSound(directory);
    }
    noteStarts('second process', starts);
  });
});
