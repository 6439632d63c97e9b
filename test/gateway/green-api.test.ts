import { expect, it } from '@jest/globals';
import { operations } from '../../src/operations/index.js';
import { settings, TRACE } from './green-inputs.js';
import { NOON, post, worldsOfEachTest } from './world.js';

const open = worldsOfEachTest();

it('computes grams and millilitres from tokens and factors', async () => {
  const world = await open({ settings });
  expect((await world.green('/ingest', post(TRACE))).body).toEqual({ accepted: 1, duplicates: 0 });
  const { body } = await world.green('/traces');
  expect(body).toMatchObject({ total: 1, limit: 100, offset: 0 });
  expect(body.traces).toEqual([
    {
      ...TRACE,
      inputCo2Grams: expect.closeTo(0.225, 12),
      outputCo2Grams: expect.closeTo(0.225, 12),
      cacheCo2Grams: 0,
      totalCo2Grams: expect.closeTo(0.45, 12),
      waterMl: expect.closeTo(6, 12),
      confidence: 0.5,
      gridCarbonUsed: 400,
      scope: 3,
      category: 1,
      calculationMethod: 'hybrid',
      dataQualityScore: 3,
      factorId: 'override:anthropic/claude-test',
      factorSource: 'research',
    },
  ]);
});

it('answers the summary with the union of both declared field sets', async () => {
  const world = await open({ settings });
  await world.green(
    '/ingest',
    post([TRACE, { ...TRACE, traceId: 't2', provider: 'openai', model: 'gpt-4o', timestamp: NOON - 1 }]),
  );
  const { body, headers } = await world.green('/summary');
  const other = (1500 / 1e6) * 58 + (500 / 1e6) * 580;
  const total = 0.45 + other;
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(body).toEqual({
    traceCount: 2,
    totalCo2Grams: expect.closeTo(total, 12),
    totalWaterMl: expect.closeTo(6 + (2000 / 1e6) * 1400, 12),
    avgCo2PerTrace: expect.closeTo(total / 2, 12),
    avgConfidence: 0.35,
    totalTokens: 4000,
    intensityPerMillionTokens: expect.closeTo(total * 250, 9),
    intensityPerQuery: expect.closeTo(total / 2, 12),
    uncertaintyLower: 0.5,
    uncertaintyUpper: 1.5,
    uncertaintyDetail: {
      method: expect.any(String),
      rho: 0.5,
      p2_5Grams: expect.any(Number),
      p50Grams: expect.any(Number),
      p97_5Grams: expect.any(Number),
    },
    minTimestamp: NOON - 1,
    maxTimestamp: NOON,
    oldestTimestamp: NOON - 1,
    newestTimestamp: NOON,
    dateRange: { start: '2026-06-15', end: '2026-06-15' },
    providers: [
      {
        provider: 'anthropic',
        traceCount: 1,
        totalCo2Grams: expect.closeTo(0.45, 12),
        percentage: expect.closeTo(45 / total, 9),
      },
      {
        provider: 'openai',
        traceCount: 1,
        totalCo2Grams: expect.closeTo(other, 12),
        percentage: expect.closeTo((100 * other) / total, 9),
      },
    ],
    byProvider: {
      anthropic: { traces: 1, co2Grams: expect.closeTo(0.45, 12), waterMl: expect.closeTo(6, 12), tokens: 2000 },
      openai: { traces: 1, co2Grams: expect.closeTo(other, 12), waterMl: expect.closeTo(2.8, 12), tokens: 2000 },
    },
    byModel: {
      'claude-test': {
        traces: 1,
        co2Grams: expect.closeTo(0.45, 12),
        waterMl: expect.closeTo(6, 12),
        tokens: 2000,
        avgCo2PerTrace: expect.closeTo(0.45, 12),
      },
      'gpt-4o': {
        traces: 1,
        co2Grams: expect.closeTo(other, 12),
        waterMl: expect.closeTo(2.8, 12),
        tokens: 2000,
        avgCo2PerTrace: expect.closeTo(other, 12),
      },
    },
    equivalents: {
      carKm: expect.closeTo(total / 120, 12),
      phoneCharges: Math.round(total / 10),
      treeDays: expect.closeTo(total / 48, 12),
      webSearches: Math.round(total / 0.2),
      streamingHours: expect.closeTo(total / 36, 12),
      profile: 'classic',
    },
    confidence: { label: 'low', description: 'Estimated from similar models' },
    fallbackShare: 0,
  });
  expect((await world.green('/intensity')).body).toEqual({
    totalTokens: 4000,
    totalTraces: 2,
    intensityPerMillionTokens: body.intensityPerMillionTokens,
    intensityPerQuery: body.intensityPerQuery,
    uncertainty: { lower: 0.5, upper: 1.5 },
  });
});

it('counts generic classes as fallback, not a flagship that stands in, and says so', async () => {
  const world = await open();
  const call = (traceId: string, provider: string, model: string) => ({ ...TRACE, traceId, provider, model });
  await world.green('/ingest', post([call('a', 'mistral', 'mystery-9000'), call('b', 'zorp', 'zorp-1')]));
  const { traces } = (await world.green('/traces')).body;
  const sources = traces.map(({ provider, factorSource }: Record<string, string>) => [provider, factorSource]);
  expect(Object.fromEntries(sources)).toEqual({ mistral: 'estimated', zorp: 'fallback' });
  expect((await world.green('/summary')).body).toMatchObject({
    avgConfidence: 0.15,
    confidence: { label: 'very_low', description: 'Fallback estimate' },
    fallbackShare: 0.5,
  });
  const members = operations.green_summary.output.properties;
  expect(members.fallbackShare.description).toContain('is no fallback');
  expect(members.confidence.description).toContain('avgConfidence alone');
});

it('answers zeros where nothing is recorded', async () => {
  const world = await open();
  const { body } = await world.green('/summary');
  expect(body).toMatchObject({
    traceCount: 0,
    totalCo2Grams: 0,
    avgCo2PerTrace: 0,
    avgConfidence: 0,
    intensityPerMillionTokens: 0,
    minTimestamp: null,
    oldestTimestamp: null,
    dateRange: { start: '', end: '' },
    providers: [],
    byProvider: {},
    uncertaintyDetail: { p2_5Grams: 0, p97_5Grams: 0 },
  });
  expect((await world.green('/timeseries')).body).toEqual({ buckets: [] });
  expect((await world.green('/targets')).body).toEqual({ targets: [], progress: [] });
  for (const path of ['ghg-protocol', 'cdp', 'tcfd', 'iso14064']) {
    const report = await world.green(`/export/${path}`);
    expect(report.status).toBe(200);
    expect(report.text).not.toContain('NaN');
    expect(report.text.toLowerCase()).not.toContain('compliant');
  }
});

it('reports the current year where no period is named', async () => {
  const world = await open();
  const report = async (name: string) => (await world.green(`/export/${name}`)).body;
  expect((await report('ghg-protocol')).reportingPeriod).toBe('2026');
  expect((await report('cdp')).reportingYear).toBe(2026);
  expect((await report('tcfd')).absoluteEmissions.reportingPeriod).toBe('2026');
  expect((await report('iso14064')).reportingPeriod).toEqual({ start: '2026-01-01', end: '2026-12-31' });
});

it('shows the configuration and the factor table', async () => {
  const world = await open({ environment: { SVC_GREEN_GRID_CARBON: '250' } });
  expect((await world.green('/config')).body).toEqual({
    enabled: true,
    defaultGridCarbon: 250,
    factorOverrides: {},
    dailyAlertThreshold: null,
    showInStatus: true,
  });
  const { factors } = (await world.green('/factors')).body;
  expect(factors.length).toBeGreaterThan(50);
  expect(factors.find((factor: { model: string }) => factor.model === 'gpt-4o')).toEqual({
    provider: 'openai',
    model: 'gpt-4o',
    inputCo2PerMillionTokens: 58,
    outputCo2PerMillionTokens: 580,
    cacheReadCo2PerMillionTokens: 5.8,
    waterMlPerMillionTokens: 1400,
    confidence: 0.2,
    source: 'estimated',
    lastUpdated: expect.any(Number),
    low: 269,
    high: 1340,
    routes: expect.stringContaining('Jg 1235'),
    citation: expect.stringContaining('arXiv'),
  });
  expect(factors.filter((factor: { source: string }) => factor.source === 'fallback')).toHaveLength(3);
});

it('filters and pages traces, newest first', async () => {
  const world = await open();
  const rows = Array.from({ length: 5 }, (_, i) => ({
    ...TRACE,
    traceId: `t${i}`,
    timestamp: NOON + i,
    provider: i % 2 === 0 ? 'openai' : 'mistral_ai',
    model: i === 4 ? 'gpt-4o' : 'mistral-large-2411',
  }));
  await world.green(
    '/ingest',
    post(rows.map((row) => JSON.stringify(row)).join('\n'), { 'Content-Type': 'application/x-ndjson' }),
  );
  const ids = async (query: string) =>
    (await world.green(`/traces${query}`)).body.traces.map((trace: { traceId: string }) => trace.traceId);
  expect(await ids('')).toEqual(['t4', 't3', 't2', 't1', 't0']);
  expect(await ids('?limit=2&offset=1')).toEqual(['t3', 't2']);
  expect(await ids('?provider=openai')).toEqual(['t4', 't2', 't0']);
  expect(await ids('?model=gpt-4o')).toEqual(['t4']);
  expect(await ids(`?since=${NOON + 3}`)).toEqual(['t4', 't3']);
  expect((await world.green('/traces?provider=openai&limit=1')).body).toMatchObject({ total: 3, limit: 1, offset: 0 });
  expect((await world.green('/traces?limit=5000')).body.limit).toBe(1000);
});

it('groups by windows aligned to the epoch', async () => {
  const world = await open({ settings });
  const at = (timestamp: number, traceId: string) => ({ ...TRACE, traceId, timestamp });
  await world.green(
    '/ingest',
    post([at(NOON + 60_000, 'a'), at(NOON + 120_000, 'b'), at(NOON + 3_600_000, 'c'), at(NOON + 86_400_000, 'd')]),
  );
  const series = async (window: string) => (await world.green(`/timeseries?window=${window}`)).body.buckets;
  const grams = (count: number) => expect.closeTo(0.45 * count, 12);
  expect(await series('1h')).toEqual([
    { t: NOON, co2Grams: grams(2), traceCount: 2 },
    { t: NOON + 3_600_000, co2Grams: grams(1), traceCount: 1 },
    { t: NOON + 86_400_000, co2Grams: grams(1), traceCount: 1 },
  ]);
  const day = NOON - 12 * 3_600_000;
  expect(await series('1d')).toEqual([
    { t: day, co2Grams: grams(3), traceCount: 3 },
    { t: day + 86_400_000, co2Grams: grams(1), traceCount: 1 },
  ]);
  const week = Math.floor(NOON / (7 * 86_400_000)) * 7 * 86_400_000;
  expect(await series('7d')).toEqual([{ t: week, co2Grams: grams(4), traceCount: 4 }]);
  expect((await world.green('/timeseries')).body.buckets).toEqual(await series('1d'));
  expect((await world.green(`/summary?since=${NOON + 120_000}&until=${NOON + 3_600_000}`)).body.traceCount).toBe(1);
  expect((await world.green(`/summary?since=${NOON + 120_000}`)).body.traceCount).toBe(3);
});

it('explains a factor of the installation as its own, and only what follows from the table as derived', async () => {
  const world = await open({
    settings: [
      [
        'green.factor_overrides',
        { 'openai/gpt-4o': { outputCo2PerMillionTokens: 7 }, 'openai/o3': { confidence: 0.4 } },
      ],
    ],
  });
  const explained = async (model: string) => {
    const { body } = await world.green(`/factors/explain?provider=openai&model=${model}`);
    return { ...body, text: body.steps.join(' ') };
  };
  const output = await explained('gpt-4o');
  expect(output.text).toContain('own values: outputCo2PerMillionTokens.');
  expect(output.text).toContain("Output tokens: 7 g per million, this installation's own value.");
  expect([output.text.includes('0.448'), output.whPerMillionOutputTokens]).toEqual([false, null]);
  const confidence = await explained('o3');
  expect(confidence.text).toContain('own values: confidence.');
  expect(confidence.text).toContain('makes 710 g per million output tokens');
  expect((await explained('gpt-4.1')).text).not.toContain('own value');
});
