import { expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { settings, TRACE } from './green-inputs.js';
import { gatewayWorld, NOON, post, worldsOfEachTest } from './world.js';

const open = worldsOfEachTest();

it('adds, lists and removes targets', async () => {
  const world = await open({ settings });
  await world.green('/ingest', post({ ...TRACE, timestamp: Date.UTC(2025, 3, 1) }));
  const target = { name: 'Halve it', baseYear: 2025, targetYear: 2030, targetReductionPercent: 50, pathway: '1.5C' };
  const added = await world.green('/targets', post({ targetId: 'half', ...target }));
  expect(added.status).toBe(201);
  expect(added.body).toEqual({
    targetId: 'half',
    ...target,
    baseYearEmissionsGrams: expect.closeTo(0.45, 12),
    createdAt: NOON,
  });
  const { targets, progress } = (await world.green('/targets')).body;
  expect(targets).toEqual([added.body]);
  expect(progress).toEqual([
    {
      target: added.body,
      currentYearEmissionsGrams: 0,
      progressPercent: 100,
      onTrack: true,
      projectedEndYear: 2026,
      basis: 'annualised',
      pathwayMinimumPercent: 21,
      pathwayAligned: true,
    },
  ]);
  expect((await world.green('/targets', post({ targetId: 'half', ...target }))).body.code).toBe('CONFLICT');
  expect((await world.green('/targets', post({ ...target, targetYear: 2020 }))).body.code).toBe('INVALID_PARAMS');
  expect((await world.green('/targets/half', { method: 'DELETE' })).body).toEqual({ removed: 'half' });
  expect((await world.green('/targets/half', { method: 'DELETE' })).body.code).toBe('NOT_FOUND');
});

it.each([
  ['/traces?limit=abc'],
  ['/traces?limit=-1'],
  ['/traces?offset=1.5'],
  ['/traces?since=yesterday'],
  ['/timeseries?window=2h'],
  ['/export/ghg-protocol?period=2025-Q5'],
  ['/export/ghg-protocol?period=abc'],
  ['/export/cdp?year=abc'],
  ['/export/tcfd?period=2025-13'],
  ['/export/tcfd?baseYear=x'],
  ['/export/iso14064?period=2025-W54'],
  ['/export/iso14064?period=9999-W52'],
  ['/export/iso14064?period=1969-Q4'],
])('refuses %s with INVALID_PARAMS', async (path) => {
  const world = await open();
  const answer = await world.green(path);
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error: expect.any(String), code: 'INVALID_PARAMS' });
});

it.each([
  ['negative tokens', { ...TRACE, inputTokens: -1 }],
  ['tokens without model', { ...TRACE, model: undefined }],
  ['a model that is a number', { ...TRACE, model: 5 }],
  ['half a token', { ...TRACE, outputTokens: 0.5 }],
  ['neither tokens nor cost', { traceId: 't', model: 'gpt-4o' }],
  ['no trace id', { ...TRACE, traceId: undefined }],
  ['text', 'hello'],
  ['a number', 5],
])('records nothing of a batch with %s', async (_what, row) => {
  const world = await open();
  const answer = await world.green('/ingest', post([{ ...TRACE, traceId: 'good' }, row]));
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({ error: expect.any(String), code: 'INVALID_PARAMS' });
  expect((await world.green('/traces')).body.total).toBe(0);
});

it.each(['1970-Q1', '1970-01', '1970-W01', '9999', '9999-Q4'])(
  'reports of the first and last periods, %s',
  async (period) => {
    const world = await open();
    for (const format of ['ghg-protocol', 'tcfd', 'iso14064']) {
      expect((await world.green(`/export/${format}?period=${period}`)).status).toBe(200);
    }
  },
);

it('answers unknown paths and wrong methods in the shape of the API', async () => {
  const world = await open();
  expect(await world.green('/nowhere')).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND', error: expect.any(String) },
  });
  const wrong = await world.green('/summary', { method: 'DELETE' });
  expect(wrong).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
});

it.each([
  ['SVC_GREEN_ENABLED', 'off'],
  ['SVC_GREEN_MODE', 'disabled'],
])('answers DISABLED with %s=%s, but for the configuration', async (name, value) => {
  const world = await open({ environment: { [name]: value } });
  for (const path of [
    '/summary',
    '/factors',
    '/traces',
    '/timeseries',
    '/intensity',
    '/factors/explain?model=gpt-4o',
    '/targets',
    '/intake',
    '/export/ghg-protocol',
    '/export/cdp',
    '/export/tcfd',
    '/export/iso14064',
  ]) {
    const answer = await world.green(path);
    expect(answer).toMatchObject({ status: 503, body: { code: 'DISABLED', error: expect.any(String) } });
  }
  const target = {
    targetId: 'x',
    name: 'x',
    baseYear: 2025,
    targetYear: 2030,
    targetReductionPercent: 5,
    pathway: '2C',
  };
  for (const [path, init] of [
    ['/ingest', post(TRACE)],
    ['/targets', post(target)],
    ['/targets/x', { method: 'DELETE' }],
  ] as const) {
    expect(await world.green(path, init)).toMatchObject({ status: 503, body: { code: 'DISABLED' } });
  }
  expect((await world.green('/config')).body.enabled).toBe(false);
  // Nothing was recorded meanwhile.
  const enabled = await gatewayWorld({ store: world.store });
  try {
    expect((await enabled.green('/traces')).body.total).toBe(0);
    expect((await enabled.green('/targets')).body.targets).toEqual([]);
  } finally {
    await enabled.close();
  }
});

it('answers INTERNAL_ERROR without details where the store fails', async () => {
  const world = await open({ store: await openSqlite(':memory:') });
  await world.store.close();
  const answer = await world.green('/summary');
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({ error: expect.not.stringContaining('sqlite'), code: 'INTERNAL_ERROR' });
});

it('needs credentials where the service does', async () => {
  const world = await open({ environment: { SVC_API_KEYS: 'k' } });
  expect((await world.green('/summary')).status).toBe(401);
  expect((await world.green('/summary', { headers: { Authorization: 'Bearer k' } })).status).toBe(200);
});

it('warns and says so in the summary above the threshold of a day', async () => {
  const world = await open({
    environment: { SVC_GREEN_MODE: 'active' },
    settings: [...settings, ['green.daily_alert_threshold', 0.5]],
  });
  await world.green('/ingest', post(TRACE));
  expect((await world.green('/summary')).body.alert).toBeUndefined();
  await world.green('/ingest', post({ ...TRACE, traceId: 't2' }));
  expect((await world.green('/summary')).body.alert).toEqual({ grams: expect.closeTo(0.9, 12), thresholdGrams: 0.5 });
  expect(world.warnings.filter((line) => line.includes('threshold'))).toHaveLength(1);
});

it('allows the configured origin only', async () => {
  const world = await open({ environment: { GATEWAY_CORS_ORIGIN: 'https://a.example' } });
  expect((await world.green('/config')).headers.get('access-control-allow-origin')).toBe('https://a.example');
  const other = await world.green('/config', { headers: { Origin: 'https://b.example' } });
  expect(other.headers.get('access-control-allow-origin')).not.toBe('https://b.example');
});
