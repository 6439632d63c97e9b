import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { RUN } from '../gateway/learning-runs.js';
import { gatewayWorld, NOON, post } from '../gateway/world.js';
import { svc } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
const call = { traceId: 'c1', timestamp: NOON, provider: 'mistral_ai', model: 'mistral-large-2411' };

const TARGET = ['--target-year', '2030', '--reduction', '42'];

async function shown(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await svc(...args);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

beforeAll(() => void Object.assign(process.env, { SVC_EMBEDDING: 'none' }));
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

describe('a directory where nothing is recorded', () => {
  beforeAll(() => void Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory() }));

  it.each([['green'], ['learning']])('says in `svc %s status` how telemetry comes in', async (group) => {
    const stdout = await shown(group, 'status');
    expect(stdout).toContain('Nothing is recorded yet. Send OpenTelemetry traces to /v1/traces');
    expect(stdout).not.toMatch(/Fallback|none|Timestamp/);
  });

  it('says so for targets and for a learner', async () => {
    expect(await shown('green', 'targets', 'list')).toContain('`svc green targets add` sets one');
    expect(await shown('learning', 'posteriors', 'prompts')).toContain('Learner prompts has observed nothing');
  });
});

describe('a directory with calls and runs', () => {
  beforeAll(async () => {
    const directory = temporaryDirectory();
    Object.assign(process.env, { SVC_DATA_DIR: directory });
    const store = await openSqlite(join(directory, 'svc.sqlite'));
    const world = await gatewayWorld({ store });
    await world.learning('/ingest', post([RUN, { ...RUN, traceId: 't2', runId: 'r2', isBaseline: false }]));
    await world.green('/ingest', post({ ...call, inputTokens: 1_000_000, outputTokens: 1_000_000 }));
    await world.close();
    await store.close();
  });

  it('shows days and units in place of milliseconds since the epoch', async () => {
    expect(await shown('green', 'status')).toMatch(/days\s+2026-06-15 to 2026-06-15 \(UTC\)/);
    const learning = await shown('learning', 'status');
    expect(learning).toMatch(/days\s+2026-06-15 to 2026-06-15 \(UTC\)/);
    expect(learning).toMatch(/runs with arms\s+1 in baseline runs, 1 in others/);
    expect(learning).toMatch(/tokens a run\s+1200 in baseline runs, 1200 in others/);
    expect(learning).toMatch(/duration a run\s+1500 ms in baseline runs, 1500 ms in others/);
    expect(learning).not.toContain(String(NOON));
  });

  it('shows factors with model and units side by side, each on a line', async () => {
    const stdout = await shown('green', 'factors');
    expect(stdout).toMatch(/openai\W+gpt-4o\s+│\s+58 │\s+580 │\s+269 to 1340\s+│\s+5\.8 │\s+1400 │ 0\.2 estimated/);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(120);
  });

  it('shows a target and where it stands on one line, and warns of a base year without emissions', async () => {
    const year = ['--base-year', '2025', ...TARGET];
    const added = await shown('green', 'targets', 'add', 'Less', ...year, '--base-grams', '400', '--id', 'less');
    expect(added).toMatch(/base\s+2025: 400 g\n[\s\S]*target\s+2030: 232 g \(-42 %\)/);
    expect(await shown('green', 'targets', 'list')).toMatch(/less\s+│ Less\s+│ 2025: 400 g │ 2030: -42 % │/);
    const empty = await shown('green', 'targets', 'add', 'Nothing', '--base-year', '2019', ...TARGET);
    expect(empty).toContain('Nothing is recorded of 2019: remove the target and add it with --base-grams.');
  });

  it('shows arms of a learner with their interval on one line', async () => {
    await shown('learning', 'observe', 'prompts', 'short', '--outcome', 'rejected');
    await shown('learning', 'observe', 'prompts', 'long', '--outcome', 'accepted');
    expect(await shown('learning', 'posteriors', 'prompts')).toMatch(
      /│ long\s+│ 0\.667 │ 0\.158 to 0\.987 │[\s\S]*│ short\s+│ 0\.333 │ 0\.013 to 0\.842 │/,
    );
  });
});
