import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defaultInteropConfig } from '../../src/interop/config.js';
import { consumePending } from '../../src/interop/consume.js';
import { listFailedSeeds, listPendingSeeds, readSeedFile, writeSeedToPending } from '../../src/interop/seeds.js';
import { readSignals } from '../../src/interop/signals.js';
import { validateSeed } from '../../src/interop/validate.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kill-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Starts a writer, waits for its first file, and kills it some milliseconds later. */
async function killedWriter(milliseconds: number): Promise<void> {
  const script = fileURLToPath(new URL('./write-process.ts', import.meta.url));
  const writer = spawn(process.execPath, ['--import', 'tsx', script, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => writer.on('exit', resolve));
  await new Promise((resolve) => writer.stdout.once('data', resolve));
  await sleep(milliseconds);
  writer.kill('SIGKILL');
  await ended;
}

describe('a writer that is killed in the middle', () => {
  it('leaves whole rule sets only, and every announced one is there', async () => {
    for (const milliseconds of [3, 11, 29, 53]) await killedWriter(milliseconds);
    const config = defaultInteropConfig(root);
    const pending = listPendingSeeds(config);
    expect(pending.length).toBeGreaterThanOrEqual(4);
    for (const path of pending) {
      const seed = readSeedFile(path) as { rules: unknown[] };
      expect(validateSeed(seed)).toEqual([]);
      expect(seed.rules).toHaveLength(2000);
    }
    const announced = (await readSignals(config.signals.projections)).map(({ path }) => path);
    for (const path of announced) expect(pending).toContain(path);
  }, 60_000);

  it('leaves drafts under hidden names, which a later writer removes', async () => {
    const config = defaultInteropConfig(root);
    const seed = { persona: 'p', version: 1, rules: [], metadata: { source: 'svc', rule_count: 0 } };
    const options = { config, persona: 'p', emitSignal: false, source: { name: 'svc', version: '1' }, now: new Date() };
    await writeSeedToPending(seed, options);
    const [old, young] = ['.99-dead.tmp', '.99-alive.tmp'].map((name) => join(config.seeds.pending, name)) as [
      string,
      string,
    ];
    for (const path of [old, young]) writeFileSync(path, 'persona: ope');
    const before = new Date(Date.now() - 2 * 3600 * 1000);
    utimesSync(old, before, before);
    expect(listPendingSeeds(config)).toHaveLength(1);
    await writeSeedToPending(seed, options);
    expect(readdirSync(config.seeds.pending).filter((name) => name.startsWith('.'))).toEqual(['.99-alive.tmp']);
  });
});

describe('a consumer that was killed in the middle', () => {
  it('left a refused file without its reason: the next one finds it again, and announces it', async () => {
    const config = defaultInteropConfig(root);
    mkdirSync(config.seeds.failed, { recursive: true });
    const path = join(config.seeds.failed, 'operator_2026-01-01T00-00-00.yaml');
    writeFileSync(path, 'persona: operator\nversion: 7\nrules: []\nmetadata: { source: svc, rule_count: 0 }\n');
    await consumePending({ config, versions: new Set([1]), source: 'reader', clock: Date.now });
    const error = 'version 7 is not known to this consumer, which takes 1';
    expect(listFailedSeeds(config)).toEqual([{ path, error }]);
    expect(await readSignals(config.signals.projections)).toMatchObject([{ event: 'seed_failed', path, error }]);
  });
});
