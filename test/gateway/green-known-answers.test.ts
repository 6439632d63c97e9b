import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type GreenSums, sumDays, sumTraces } from '../../src/backends/store/gateway/green-rollups.js';
import { type GatewayWorld, gatewayWorld, post } from './world.js';

// Made by known_answers.py beside it, which shares no code with the service.
const known = JSON.parse(readFileSync('test/fixtures/green/known-answers.json', 'utf8'));
/** Equal to twelve digits. */
const near = (value: number) =>
  expect.closeTo(value, Math.max(0, 12 - Math.ceil(Math.log10(Math.abs(value) + 1e-9))) as number);

let world: GatewayWorld;
beforeAll(async () => {
  world = await gatewayWorld({ now: known.now });
  const taken = await world.green('/ingest', post(known.traces));
  expect(taken.body).toEqual({ accepted: 200, duplicates: 0 });
});
afterAll(() => world.close());

/** The same value with every number equal to twelve digits. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function nearly(value: any): any {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : near(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(nearly);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, nearly(one)]));
}

/** What is the same in every period, with what differs. */
// biome-ignore lint/suspicious/noExplicitAny: reports of every shape
function merged(same: any, varying: any): any {
  if (typeof same !== 'object' || Array.isArray(same) || typeof varying !== 'object' || Array.isArray(varying)) {
    return varying ?? same;
  }
  const names = new Set([...Object.keys(same), ...Object.keys(varying)]);
  return Object.fromEntries(
    [...names].map((name) => [name, merged(same[name] ?? varying[name], varying[name] ?? same[name])]),
  );
}

it('every field of every trace', async () => {
  const { body } = await world.green('/traces?limit=1000');
  const byId = new Map(known.traces.map((trace: { traceId: string }) => [trace.traceId, trace]));
  const expected = known.computed.map((row: { traceId: string }) => nearly({ ...byId.get(row.traceId)!, ...row }));
  const newestFirst = (x: { timestamp: number }, y: { timestamp: number }) => y.timestamp - x.timestamp;
  expect(body).toEqual({ traces: expected.sort(newestFirst), total: 200, limit: 1000, offset: 0 });
});

it.each(Object.keys(known.summaries))('summary of "%s", every field', async (year) => {
  const range = year === '' ? '' : `?since=${Date.UTC(Number(year), 0)}&until=${Date.UTC(Number(year) + 1, 0)}`;
  const { body } = await world.green(`/summary${range}`);
  const { uncertaintyDetail, ...rest } = known.summaries[year];
  const { method, rho, ...interval } = uncertaintyDetail;
  expect(body).toEqual({ ...nearly(rest), uncertaintyDetail: body.uncertaintyDetail });
  expect(body.uncertaintyDetail).toMatchObject({ method, rho });
  expect(Object.keys(body.uncertaintyDetail).sort()).toEqual(Object.keys(uncertaintyDetail).sort());
  // Other draws, and twenty times as many.
  for (const [name, value] of Object.entries(interval as Record<string, number>)) {
    expect([name, Math.abs(body.uncertaintyDetail[name] / value - 1) < 0.03]).toEqual([name, true]);
  }
});

it('intensity, every field', async () => {
  expect((await world.green('/intensity')).body).toEqual(nearly(known.intensity));
});

it.each(['1h', '1d', '7d'])('timeseries of %s', async (window) => {
  expect((await world.green(`/timeseries?window=${window}`)).body).toEqual({ buckets: nearly(known.series[window]) });
});

it.each(Object.keys(known.periods))('reports of %s, every field', async (period) => {
  const reports = known.periods[period] as Record<string, unknown>;
  expect(Object.keys(reports).length).toBe(period.length === 4 ? 4 : 3);
  for (const [name, varying] of Object.entries(reports)) {
    const { body } = await world.green(`/export/${name}?${name === 'cdp' ? 'year' : 'period'}=${period}`);
    expect([name, body]).toEqual([name, nearly(merged(known.texts[name], varying))]);
  }
  const { absoluteEmissions } = (await world.green(`/export/tcfd?period=${period}&baseYear=2024`)).body;
  const change = known.changes[period];
  expect(absoluteEmissions.comparisonToBaseline).toEqual(
    change === null ? undefined : { baseYear: 2024, changePercent: nearly(change) },
  );
});

it('targets and their progress, every field, annualised and by the last 365 days', async () => {
  for (const target of known.targets) {
    const added = await world.green('/targets', post({ ...target, targetId: target.name }));
    expect(added.status).toBeLessThan(300);
  }
  for (const moment of ['now', 'later']) {
    world.now = known[moment];
    const progress = nearly(known.progress[moment]);
    const { body } = await world.green('/targets');
    const byName = (x: { target: { name: string } }, y: { target: { name: string } }) =>
      x.target.name < y.target.name ? -1 : 1;
    expect([...body.progress].sort(byName)).toEqual(progress);
    expect(body.targets).toEqual(body.progress.map(({ target }: { target: unknown }) => target));
    // The report carries the same.
    expect((await world.green('/export/tcfd?period=2025')).body.targets).toEqual(body.progress);
  }
  world.now = known.now;
});

it('recompute with the same table changes nothing; quarters add up to the year', async () => {
  const before = (await world.green('/summary')).text;
  expect(await world.gateway.green.recompute()).toMatchObject({ traces: 200, changed: 0 });
  expect((await world.green('/summary')).text).toBe(before);
  for (const year of [2024, 2025, 2026]) {
    let sum = 0;
    for (const q of [1, 2, 3, 4]) {
      sum += (await world.green(`/export/ghg-protocol?period=${year}-Q${q}`)).body.scope3Category1.emissions_tCO2eq;
    }
    expect(sum).toBeCloseTo(known.periods[year]['ghg-protocol'].scope3Category1.emissions_tCO2eq, 12);
  }
});

it('the rollups equal a recount of the traces', async () => {
  const { db } = world.store;
  const key = (row: GreenSums) => `${row.provider} ${row.model} ${row.factorId} ${row.calculationMethod}`;
  const sorted = (rows: GreenSums[]) => [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  const kept = sorted(await sumDays(db, 0, 100_000));
  const counted = sorted(await sumTraces(db, { since: 0, until: Number.MAX_SAFE_INTEGER }));
  expect(kept.map(key)).toEqual(counted.map(key));
  for (const [i, row] of kept.entries()) {
    for (const [name, value] of Object.entries(row)) {
      if (typeof value === 'number') expect(value).toBeCloseTo(counted[i]![name as 'traces'], 6);
    }
  }
});
