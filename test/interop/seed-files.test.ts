import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defaultInteropConfig, type InteropConfig } from '../../src/interop/config.js';
import { listPendingSeeds, writeSeedToPending } from '../../src/interop/seeds.js';
import { readSignals } from '../../src/interop/signals.js';

let root: string;
let config: InteropConfig;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'seed-files-'));
  config = defaultInteropConfig(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const ruleOf = (domain: string) => ({
  rule: 'Rinse the filter.',
  category: 'general',
  provenance: { id: 'rule:one', domain, derivation: 'explicit', confidence: 1 },
});
const seedOf = (...domains: string[]) => ({
  persona: 'operator',
  version: 1,
  rules: domains.map(ruleOf),
  metadata: { source: 'svc', rule_count: domains.length },
});

describe('files of rule sets', () => {
  it('are listed by their time, then by their number, whatever the persona', () => {
    const names = [
      'b_2026-01-01T00-00-00.yaml',
      'b_2026-01-01T00-00-00-2.yaml',
      'b_2026-01-01T00-00-00-10.yaml',
      'a_2026-01-01T00-00-32.yaml',
      'p_2026-01-01T00-00-32.yaml',
      'p_2026-01-01T00-00-32-2.yaml',
      'a_2026-02-01T00-00-00.yaml',
      'by-hand.yaml',
    ];
    mkdirSync(config.seeds.pending, { recursive: true });
    for (const name of [...names].sort()) writeFileSync(join(config.seeds.pending, name), '');
    expect(listPendingSeeds(config)).toEqual(names.map((name) => join(config.seeds.pending, name)));
  });

  it('are announced with the domain given, else those of their rules, and all where there is no rule', async () => {
    const source = { name: 'svc', version: '1' };
    const write = (seed: unknown, domain?: string) =>
      writeSeedToPending(seed, { config, persona: 'p', domain, emitSignal: true, source, now: new Date(0) });
    await write(seedOf('ops'), 'given');
    await write(seedOf('ops'));
    await write(seedOf('b', 'a', 'b'));
    await write(seedOf());
    const events = await readSignals(config.signals.projections);
    expect(events.map(({ domain }) => domain)).toEqual(['given', 'ops', 'a,b', 'all']);
  });
});
