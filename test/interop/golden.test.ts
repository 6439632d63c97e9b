import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { defaultInteropConfig } from '../../src/interop/config.js';
import { consumePending } from '../../src/interop/consume.js';
import { listFailedSeeds, listProcessedSeeds, seedText } from '../../src/interop/seeds.js';

const SEEDS = join(import.meta.dirname, '../fixtures/seeds');
const names = (folder: string) => readdirSync(join(SEEDS, folder)).sort();

it('consumes golden rule sets: valid ones are processed, invalid and unknown versions fail with a reason', async () => {
  const root = mkdtempSync(join(tmpdir(), 'golden-'));
  try {
    const config = defaultInteropConfig(root);
    for (const folder of ['valid', 'invalid']) cpSync(join(SEEDS, folder), config.seeds.pending, { recursive: true });
    await consumePending({ config, versions: new Set([1]), source: 'test', clock: Date.now });
    // `no-rules.yaml` is of version 7, which this consumer does not know.
    const processed = names('valid').filter((name) => name !== 'no-rules.yaml');
    expect(
      listProcessedSeeds(config)
        .map((path) => basename(path))
        .sort(),
    ).toEqual(processed);
    const failed = listFailedSeeds(config);
    expect(failed.map(({ path }) => basename(path)).sort()).toEqual([...names('invalid'), 'no-rules.yaml'].sort());
    const reasons = Object.fromEntries(failed.map(({ path, error }) => [basename(path), error]));
    expect(reasons['no-rules.yaml']).toMatch(/version/);
    expect(reasons['persona-object.yaml']).toMatch(/persona: must be a string/);
    expect(reasons['version-semver.yaml']).toMatch(/version: must be an integer/);
    expect(reasons['text-for-rule.yaml']).toMatch(/belongs in `rule`, not in `text`/);
    expect(reasons['provenance-on-rule.yaml']).toMatch(/belong inside it/);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

it('quotes what readers of older YAML would take for something else', () => {
  const text = seedText({ at: '2026-03-04T05:06:07Z', persona: 'yes', category: 'off', time: '1:20' });
  expect(text.split('\n').slice(0, 4)).toEqual([
    'at: "2026-03-04T05:06:07Z"',
    'persona: "yes"',
    'category: "off"',
    'time: "1:20"',
  ]);
});
