import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { configFile } from '../../src/config/files.js';
import { emissionsOf } from '../../src/gateway/green/accounting/emissions.js';
import { closedInterval, simulatedInterval } from '../../src/gateway/green/accounting/uncertainty.js';
import { parseFactors } from '../../src/gateway/green/factors/factor-table.js';
import { gridOf, parseGrid, regionOfHost } from '../../src/gateway/green/factors/grid.js';
import { factorLookup } from '../../src/gateway/green/factors/lookup.js';
import { parsePeriod, trendQuarters } from '../../src/gateway/green/report/period.js';
import { progressOf } from '../../src/gateway/green/report/targets.js';

const factors = parseFactors(configFile('green-factors.yaml'));
const grid = parseGrid(configFile('green-grid.yaml'));
const find = factorLookup(factors);
const tables = { factors, grid, find, defaultGridCarbon: 400 };
const call = (model: string, inputTokens: number, outputTokens: number, region?: string) =>
  emissionsOf({ provider: 'p', model, inputTokens, outputTokens, cacheReadTokens: 0, region }, tables);

it('agrees with published figures', () => {
  expect(call('gemini-2.5-flash', 0, 300).totalCo2Grams).toBeCloseTo(0.1, 2);
  const large2 = call('mistral-large-2407', 200, 400);
  expect(large2.totalCo2Grams).toBeCloseTo(1.13, 2);
  expect(large2.waterMl).toBeCloseTo(45, 6);
  const wh = (model: string) => find('p', model).factor.whPerMillionOutputTokens!.centre;
  expect((wh('gpt-4o') * 260) / 1e6).toBeCloseTo(0.34, 2);
  expect((wh('llama-3.1-405b') * 1100) / 1e6).toBeCloseTo(8.6, 1);
});

it('derives grams and water of every row from its energy, to two digits', () => {
  for (const row of factors.rows) {
    expect(row.low).toBeLessThanOrEqual(row.outputCo2PerMillionTokens);
    expect(row.high).toBeGreaterThanOrEqual(row.outputCo2PerMillionTokens * 0.98);
    expect(row.citation.length).toBeGreaterThan(10);
    if (row.whPerMillionOutputTokens === undefined) continue;
    const { centre } = row.whPerMillionOutputTokens;
    expect(Math.abs(row.outputCo2PerMillionTokens / (0.448 * centre) - 1)).toBeLessThan(0.06);
    expect(Math.abs(row.waterMlPerMillionTokens / (0.325 * centre * 3.39) - 1)).toBeLessThan(0.06);
    expect(row.inputCo2PerMillionTokens / row.outputCo2PerMillionTokens).toBeCloseTo(0.1, 2);
  }
});

it.each([
  ['claude-opus-4-20250514', 'anthropic/claude-opus-4-2025'],
  ['claude-opus-4@20250514', 'anthropic/claude-opus-4-2025'],
  ['claude-opus-4-0', 'anthropic/claude-opus-4-0'],
  ['claude-opus-4-5-20251101', 'anthropic/claude-opus'],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic/claude-sonnet'],
  ['anthropic/claude-3-5-haiku-latest', 'anthropic/claude-3-5-haiku'],
  ['gpt-4o-mini-2024-07-18', 'openai/gpt-4o-mini'],
  ['azure/gpt-4.1', 'openai/gpt-4.1'],
  ['gpt-5.5-pro', 'openai/gpt-5.5'],
  ['gpt-5.2', 'openai/gpt-5'],
  ['o3-mini', 'openai/o3-mini'],
  ['mistral-large-2411', 'mistral_ai/mistral-large-2411'],
  ['mistral-large-latest', 'mistral_ai/mistral-large'],
  ['models/gemini-2.5-flash-lite-preview', 'gcp.gemini/gemini-*-flash-lite'],
  ['meta-llama/Meta-Llama-3.1-405B-Instruct', 'meta/llama-3.1-405b'],
  ['llama3.1:70b', 'meta/llama-3.1-70b'],
  ['claude-2.1', 'anthropic/claude-opus (flagship)'],
  ['text-embedding-3-small', '*/unknown:small'],
  ['zorp-large', '*/unknown:large'],
  ['zorp', '*/unknown'],
])('finds the factor of %s', (model, id) => {
  expect(find('p', model).factorId).toBe(id);
});

it('scales to the grid of the region, never a measured row', () => {
  const at = call('gpt-4o', 0, 1e6, 'eu-north-1');
  expect(at.totalCo2Grams).toBeCloseTo((580 * (40.695 / 400 + 0.12)) / 1.12, 9);
  expect(at.regionGridCarbon).toBe(40.695);
  expect(call('mistral-large-2411', 0, 1e6, 'eu-north-1').totalCo2Grams).toBe(2700);
  expect(regionOfHost(grid, 'us-central1-aiplatform.googleapis.com')).toBe('us-central1');
  expect(regionOfHost(grid, 'api.openai.com')).toBeUndefined();
});

it('has the grid values of the package', () => {
  const fixture = JSON.parse(readFileSync('test/fixtures/green/codecarbon-ten-countries.json', 'utf8'));
  const { countries } = fixture;
  expect(grid.source).toMatchObject({ package: fixture.package, version: fixture.version, licence: 'MIT' });
  expect(grid.source.years).toMatch(/2023/);
  expect(Object.keys(countries)).toHaveLength(10);
  for (const [country, value] of Object.entries(countries)) {
    expect(grid.countries[country]).toEqual(value);
    expect(gridOf(grid, country)).toBe((value as number[])[0]);
  }
});

it('has the countries of the cloud regions of the package', () => {
  const { regions } = JSON.parse(readFileSync('test/fixtures/green/codecarbon-cloud-regions.json', 'utf8'));
  const differing = Object.entries(regions).filter(([region, country]) => grid.regionCountry.get(region) !== country);
  // Hong Kong has a grid of its own; the other is a slip of the package for me-central1.
  expect(differing).toEqual([
    ['asia-east2', 'CHN'],
    ['me-cenrtal1', 'QAT'],
  ]);
  expect([grid.regionCountry.get('asia-east2'), grid.regionCountry.get('me-central1')]).toEqual(['HKG', 'QAT']);
  for (const country of grid.regionCountry.values()) expect(grid.countries[country]).toBeDefined();
});

it('has the number that docs/emissions-method.md follows', () => {
  const region = regionOfHost(grid, 'bedrock-runtime.eu-west-1.amazonaws.com');
  const { inputCo2Grams, outputCo2Grams, totalCo2Grams, waterMl } = call('claude-sonnet-4-5', 1500, 500, region);
  const shown = [inputCo2Grams, outputCo2Grams, totalCo2Grams].map((grams) => grams.toFixed(3));
  expect(readFileSync('docs/emissions-method.md', 'utf8')).toContain(`= ${shown[0]} + ${shown[1]} = ${shown[2]} g.`);
  expect([region, ...shown, waterMl]).toEqual(['eu-west-1', '0.125', '0.416', '0.541', expect.closeTo(5.2, 12)]);
});

it.each(['p/gpt-4o', 'p:gpt-4o', 'P/GPT-4o'])('lays an override %s over the row, member by member', (key) => {
  const found = factorLookup(factors, { [key]: { outputCo2PerMillionTokens: 5, confidence: 0.7 } })('p', 'gpt-4o');
  expect(found).toMatchObject({
    factorId: `override:${key}`,
    factor: { inputCo2PerMillionTokens: 58, outputCo2PerMillionTokens: 5, confidence: 0.7, source: 'estimated' },
  });
});

it('computes a call that reports a cost and no tokens by its dollars', () => {
  const usage = { provider: 'p', model: 'gpt-4o', inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, costUsd: 2 };
  expect(emissionsOf(usage, tables)).toMatchObject({
    totalCo2Grams: expect.closeTo(70, 12),
    waterMl: expect.closeTo(172, 12),
    calculationMethod: 'spend-based',
    factorId: 'spend',
    confidence: 0.15,
    dataQualityScore: 5,
  });
});

const share = fc.record({
  grams: fc.double({ min: 1, max: 1000, noNaN: true }),
  band: fc.constantFrom(0.15, 0.3, 0.5, 1),
});

it('simulated and closed intervals agree within 3 %, at both ends and in the middle', () => {
  fc.assert(
    fc.property(fc.array(share, { minLength: 1, maxLength: 12 }), (shares) => {
      const closed = closedInterval(shares);
      const drawn = simulatedInterval(shares);
      for (const name of ['p2_5', 'p50', 'p97_5'] as const) {
        expect(Math.abs(drawn[name] / closed[name] - 1)).toBeLessThan(0.03);
      }
    }),
    { numRuns: 60 },
  );
});

it('the interval of one factor is its band; of narrow bands it is that of error propagation', () => {
  for (const band of [0.15, 0.3, 0.5, 1]) {
    const { p2_5, p50, p97_5 } = closedInterval([{ grams: 10, band }]);
    expect([p2_5, p50, p97_5]).toEqual([
      expect.closeTo(10 / (1 + band), 9),
      expect.closeTo(10, 9),
      expect.closeTo(10 * (1 + band), 9),
    ]);
  }
  const narrow = fc.array(
    share.map(({ grams }) => ({ grams, band: 0.15 })),
    { minLength: 2, maxLength: 12 },
  );
  fc.assert(
    fc.property(narrow, (shares) => {
      const total = shares.reduce((sum, { grams }) => sum + grams, 0);
      const linear = shares.reduce((sum, { grams, band }) => sum + grams * band, 0);
      const squares = shares.reduce((sum, { grams, band }) => sum + (grams * band) ** 2, 0);
      const half = Math.sqrt(0.5 * linear ** 2 + 0.5 * squares);
      expect(Math.abs(closedInterval(shares).p97_5 / (total + half) - 1)).toBeLessThan(0.01);
    }),
  );
  expect(closedInterval([])).toEqual({ p2_5: 0, p50: 0, p97_5: 0 });
});

it('periods are half-open whole days in UTC', () => {
  const days = (name: string) => parsePeriod(name).end - parsePeriod(name).start;
  expect([days('2023'), days('2024'), days('2024-02'), days('2024-Q1'), days('2024-W09')]).toEqual([
    365, 366, 29, 91, 7,
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 1971, max: 2200 }), (year) => {
      const quarters = [1, 2, 3, 4].map((q) => parsePeriod(`${year}-Q${q}`));
      expect(quarters[0]!.start).toBe(parsePeriod(String(year)).start);
      expect(quarters[3]!.end).toBe(parsePeriod(String(year)).end);
      for (const [i, quarter] of quarters.entries()) if (i > 0) expect(quarter.start).toBe(quarters[i - 1]!.end);
    }),
  );
  expect(parsePeriod('2026-W01').start).toBe(Date.UTC(2025, 11, 29) / 86_400_000);
  expect(parsePeriod('2020-W53').end).toBe(Date.UTC(2021, 0, 4) / 86_400_000);
  expect(trendQuarters(parsePeriod('2025-Q2')).map(({ name }) => name)).toEqual([
    '2024-Q3',
    '2024-Q4',
    '2025-Q1',
    '2025-Q2',
  ]);
  const before = ['1969-Q2', '1969-Q3', '1969-Q4', '1970-Q1'];
  for (const first of ['1970-Q1', '1970-01', '1970-W01']) {
    expect(trendQuarters(parsePeriod(first)).map(({ name }) => name)).toEqual(before);
  }
  expect(parsePeriod('9999-W51').end).toBeLessThanOrEqual(parsePeriod('9999').end);
});

it('shows no target at 100 % in early January', () => {
  const target = {
    targetId: 't',
    name: 't',
    baseYear: 2024,
    baseYearEmissionsGrams: 1000,
    targetYear: 2030,
    targetReductionPercent: 50,
    pathway: '1.5C' as const,
    createdAt: 0,
  };
  const now = Date.UTC(2026, 0, 5);
  const young = progressOf(target, { thisYear: 10, trailing365: 10, oldest: now - 5 * 86_400_000 }, now);
  expect(young).toMatchObject({
    progressPercent: 0,
    onTrack: true,
    projectedEndYear: null,
    basis: 'insufficient-data',
  });
  const old = progressOf(target, { thisYear: 10, trailing365: 900, oldest: now - 400 * 86_400_000 }, now);
  expect(old).toMatchObject({
    progressPercent: 20,
    basis: 'trailing-365-days',
    onTrack: false,
    projectedEndYear: 2034,
  });
});
