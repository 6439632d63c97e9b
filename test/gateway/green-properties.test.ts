import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type GreenSums, sumDays, sumTraces } from '../../src/backends/store/gateway/green-rollups.js';
import { type GatewayWorld, gatewayWorld } from './world.js';

const DAY = 86_400_000;
const START = Date.UTC(2023, 0, 1);
/** 2023 and 2024, which has a leap day. */
const DAYS = 731;

let world: GatewayWorld;
beforeEach(async () => {
  world = await gatewayWorld({ now: Date.UTC(2025, 5, 15) });
});
afterEach(() => world.close());

const call = fc.record({
  // Whole days, their first and last milliseconds, and anything between.
  timestamp: fc
    .tuple(fc.integer({ min: 0, max: DAYS - 1 }), fc.oneof(fc.constantFrom(0, 1, DAY - 1), fc.nat(DAY - 1)))
    .map(([day, ms]) => START + day * DAY + ms),
  provider: fc.constantFrom('openai', 'anthropic', 'mistral_ai', 'zorp', '__proto__'),
  model: fc.constantFrom('gpt-4o', 'claude-sonnet-4-5', 'mistral-large-2411', 'zorp-1', 'constructor'),
  inputTokens: fc.nat(100_000),
  outputTokens: fc.nat(10_000),
  cacheReadTokens: fc.nat(50_000),
  region: fc.constantFrom(undefined, 'eu-north-1', 'eastus'),
});

let batch = 0;
async function take(calls: ReadonlyArray<Record<string, unknown>>): Promise<void> {
  batch += 1;
  const records = calls.map((one, i) => ({ ...one, key: `${batch}/${i}`, traceId: `${batch}/${i}`, runId: 'r' }));
  await world.gateway.intake.submit({
    calls: records as never,
    runs: [],
    rewards: [],
    received: records.length,
    rejected: 0,
  });
}

const tonnes = async (period: string): Promise<number> =>
  (await world.gateway.green.reports.ghgProtocol(period)).scope3Category1.emissions_tCO2eq;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const near = (value: number) => expect.closeTo(value, 12 - Math.max(0, Math.ceil(Math.log10(value + 1e-9))));

/** Sums by what distinguishes a rollup, whatever the day. */
function bySums(rows: readonly GreenSums[]): Map<string, number[]> {
  const sums = new Map<string, number[]>();
  for (const row of rows) {
    const { provider, model, factorId, calculationMethod, ...numbers } = row;
    const key = JSON.stringify([provider, model, factorId, calculationMethod]);
    const known = sums.get(key);
    const values = Object.entries(numbers)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, value]) => Number(value));
    sums.set(key, known === undefined ? values : values.map((value, i) => value + known[i]!));
  }
  return sums;
}

it('periods add up, providers add up, rollups equal a full recount, and recomputing changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 60 }), async (calls) => {
      await take(calls);
      for (const year of ['2023', '2024']) {
        const whole = await tonnes(year);
        const quarters = await Promise.all([1, 2, 3, 4].map((n) => tonnes(`${year}-Q${n}`)));
        const months = await Promise.all(
          Array.from({ length: 12 }, (_, i) => tonnes(`${year}-${String(i + 1).padStart(2, '0')}`)),
        );
        expect([sum(quarters), sum(months)]).toEqual([near(whole), near(whole)]);
      }
      const summary = await world.gateway.green.summary();
      for (const groups of [Object.values(summary.byProvider), Object.values(summary.byModel)]) {
        expect(sum(groups.map(({ co2Grams }) => co2Grams))).toEqual(near(summary.totalCo2Grams));
        expect(sum(groups.map(({ waterMl }) => waterMl))).toEqual(near(summary.totalWaterMl));
        expect(sum(groups.map(({ tokens }) => tokens))).toBe(summary.totalTokens);
        expect(sum(groups.map(({ traces }) => traces))).toBe(summary.traceCount);
      }
      expect(sum(summary.providers.map(({ totalCo2Grams }) => totalCo2Grams))).toEqual(near(summary.totalCo2Grams));
      const { db } = world.store;
      const rolled = bySums(await sumDays(db, START / DAY, START / DAY + DAYS));
      const counted = bySums(await sumTraces(db, { since: START, until: START + DAYS * DAY }));
      expect([...rolled.keys()].sort()).toEqual([...counted.keys()].sort());
      for (const [key, values] of rolled) expect(values).toEqual(counted.get(key)!.map(near));
      const { changed, traces } = await world.gateway.green.recompute();
      expect([changed, traces]).toEqual([0, summary.traceCount]);
      expect(await world.gateway.green.summary()).toEqual(summary);
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 12) },
  );
});

it('a call of 29 February counts in that day, its month, its quarter and its week', async () => {
  await take([
    {
      timestamp: Date.UTC(2024, 1, 29, 23, 59, 59, 999),
      provider: 'openai',
      model: 'gpt-4o',
      inputTokens: 0,
      outputTokens: 1_000_000,
      cacheReadTokens: 0,
    },
  ]);
  for (const period of ['2024', '2024-Q1', '2024-02', '2024-W09'])
    expect(await tonnes(period)).toBeCloseTo(0.00058, 12);
  for (const period of ['2023', '2024-03', '2024-01', '2024-Q2', '2024-W08', '2024-W10', '2023-02']) {
    expect(await tonnes(period)).toBe(0);
  }
  const { buckets } = await world.gateway.green.timeseries('1d');
  expect(buckets.map(({ t }) => t)).toEqual([Date.UTC(2024, 1, 29)]);
});

it('an empty period has zeros in every report, and no share of nothing', async () => {
  const { reports } = world.gateway.green;
  const [ghg, cdp, tcfd, iso] = await Promise.all([
    reports.ghgProtocol('2001'),
    reports.cdp(2001),
    reports.tcfd('2001', 2000),
    reports.iso14064('2001'),
  ]);
  expect(ghg.scope3Category1).toMatchObject({ emissions_tCO2eq: 0, uncertainty_percent: 0, emissionFactorSources: [] });
  expect(cdp.scope3.category1).toMatchObject({ emissions_tCO2eq: 0, percentageCalculatedUsingPrimaryData: 0 });
  expect(cdp.intensity.map(({ value }) => value)).toEqual([0, 0]);
  expect(tcfd.absoluteEmissions).toEqual({ scope3Cat1_tCO2eq: 0, reportingPeriod: '2001' });
  expect(tcfd.historicalTrend.map(({ emissions_tCO2eq }) => emissions_tCO2eq)).toEqual([0, 0, 0, 0]);
  expect(iso.emissions).toEqual({ scope3Cat1_tCO2eq: 0, uncertainty_tCO2eq: 0 });
  expect(JSON.stringify([ghg, cdp, tcfd, iso])).not.toMatch(/NaN|null|Infinity/);
});

it('the time zone of the machine never matters, also where a clock changes', () => {
  const printed = ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'].map((TZ) =>
    execFileSync(process.execPath, ['--import', 'tsx', 'test/gateway/print-periods.ts'], {
      env: { ...process.env, TZ, NODE_OPTIONS: '' },
      encoding: 'utf8',
    }),
  );
  expect(printed[0]).toContain('2024-Q1');
  // The machine does have these zones: the hour on the wall differs.
  expect(new Set(printed.map((text) => text.split('\n')[0])).size).toBe(4);
  expect(new Set(printed.map((text) => text.split('\n').slice(1).join('\n'))).size).toBe(1);
}, 60_000);
