import { spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defaultInteropConfig, type InteropConfig, loadInteropConfig, writeConfig } from '../../src/interop/config.js';
import { announcedSeeds, consumePending } from '../../src/interop/consume.js';
import {
  generateSeedFilename,
  listFailedSeeds,
  listPendingSeeds,
  listProcessedSeeds,
  readSeedFile,
  writeSeedToPending,
} from '../../src/interop/seeds.js';
import { appendSignal, readSignals, type SignalEvent } from '../../src/interop/signals.js';
import { watchPending } from '../../src/interop/watch.js';

const now = new Date('2026-03-04T05:06:07.890Z');
const source = { name: 'svc', version: '1.2.3' };
const seedOf = (text = 'Rinse the filter.', version = 1) => ({
  persona: 'operator',
  version,
  rules: [
    {
      rule: text,
      category: 'general',
      provenance: { id: 'rule:one', domain: 'ops', derivation: 'explicit', confidence: 1 },
    },
  ],
  metadata: { source: 'svc', rule_count: 1 },
});

let root: string;
let config: InteropConfig;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'interop-'));
  config = defaultInteropConfig(root);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (seed: unknown, emitSignal = true) =>
  writeSeedToPending(seed, { config, persona: 'operator', domain: 'ops', emitSignal, source, now });
const consume = () => consumePending({ config, versions: new Set([1]), source: 'reader', clock: () => now.getTime() });

describe('the names of rule sets', () => {
  it('carry the persona and the time in UTC', () => {
    expect(generateSeedFilename('operator', now)).toBe('operator_2026-03-04T05-06-07.yaml');
    expect(generateSeedFilename('../../etc/pass wd', now)).toBe('etc-pass-wd_2026-03-04T05-06-07.yaml');
    expect(generateSeedFilename('...', now)).toBe('persona_2026-03-04T05-06-07.yaml');
    expect(Buffer.byteLength(generateSeedFilename('界'.repeat(500), now))).toBeLessThan(256);
  });
});

describe('writing a rule set', () => {
  it('puts it into pending and announces it', async () => {
    const path = await write(seedOf());
    expect(path).toBe(join(config.seeds.pending, 'operator_2026-03-04T05-06-07.yaml'));
    expect(readSeedFile(path)).toEqual(seedOf());
    expect(await readSignals(config.signals.projections)).toEqual([
      {
        event: 'projection_complete',
        persona: 'operator',
        domain: 'ops',
        path,
        rule_count: 1,
        ts: '2026-03-04T05:06:07.890Z',
        source: 'svc',
        source_version: '1.2.3',
      },
    ]);
  });

  it('is silent without a signal, and numbers files of one second', async () => {
    const paths = await Promise.all([write(seedOf(), false), write(seedOf(), false), write(seedOf(), false)]);
    expect(paths.map((path) => path.split('_').at(-1)).sort()).toEqual([
      '2026-03-04T05-06-07-2.yaml',
      '2026-03-04T05-06-07-3.yaml',
      '2026-03-04T05-06-07.yaml',
    ]);
    expect(await readSignals(config.signals.projections)).toEqual([]);
    const numberOf = (path: string) => Number(/-(\d)\.yaml$/.exec(path)?.[1] ?? 1);
    expect(listPendingSeeds(config)).toEqual([...paths].sort((x, y) => numberOf(x) - numberOf(y)));
  });

  it('refuses one that is not valid, and writes nothing', async () => {
    await expect(write({ ...seedOf(), version: '1.0' })).rejects.toThrow('/version: must be an integer');
    expect(listPendingSeeds(config)).toEqual([]);
  });
});

describe('consuming', () => {
  it('moves what is valid to processed and what is not to failed, with the reason, and appends the events', async () => {
    await write(seedOf());
    await write(seedOf('Other.', 2));
    writeFileSync(join(config.seeds.pending, 'broken_2026-01-01T00-00-00.yaml'), '{ persona: [');
    writeFileSync(join(config.seeds.pending, 'tagged_2026-01-01T00-00-00.yaml'), 'persona: !!js/function "x"\n');
    writeFileSync(join(config.seeds.pending, 'notes.txt'), 'not a rule set');
    const outcomes = await consume();
    expect(outcomes.map(({ outcome, persona }) => [persona, outcome]).sort()).toEqual([
      ['broken', 'failed'],
      ['operator', 'failed'],
      ['operator', 'processed'],
      ['tagged', 'failed'],
    ]);
    expect(listPendingSeeds(config)).toEqual([]);
    expect(listProcessedSeeds(config)).toHaveLength(1);
    const reasons = Object.fromEntries(
      listFailedSeeds(config).map(({ path, error }) => [path.split('/').at(-1), error]),
    );
    expect(reasons['broken_2026-01-01T00-00-00.yaml']).toContain('not YAML that can be read');
    expect(reasons['operator_2026-03-04T05-06-07-2.yaml']).toBe(
      'version 2 is not known to this consumer, which takes 1',
    );
    const events = await readSignals(config.signals.projections, { eventTypes: ['seed_ingested', 'seed_failed'] });
    expect(events.map(({ event }) => event).sort()).toEqual([
      'seed_failed',
      'seed_failed',
      'seed_failed',
      'seed_ingested',
    ]);
    for (const event of events) {
      expect(existsSync(event.path!)).toBe(true);
      if (event.event === 'seed_failed') expect(event.error).not.toBe('');
    }
    expect(await consume()).toEqual([]);
  });

  it('announces a file that was moved before a crash', async () => {
    await write(seedOf(), false);
    await consume();
    rmSync(config.signals.projections);
    await consume();
    expect(await readSignals(config.signals.projections)).toMatchObject([
      { event: 'seed_ingested', persona: 'operator' },
    ]);
  });

  it('refuses aliases that would grow', async () => {
    mkdirSync(config.seeds.pending, { recursive: true });
    writeFileSync(join(config.seeds.pending, 'bomb_2026-01-01T00-00-00.yaml'), 'a: &a [x, x]\nb: [*a, *a]\n');
    expect(await consume()).toMatchObject([{ outcome: 'failed', persona: 'bomb' }]);
  });

  it('refuses paths of events that lead outside, through links too', async () => {
    mkdirSync(config.seeds.pending, { recursive: true });
    const secret = join(root, 'secret.yaml');
    writeFileSync(secret, 'secret');
    symlinkSync(secret, join(config.seeds.pending, 'link.yaml'));
    const own = await write(seedOf());
    for (const path of [
      '/etc/passwd',
      join(config.seeds.pending, '../../secret.yaml'),
      join(config.seeds.pending, 'link.yaml'),
    ]) {
      await appendSignal(
        { event: 'projection_complete', path, ts: now.toISOString(), source: 'x' },
        config.signals.projections,
      );
    }
    const { paths, refused } = await announcedSeeds(config);
    expect(paths).toEqual([own]);
    expect(refused).toHaveLength(3);
    await consume();
    expect(readFileSync(secret, 'utf8')).toBe('secret');
  });

  it('watches until it is stopped', async () => {
    const stop = new AbortController();
    const consumed: string[] = [];
    const watching = watchPending({
      config,
      versions: new Set([1]),
      source: 'reader',
      clock: Date.now,
      signal: stop.signal,
      interval: 20,
      onConsumed: ({ outcome }) => {
        consumed.push(outcome);
        if (consumed.length === 2) stop.abort();
      },
    });
    await write(seedOf());
    await write(seedOf('Two.'));
    await watching;
    expect(consumed).toEqual(['processed', 'processed']);
  });
});

describe('the signal log', () => {
  it('loses and tears no line while many processes write and one reads', async () => {
    const log = config.signals.projections;
    const script = fileURLToPath(new URL('./append-process.ts', import.meta.url));
    const writers = Array.from({ length: 20 }, (_, i) =>
      spawn(process.execPath, ['--import', 'tsx', script, log, `writer-${i}`, '5'], { stdio: 'inherit' }),
    );
    const ends = writers.map((writer) => new Promise<number | null>((resolve) => writer.on('exit', resolve)));
    const namesOf = (events: readonly SignalEvent[]) => events.map((event) => `${event.source} ${event.rule_count}`);
    let running = true;
    const reading = (async () => {
      const readings: Array<{ readonly names: string[]; readonly warnings: string[] }> = [];
      do {
        const warnings: string[] = [];
        const events = await readSignals(log, { onWarning: (warning) => warnings.push(warning) });
        for (const { error } of events) expect(error).toHaveLength(5000);
        readings.push({ names: namesOf(events), warnings });
      } while (running);
      return readings;
    })();
    expect(await Promise.all(ends)).toEqual(Array.from({ length: 20 }, () => 0));
    running = false;
    const readings = await reading;
    const all = namesOf(await readSignals(log));
    expect([...all].sort()).toEqual(
      Array.from({ length: 100 }, (_, i) => `writer-${Math.floor(i / 5)} ${i % 5}`).sort(),
    );
    for (let writer = 0; writer < 20; writer += 1) {
      const own = all.filter((name) => name.startsWith(`writer-${writer} `));
      expect(own).toEqual([0, 1, 2, 3, 4].map((n) => `writer-${writer} ${n}`));
    }
    // What the reader saw is the log up to then: whole lines in order, none left out, at most the last one unfinished.
    for (const { names, warnings } of readings) {
      expect(names).toEqual(all.slice(0, names.length));
      expect(warnings.length).toBeLessThanOrEqual(1);
      for (const warning of warnings) expect(warning).toContain(`line ${names.length + 1} `);
    }
    const lengths = readings.map(({ names }) => names.length);
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
  }, 60_000);

  it('continues after a line that a crash cut off, and says so', async () => {
    const log = config.signals.projections;
    const event = { event: 'seed_failed', ts: '2026-01-01T00:00:00.000Z', source: 'x' } as const;
    await appendSignal(event, log);
    appendFileSync(log, '{"event":"seed_inges');
    await appendSignal({ ...event, ts: '2026-01-02T00:00:00.000Z' }, log);
    const warnings: string[] = [];
    const events = await readSignals(log, { onWarning: (warning) => warnings.push(warning) });
    expect(events.map(({ ts }) => ts)).toEqual(['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']);
    expect(warnings).toEqual([expect.stringContaining('line 2')]);
  });

  it('reads after a time, without it, and by kind', async () => {
    const log = config.signals.projections;
    for (const [day, event] of [
      ['01', 'seed_failed'],
      ['02', 'seed_ingested'],
      ['03', 'seed_ingested'],
    ] as const) {
      await appendSignal({ event, ts: `2026-01-${day}T00:00:00.000Z`, source: 'x' }, log);
    }
    expect(await readSignals(log, { since: '2026-01-02T00:00:00.000Z' })).toHaveLength(1);
    expect(await readSignals(log, { eventTypes: ['seed_ingested'] })).toHaveLength(2);
    await expect(readSignals(log, { since: 'soon' })).rejects.toThrow('since must be a time');
  });

  it('refuses an event that is not valid', async () => {
    const event = { event: 'seed_failed', ts: 'now', source: 'x' } as const;
    await expect(appendSignal(event, config.signals.projections)).rejects.toThrow('/ts');
    expect(existsSync(config.signals.projections)).toBe(false);
  });
});

describe('the configuration', () => {
  it('is the default where there is no file, and comes back as it was written', () => {
    const file = join(root, 'config', 'interop.yaml');
    expect(loadInteropConfig(file, config)).toEqual(config);
    const own = { ...config, signals: { projections: '/var/log/rules.jsonl' } };
    writeConfig(own, file);
    expect(loadInteropConfig(file, config)).toEqual(own);
    expect(readdirSync(join(root, 'config'))).toEqual(['interop.yaml']);
  });

  it.each([
    ['seeds: { pending: relative/path }', 'seeds.pending must be an absolute path'],
    ['seeds: [1]', 'seeds must be a mapping'],
    ['signals: { projections: 7 }', 'signals.projections must be an absolute path'],
    ['{ seeds: [', 'is no YAML'],
  ])('refuses %j', (text, message) => {
    const file = join(root, 'interop.yaml');
    writeFileSync(file, text);
    expect(() => loadInteropConfig(file, config)).toThrow(message);
  });
});
