import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { defaultInteropConfig, type InteropConfig } from '../../src/interop/config.js';
import { consumePending } from '../../src/interop/consume.js';
import { listProcessedSeeds, writeSeedToPending } from '../../src/interop/seeds.js';
import { readSignals } from '../../src/interop/signals.js';

let root: string;
let config: InteropConfig;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'consumers-'));
  config = defaultInteropConfig(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('announces each rule set once where several consumers work at once', async () => {
  const seed = { persona: 'operator', version: 1, rules: [], metadata: { source: 'svc', rule_count: 0 } };
  const source = { name: 'svc', version: '1.2.3' };
  for (let i = 0; i < 30; i += 1)
    await writeSeedToPending(seed, { config, persona: 'operator', emitSignal: false, source, now: new Date(i * 1000) });
  const consume = () => consumePending({ config, versions: new Set([1]), source: 'reader', clock: Date.now });
  const consumed = (await Promise.all(Array.from({ length: 6 }, consume))).flat();
  expect(consumed).toHaveLength(30);
  const events = await readSignals(config.signals.projections);
  expect(events).toHaveLength(30);
  expect(new Set(events.map(({ path }) => path)).size).toBe(30);
  expect(listProcessedSeeds(config)).toHaveLength(30);
});

it('announces what became of a rule set with the members that the specification lists for it', async () => {
  const seed = { persona: 'operator', version: 1, rules: [], metadata: { source: 'svc', rule_count: 0 } };
  const source = { name: 'svc', version: '1.2.3' };
  await writeSeedToPending(seed, { config, persona: 'operator', emitSignal: false, source, now: new Date(0) });
  writeFileSync(join(config.seeds.pending, 'broken_2026-01-01T00-00-00.yaml'), '{ persona: [');
  await consumePending({ config, versions: new Set([1]), source: 'reader', clock: Date.now });
  const events = await readSignals(config.signals.projections);
  const membersOf = Object.fromEntries(events.map(({ event, ...members }) => [event, Object.keys(members).sort()]));
  expect(membersOf).toEqual({
    seed_failed: ['error', 'path', 'persona', 'source', 'ts'],
    seed_ingested: ['path', 'persona', 'source', 'ts'],
  });
});
