import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { RUN } from '../gateway/learning-runs.js';
import { gatewayWorld, NOON, post } from '../gateway/world.js';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
const FORMULA = '=HYPERLINK("https://evil.example","click, me")';

const call = (traceId: string, timestamp: number, more: Record<string, unknown> = {}) => ({
  traceId,
  timestamp,
  provider: 'mistral_ai',
  model: 'mistral-large-2411',
  inputTokens: 1_000_000,
  outputTokens: 1_000_000,
  ...more,
});

beforeAll(async () => {
  const directory = temporaryDirectory();
  process.env.SVC_DATA_DIR = directory;
  process.env.SVC_EMBEDDING = 'none';
  const store = await openSqlite(join(directory, 'svc.sqlite'));
  const world = await gatewayWorld({ store });
  for (const run of [
    { ...RUN, channel: 'chat' },
    { ...RUN, traceId: 't2', runId: 'r2', model: FORMULA, isBaseline: false, aborted: true, timestamp: NOON + 1 },
    { ...RUN, traceId: 't3', runId: '-3', provider: null, model: null, usage: null, durationMs: null, arms: [] },
  ]) {
    await world.learning('/ingest', post(run));
  }
  await world.learning('/reward', post({ arm_id: 'tool:web:Search', outcome: 'rejected' }));
  await world.green('/ingest', post([call('c1', Date.UTC(2024, 1, 29)), call('c2', Date.UTC(2025, 6, 1))]));
  await world.close();
  await store.close();
});
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

const RUNS_CSV = [
  'traceId,runId,sessionId,timestamp,provider,model,channel,isBaseline,totalTokens,durationMs,aborted',
  `t1,r1,s1,${NOON},openai,gpt-4o,chat,1,1200,1500,0`,
  `t2,r2,s1,${NOON + 1},openai,"'=HYPERLINK(""https://evil.example"",""click, me"")",,0,1200,1500,1`,
  `t3,'-3,s1,${NOON},,,,1,,,0`,
  '',
].join('\n');
const ARMS_CSV = [
  'armId,alpha,beta,mean,pulls,lastUpdated',
  `tool:fs:Read,2.0000,1.0000,0.6667,1,${NOON}`,
  `tool:web:Search,1.0000,3.0000,0.2500,2,${NOON}`,
  '',
].join('\n');

describe('svc learning', () => {
  it('exports runs and posteriors as CSV, byte for byte, a formula as text', async () => {
    expect((await svc('learning', 'export', '--format', 'csv', '--no-posteriors')).stdout).toBe(RUNS_CSV);
    expect((await svc('learning', 'export', '--format', 'csv', '--no-traces')).stdout).toBe(ARMS_CSV);
    expect((await svc('learning', 'export', '--format', 'csv')).stdout).toBe(`${RUNS_CSV}\n${ARMS_CSV}`);
  });

  it('exports JSON with the columns of an export', async () => {
    const { stdout } = await svc('learning', 'export');
    const { traces, posteriors } = JSON.parse(stdout);
    expect(traces).toHaveLength(3);
    expect(traces[0]).toEqual({
      ...RUN,
      channel: 'chat',
      sessionKey: null,
      context: { sessionKey: null, channel: 'chat', provider: 'openai', model: 'gpt-4o' },
      usage: { ...RUN.usage, cacheRead: 0 },
      error: null,
    });
    expect(posteriors).toEqual([
      { armId: 'tool:fs:Read', alpha: 2, beta: 1, pulls: 1, lastUpdated: NOON },
      { armId: 'tool:web:Search', alpha: 1, beta: 3, pulls: 2, lastUpdated: NOON },
    ]);
    expect(Object.keys(JSON.parse((await svc('learning', 'export', '--no-traces')).stdout))).toEqual(['posteriors']);
    expect(Object.keys(JSON.parse((await svc('learning', 'export', '--no-posteriors')).stdout))).toEqual(['traces']);
  });

  it('says what is wrong with an export of nothing, or of another format', async () => {
    const nothing = await svc('learning', 'export', '--no-traces', '--no-posteriors');
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('leave nothing to export')]);
    const format = await svc('learning', 'export', '--format', 'xml');
    expect([format.code, format.stderr]).toEqual([2, expect.stringContaining('json, csv')]);
  });

  it('shows the best and the worst arms, and the settings', async () => {
    const { stdout } = await svc('learning', 'status');
    expect(stdout).toMatch(/top arms[\s\S]*tool:fs:Read\W+0\.667[\s\S]*tool:web:Search\W+0\.250/);
    const status = await svcJson('learning', 'status');
    expect(status.summary).toMatchObject({ traceCount: 3, armCount: 2, totalTokens: 2400 });
    expect(status.top.map(({ armId }: { armId: string }) => armId)).toEqual(['tool:fs:Read', 'tool:web:Search']);
    expect(status.bottom).toEqual([]);
    expect((await svc('learning', 'config')).stdout).toContain('tool:exec:Bash');
    expect(await svcJson('learning', 'config')).toMatchObject({ phase: 'passive', tokenBudget: 8000, minPulls: 5 });
  });
});

it('svc learning status of many arms shows the ten best, and apart from them the ten worst, worst first', async () => {
  const own = process.env.SVC_DATA_DIR;
  const directory = temporaryDirectory();
  const store = await openSqlite(join(directory, 'svc.sqlite'));
  const world = await gatewayWorld({ store });
  const ids = Array.from({ length: 22 }, (_, i) => `arm-${String(i).padStart(2, '0')}`);
  for (const [i, id] of ids.entries()) await world.learning('/reward', post({ arm_id: id, reward: 1 - i / 22 }));
  await world.close();
  await store.close();
  process.env.SVC_DATA_DIR = directory;
  try {
    const { top, bottom } = await svcJson('learning', 'status');
    const named = (arms: ReadonlyArray<{ armId: string }>) => arms.map(({ armId }) => armId);
    expect([named(top), named(bottom)]).toEqual([ids.slice(0, 10), ids.slice(12).reverse()]);
    expect((await svc('learning', 'status')).stdout).toMatch(/top arms[\s\S]*arm-00[\s\S]*bottom arms[\s\S]*arm-21/);
  } finally {
    process.env.SVC_DATA_DIR = own;
  }
});

describe('svc green', () => {
  it('exports summary, traces and total as JSON, as many traces as asked for', async () => {
    const { summary, traces, total } = JSON.parse((await svc('green', 'export', '--format', 'json')).stdout);
    expect([total, traces.length, summary.traceCount]).toEqual([4, 4, 4]);
    expect(Object.keys(summary.byModel).sort()).toEqual([FORMULA, 'gpt-4o', 'mistral-large-2411']);
    expect(traces[2]).toMatchObject({ traceId: 'c1', totalCo2Grams: 2970, scope: 3, category: 1, gridCarbonUsed: 400 });
    const few = JSON.parse((await svc('green', 'export', '--limit', '1')).stdout);
    expect([few.traces.length, few.total]).toEqual([1, 4]);
  });

  it('exports the four reports of a period', async () => {
    const report = async (...args: string[]) => JSON.parse((await svc('green', 'export', '--format', ...args)).stdout);
    expect(await report('ghg-protocol', '--period', '2024-02')).toMatchObject({
      reportingPeriod: '2024-02',
      scope3Category1: { emissions_tCO2eq: 0.00297, calculationMethod: 'supplier-specific', dataQuality: 'Good' },
    });
    expect(await report('cdp', '--period', '2025')).toMatchObject({ reportingYear: 2025 });
    expect((await report('tcfd', '--period', '2025', '--baseline', '2024')).absoluteEmissions).toEqual({
      scope3Cat1_tCO2eq: 0.00297,
      reportingPeriod: '2025',
      comparisonToBaseline: { baseYear: 2024, changePercent: 0 },
    });
    expect(await report('iso14064', '--period', '2024-W09')).toMatchObject({
      reportingPeriod: { start: '2024-02-26', end: '2024-03-03' },
      emissions: { scope3Cat1_tCO2eq: 0.00297 },
    });
  });

  it.each([
    [['--format', 'cdp', '--period', '2024-Q1'], 'CDP reports a year'],
    [['--format', 'ghg-protocol', '--period', '2024-Q5'], 'period must be a year'],
    [['--format', 'json', '--period', '2024'], '--period goes with a report'],
    [['--format', 'cdp', '--baseline', '2020'], '--baseline goes with --format tcfd'],
    [['--format', 'tcfd', '--limit', '5'], '--limit goes with --format json'],
    [['--format', 'pdf'], 'iso14064'],
    [['--limit', 'abc'], 'abc'],
  ])('refuses %j', async (args, text) => {
    const { code, stderr, stdout } = await svc('green', 'export', ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(text);
  });

  it('shows the status, a derivation, and computes anew', async () => {
    expect((await svc('green', 'status')).stdout).toMatch(/CO2e\s+5\.94 kg[\s\S]*mistral_ai/);
    const { stdout } = await svc('green', 'factors', '--explain', 'openai/gpt-4o', '--region', 'eu-north-1');
    expect(stdout).toContain('gpt-4o matches the row openai/gpt-4o.');
    expect(stdout).toContain('40.695 g/kWh (eu-north-1)');
    expect((await svcJson('green', 'factors')).factors.length).toBeGreaterThan(50);
    expect(await svcJson('green', 'recompute')).toMatchObject({ traces: 4, changed: 0 });
  });

  it('adds, lists and removes targets', async () => {
    const given = ['--base-year', '2024', '--target-year', '2030', '--reduction', '42', '--pathway', '2C', '--id', 'x'];
    expect(await svcJson('green', 'targets', 'add', 'Less', ...given)).toMatchObject({
      targetId: 'x',
      name: 'Less',
      baseYearEmissionsGrams: 2970,
    });
    const again = await svc('green', 'targets', 'add', 'Less', ...given);
    expect([again.code !== 0, again.stderr]).toEqual([true, expect.stringContaining('A target x exists')]);
    const { targets, progress } = await svcJson('green', 'targets', 'list');
    expect([targets.length, progress[0].target.targetId]).toEqual([1, 'x']);
    expect(await svcJson('green', 'targets', 'remove', 'x')).toEqual({ removed: 'x' });
    expect((await svc('green', 'targets', 'remove', 'x')).stderr).toContain('does not exist');
  });
});
