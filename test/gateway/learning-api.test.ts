import { expect, it } from '@jest/globals';
import { armsOf, RUN } from './learning-runs.js';
import { send, spansOf } from './otlp.js';
import { NOON, post, worldsOfEachTest } from './world.js';

const open = worldsOfEachTest();

it('answers an empty service', async () => {
  const world = await open();
  expect((await world.learning('/summary')).body).toEqual({
    traceCount: 0,
    armCount: 0,
    minTimestamp: null,
    maxTimestamp: null,
    totalTokens: 0,
    baseline: {
      baselineRuns: 0,
      selectedRuns: 0,
      baselineAvgTokens: null,
      selectedAvgTokens: null,
      tokenSavingsPercent: null,
      baselineAvgDuration: null,
      selectedAvgDuration: null,
    },
  });
  expect((await world.learning('/posteriors')).body).toEqual([]);
  expect((await world.learning('/traces')).body).toEqual({ traces: [], total: 0 });
  expect((await world.learning('/timeseries')).body).toEqual({ buckets: [] });
  expect((await world.learning('/config')).body).toEqual({
    enabled: true,
    phase: 'passive',
    strategy: 'thompson',
    tokenBudget: 8000,
    baselineRate: 0.1,
    minPulls: 5,
    seedArmIds: ['tool:fs:Read', 'tool:fs:Write', 'tool:fs:Edit', 'tool:exec:Bash', 'tool:fs:Glob', 'tool:fs:Grep'],
  });
});

it('takes a run in the shape of an export, its model not known', async () => {
  const world = await open();
  const run = {
    ...RUN,
    sessionKey: null,
    channel: null,
    provider: null,
    model: null,
    context: { sessionKey: null, channel: null, provider: null, model: null },
    usage: { input: 1000, output: 200, cacheRead: 50, total: 1250 },
    error: null,
  };
  expect(await world.learning('/ingest', post(run))).toMatchObject({
    status: 200,
    body: { accepted: 1, duplicates: 0 },
  });
  expect((await world.gateway.learning.tracesAfter(0, 10)).traces).toEqual([run]);
  expect((await world.green('/traces')).body.traces).toMatchObject([
    { provider: 'unknown', model: 'unknown', inputTokens: 1000, outputTokens: 200, cacheReadTokens: 50 },
  ]);
});

it('teaches once a run: referenced 1, included only 0, excluded nothing', async () => {
  const world = await open();
  const taken = await world.learning('/ingest', post([RUN, { ...RUN, traceId: 't2', runId: 'r2', aborted: true }]));
  expect(taken.body).toEqual({ accepted: 2, duplicates: 0 });
  expect((await world.learning('/ingest', post(RUN))).body).toEqual({ accepted: 0, duplicates: 1 });
  const { body, headers } = await world.learning('/posteriors');
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(body).toEqual([
    {
      armId: 'tool:fs:Read',
      alpha: 2,
      beta: 1,
      mean: 2 / 3,
      pulls: 1,
      lastUpdated: NOON,
      isSeed: true,
      isUnderexplored: true,
      credibleInterval: { lower: expect.closeTo(0.1581, 4), upper: expect.closeTo(0.9874, 4) },
      confidence: 'low',
    },
    {
      armId: 'tool:web:Search',
      alpha: 1,
      beta: 2,
      mean: 1 / 3,
      pulls: 1,
      lastUpdated: NOON,
      isSeed: false,
      isUnderexplored: true,
      credibleInterval: { lower: expect.closeTo(1 - 0.9874, 4), upper: expect.closeTo(1 - 0.1581, 4) },
      confidence: 'low',
    },
  ]);
});

it('lists runs newest first, and feeds the emissions module', async () => {
  const world = await open();
  await world.learning(
    '/ingest',
    post([RUN, { ...RUN, traceId: 't2', runId: 'r2', timestamp: NOON + 1, usage: null }]),
  );
  const { body } = await world.learning('/traces');
  expect(body.total).toBe(2);
  expect(body.traces[1]).toEqual(RUN);
  expect(body.traces[0]).toEqual({ ...RUN, traceId: 't2', runId: 'r2', timestamp: NOON + 1, usage: null });
  expect((await world.learning('/traces?limit=1&offset=1')).body.traces[0].traceId).toBe('t1');
  expect((await world.green('/traces')).body).toMatchObject({
    total: 1,
    traces: [{ traceId: 't1', inputTokens: 1000, outputTokens: 200 }],
  });
});

it('sums runs up and compares baseline runs with selected ones', async () => {
  const world = await open();
  const run = (id: string, isBaseline: boolean, total: number, durationMs: number) => ({
    ...RUN,
    traceId: id,
    runId: id,
    isBaseline,
    durationMs,
    usage: { input: total, output: 0, total },
  });
  await world.learning(
    '/ingest',
    post([run('a', true, 1000, 100), run('b', true, 2000, 300), run('c', false, 900, 50)]),
  );
  expect((await world.learning('/summary')).body).toEqual({
    traceCount: 3,
    armCount: 2,
    minTimestamp: NOON,
    maxTimestamp: NOON,
    totalTokens: 3900,
    baseline: {
      baselineRuns: 2,
      selectedRuns: 1,
      baselineAvgTokens: 1500,
      selectedAvgTokens: 900,
      tokenSavingsPercent: 40,
      baselineAvgDuration: 200,
      selectedAvgDuration: 50,
    },
  });
});

it('leaves runs without any arm out of the comparison, and not out of the counts', async () => {
  const world = await open();
  const run = (id: string, isBaseline: boolean, total: number, arms: unknown[] = RUN.arms) => ({
    ...RUN,
    traceId: id,
    runId: id,
    isBaseline,
    arms,
    usage: { input: total, output: 0, total },
  });
  await world.learning('/ingest', post([run('a', true, 5000), run('b', false, 3000), run('c', false, 500, [])]));
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 9000,
  };
  await send(world.url, spansOf({ name: 'chat gpt-4o', start: NOON, end: NOON + 1000, attributes }));
  expect((await world.learning('/summary')).body).toMatchObject({
    traceCount: 4,
    totalTokens: 17_500,
    baseline: {
      baselineRuns: 1,
      selectedRuns: 1,
      baselineAvgTokens: 5000,
      selectedAvgTokens: 3000,
      tokenSavingsPercent: 40,
    },
  });
  expect((await world.learning('/traces')).body.total).toBe(4);
});

it('answers mean tokens by bucket, and means as they were known then', async () => {
  const world = await open();
  const run = (id: string, hour: number, total: number) => ({
    ...RUN,
    traceId: id,
    runId: id,
    timestamp: NOON + hour * 3_600_000 + 5,
    usage: { input: total, output: 0, total },
  });
  await world.learning('/ingest', post([run('a', 0, 100), run('b', 0, 200), run('c', 2, 50)]));
  expect((await world.learning('/timeseries')).body).toEqual({
    buckets: [
      { t: NOON, value: 150 },
      { t: NOON + 7_200_000, value: 50 },
    ],
  });
  expect((await world.learning('/timeseries?window=1d')).body.buckets).toEqual([
    { t: NOON - 43_200_000, value: expect.closeTo(350 / 3, 9) },
  ]);
  world.now = NOON + 3_600_000;
  await world.learning('/reward', post({ arm_id: 'tool:web:Search' }));
  const { buckets } = (await world.learning('/timeseries?metric=convergence')).body;
  expect(buckets).toEqual([
    { t: NOON, armId: 'tool:fs:Read', value: 4 / 5 },
    { t: NOON, armId: 'tool:web:Search', value: 1 / 5 },
    { t: NOON + 3_600_000, armId: 'tool:fs:Read', value: 4 / 5 },
    { t: NOON + 3_600_000, armId: 'tool:web:Search', value: 2 / 6 },
  ]);
});

it('records rewards by hand and resets arms', async () => {
  const world = await open();
  expect(await world.learning('/reward', post({ arm_id: 'a' }))).toMatchObject({
    status: 200,
    body: { ok: true, arm_id: 'a' },
  });
  await world.learning('/reward', post({ arm_id: 'b', outcome: 'rejected', reason: 'slow' }));
  await world.learning('/reward', post({ arm_id: 'c', outcome: 'rejected', reward: 0.25 }));
  const kept = world.store.db.selectFrom('gateway_reward').select(['armId', 'outcome', 'reward', 'reason']);
  expect(await kept.orderBy('id').execute()).toEqual([
    { armId: 'a', outcome: 'accepted', reward: 1, reason: null },
    { armId: 'b', outcome: 'rejected', reward: 0, reason: 'slow' },
    { armId: 'c', outcome: 'rejected', reward: 0.25, reason: null },
  ]);
  expect(await armsOf(world)).toEqual({ a: [2, 1, 1], b: [1, 2, 1], c: [1.25, 1.75, 1] });
  expect((await world.learning('/reset', post({ arm_ids: ['b'] }))).body).toEqual({
    learner: 'gateway',
    reset_count: 1,
    arm_ids: ['b'],
  });
  expect(await armsOf(world)).toEqual({ a: [2, 1, 1], b: [1, 1, 0], c: [1.25, 1.75, 1] });
  expect((await world.learning('/reset', { method: 'POST' })).body).toEqual({
    learner: 'gateway',
    reset_count: 3,
    arm_ids: ['a', 'b', 'c'],
  });
  expect(await armsOf(world)).toEqual({ a: [1, 1, 0], b: [1, 1, 0], c: [1, 1, 0] });
});

it('never takes back from a reset arm what it taught before', async () => {
  const world = await open();
  await world.learning('/ingest', post(RUN));
  await world.learning('/reset', { method: 'POST' });
  // The same run turns out to have failed.
  await world.learning('/ingest', post({ ...RUN, traceId: 't1-late', error: 'it broke', arms: [] }));
  expect(await armsOf(world)).toEqual({ 'tool:fs:Read': [1, 1, 0], 'tool:web:Search': [1, 1, 0] });
});

it('takes back what a run taught that turns out to have failed', async () => {
  const world = await open();
  await world.learning('/ingest', post(RUN));
  await world.learning('/ingest', post({ ...RUN, traceId: 't1-late', error: 'it broke', arms: [] }));
  expect(await armsOf(world)).toEqual({ 'tool:fs:Read': [1, 1, 0], 'tool:web:Search': [1, 1, 0] });
});

it('includes everything in phase passive', async () => {
  const world = await open();
  const candidates = [{ armId: 'tool:fs:Read', tokenCost: 9000 }, { armId: 'b', tokenCost: 5 }, { armId: 'c' }];
  expect((await world.learning('/select', post({ candidates }))).body).toEqual({
    phase: 'passive',
    isBaseline: true,
    tokenBudget: 8000,
    usedTokens: 9005,
    arms: [
      { armId: 'tool:fs:Read', tokenCost: 9000, included: true, isSeed: true, score: null },
      { armId: 'b', tokenCost: 5, included: true, isSeed: false, score: null },
      { armId: 'c', tokenCost: 0, included: true, isSeed: false, score: null },
    ],
  });
});

it('selects under the budget in phase active: seeds, then unexplored arms, then the best value', async () => {
  const world = await open({
    environment: { SVC_LEARNING_PHASE: 'active' },
    settings: [['gateway_learning.baseline_rate', 0]],
  });
  for (let i = 0; i < 30; i += 1) {
    await world.learning('/reward', post({ arm_id: 'good' }));
    await world.learning('/reward', post({ arm_id: 'bad', outcome: 'rejected' }));
  }
  const candidates = [
    { armId: 'tool:fs:Read', tokenCost: 600 },
    { armId: 'good', tokenCost: 200 },
    { armId: 'bad', tokenCost: 200 },
    { armId: 'new', tokenCost: 150 },
  ];
  const { body } = await world.learning('/select', post({ candidates, tokenBudget: 1000 }));
  const included = body.arms
    .filter((one: { included: boolean }) => one.included)
    .map((one: { armId: string }) => one.armId);
  expect(included).toEqual(['tool:fs:Read', 'good', 'new']);
  expect(body).toMatchObject({ isBaseline: false, usedTokens: 950, tokenBudget: 1000, phase: 'active' });
  const tight = (await world.learning('/select', post({ candidates, tokenBudget: 100 }))).body;
  expect(tight.usedTokens).toBe(600);
});
