import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { consumePending } from '../../src/interop/consume.js';
import { moveInto } from '../../src/interop/files.js';
import { writeSeedToPending } from '../../src/interop/seeds.js';
import { readSignals } from '../../src/interop/signals.js';

/** Another file system than that of temporary files, where the machine has one. */
const OTHER = '/dev/shm';
const deviceOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev;
const separate = deviceOf(OTHER) !== undefined && deviceOf(OTHER) !== deviceOf(tmpdir());
if (!separate) console.warn(`Skipped: ${OTHER} is no other file system than ${tmpdir()}.`);

(separate ? describe : describe.skip)('directories on different file systems', () => {
  let here: string;
  let there: string;
  beforeEach(() => {
    here = mkdtempSync(join(tmpdir(), 'interop-'));
    there = mkdtempSync(join(OTHER, 'interop-'));
  });
  afterEach(() => {
    for (const path of [here, there]) rmSync(path, { recursive: true, force: true });
  });

  const pendingFile = (text: string) => {
    const path = join(here, 'p_2026-01-01T00-00-00.yaml');
    writeFileSync(path, text);
    return path;
  };

  it('take a rule set from pending to processed, whole', async () => {
    const config = {
      seeds: { pending: join(here, 'pending'), processed: join(there, 'processed'), failed: join(there, 'failed') },
      signals: { projections: join(here, 'projections.jsonl') },
    };
    const seed = { persona: 'p', version: 1, rules: [], metadata: { source: 'svc', rule_count: 0 } };
    const source = { name: 'svc', version: '1' };
    const path = await writeSeedToPending(seed, { config, persona: 'p', emitSignal: false, source, now: new Date() });
    const text = readFileSync(path, 'utf8');
    const [consumed] = await consumePending({ config, versions: new Set([1]), source: 'reader', clock: Date.now });
    expect(consumed).toMatchObject({ outcome: 'processed', persona: 'p' });
    expect(readFileSync(consumed!.path, 'utf8')).toBe(text);
    expect([readdirSync(config.seeds.pending), readdirSync(config.seeds.processed)]).toEqual([
      [],
      [consumed!.path.split('/').at(-1)],
    ]);
    expect(await readSignals(config.signals.projections)).toMatchObject([
      { event: 'seed_ingested', path: consumed!.path },
    ]);
  });

  it('number a name that is taken, and never replace what has it', () => {
    writeFileSync(join(there, 'p_2026-01-01T00-00-00.yaml'), 'older');
    const moved = moveInto(pendingFile('newer'), 'p_2026-01-01T00-00-00.yaml', there);
    expect(moved).toBe(join(there, 'p_2026-01-01T00-00-00-2.yaml'));
    expect(
      readdirSync(there)
        .map((name) => readFileSync(join(there, name), 'utf8'))
        .sort(),
    ).toEqual(['newer', 'older']);
    expect(readdirSync(here)).toEqual([]);
  });

  it('finish a move that a crash broke off after the copy', () => {
    const path = pendingFile('one');
    const copy = moveInto(path, 'p_2026-01-01T00-00-00.yaml', there);
    expect(moveInto(pendingFile('one'), 'p_2026-01-01T00-00-00.yaml', there)).toBe(copy);
    expect([readdirSync(here), readdirSync(there)]).toEqual([[], [copy.split('/').at(-1)]]);
  });
});
