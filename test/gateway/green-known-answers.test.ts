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

it('summary, every field', async () => {
  const { body } = await world.green('/summary');
  const { providers, equivalents, uncertaintyDetail, ...rest } = known.summary;
  const { method, rho, ...interval } = body.uncertaintyDetail;
  expect(body).toEqual({
    ...nearly(rest),
    providers: Object.entries(providers as Record<string, { totalCo2Grams: number }>)
      .map(([provider, row]) => ({ provider, ...row }))
      .sort((x, y) => y.totalCo2Grams - x.totalCo2Grams)
      .map(nearly),
    equivalents: { ...nearly(equivalents), profile: 'classic' },
    uncertaintyDetail: body.uncertaintyDetail,
  });
  expect([method, rho]).toEqual([expect.stringContaining('10,000 seeded draws'), 0.5]);
  // Other draws, and twenty times as many.
  for (const [name, value] of Object.entries(uncertaintyDetail as Record<string, number>)) {
    expect([name, Math.abs(interval[name] / value - 1) < 0.03]).toEqual([name, true]);
  }
});

it('intensity', async () => {
  const { summary } = known;
  expect((await world.green('/intensity')).body).toEqual({
    totalTokens: summary.totalTokens,
    totalTraces: 200,
    intensityPerMillionTokens: near(summary.intensityPerMillionTokens),
    intensityPerQuery: near(summary.intensityPerQuery),
    uncertainty: { lower: summary.uncertaintyLower, upper: summary.uncertaintyUpper },
  });
});

it.each(['1h', '1d', '7d'])('timeseries of %s', async (window) => {
  const { buckets } = (await world.green(`/timeseries?window=${window}`)).body;
  expect(buckets).toEqual(
    known.series[window].map((bucket: { co2Grams: number }) => ({ ...bucket, co2Grams: near(bucket.co2Grams) })),
  );
});

it.each(['2024', '2025', '2026', '2025-Q2', '2025-07'])('reports of %s', async (period) => {
  const answer = known.periods[period];
  const ghg = (await world.green(`/export/ghg-protocol?period=${period}`)).body;
  expect(ghg.reportingPeriod).toBe(period);
  expect(ghg.scope3Category1).toMatchObject({
    emissions_tCO2eq: near(answer.tonnes),
    calculationMethod: answer.method,
    dataQuality: answer.ghgQuality,
    uncertainty_percent: answer.uncertainty,
  });
  expect(ghg.scope3Category1.emissionFactorSources.length).toBeLessThanOrEqual(answer.models);
  expect(ghg.disclosures.percentSupplierSpecificData).toEqual(near(answer.supplier));
  expect(ghg.disclosures.percentFallbackFactors).toEqual(near(answer.fallback));
  const iso = (await world.green(`/export/iso14064?period=${period}`)).body;
  expect(iso.emissions).toEqual({
    scope3Cat1_tCO2eq: near(answer.tonnes),
    uncertainty_tCO2eq: near((answer.tonnes * answer.uncertainty) / 100),
  });
  expect([iso.standard, iso.isoCategory, iso.reportingPeriod]).toEqual(['ISO 14064-1:2018', 4, answer.days]);
  expect(iso.operationalBoundary.scope3.category1).toEqual({
    included: true,
    sources: answer.providers.map((name: string) => `Purchased model inference: ${name}`),
  });
  expect(iso.quantificationMethodology.method).toBe('calculation');
  expect(iso.uncertainty.overallUncertainty_percent).toBe(answer.uncertainty);
  const tcfd = (await world.green(`/export/tcfd?period=${period}`)).body;
  expect(tcfd.absoluteEmissions).toEqual({ scope3Cat1_tCO2eq: near(answer.tonnes), reportingPeriod: period });
  expect(tcfd.carbonIntensity).toEqual({
    perMillionTokens_gCO2eq: near(answer.perMillion),
    perApiCall_gCO2eq: near(answer.perCall),
  });
  if (period.length > 4) return;
  const cdp = (await world.green(`/export/cdp?year=${period}`)).body;
  expect(cdp).toMatchObject({
    reportingYear: Number(period),
    scope3: {
      category1: {
        emissions_tCO2eq: near(answer.tonnes),
        methodology: answer.method,
        dataQuality: answer.cdpQuality,
        percentageCalculatedUsingPrimaryData: near(answer.supplier),
      },
    },
    intensity: [
      { metric: 'CO2 per million tokens', value: near(answer.perMillion), unit: 'gCO2eq/1M tokens' },
      { metric: 'CO2 per API call', value: near(answer.perCall), unit: 'gCO2eq/call' },
    ],
  });
});

it('trend, comparison and target', async () => {
  const { body } = await world.green('/export/tcfd?period=2025&baseYear=2024');
  expect(body.historicalTrend).toEqual(
    known.trend.map(({ period, grams }: { period: string; grams: number }) => ({
      period,
      emissions_tCO2eq: near(grams / 1e6),
    })),
  );
  expect(body.absoluteEmissions.comparisonToBaseline).toEqual({ baseYear: 2024, changePercent: near(known.change) });
  expect(
    (await world.green('/export/tcfd?period=2025&baseYear=2010')).body.absoluteEmissions.comparisonToBaseline,
  ).toBeUndefined();
  await world.green(
    '/targets',
    post({ name: 'x', baseYear: 2024, targetYear: 2030, targetReductionPercent: 40, pathway: '2C' }),
  );
  const [progress] = (await world.green('/targets')).body.progress;
  const { baseYearEmissionsGrams, ...answers } = known.target;
  expect(progress).toEqual({ ...nearly(answers), target: progress.target });
  expect(progress.target.baseYearEmissionsGrams).toEqual(near(baseYearEmissionsGrams));
  expect((await world.green('/export/tcfd?period=2025')).body.targets).toEqual([progress]);
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
    expect(sum).toBeCloseTo(known.periods[year].tonnes, 12);
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
