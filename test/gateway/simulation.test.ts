import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { seededRandom } from '../../src/core/random.js';
import { type SpanSpec, send, spansOf } from './otlp.js';
import { type GatewayWorld, gatewayWorld } from './world.js';

const RUNS = 2000;
const START = Date.UTC(2026, 5, 15);
const STEP = 86_400_000 / RUNS;
const BASE_TOKENS = 500;
const OUTPUT = 120;
const BUDGET = 8000;

const random = seededRandom('a day of agents');
/** 40 arms whose value (chance of being referenced) and cost are known. */
const ARMS = Array.from({ length: 40 }, (_, i) => ({
  armId: `skill:sim:arm-${String(i).padStart(2, '0')}`,
  tokenCost: 100 + Math.floor(1900 * random() ** 2),
  value: i % 4 === 0 ? 0.6 + 0.3 * random() : 0.02 + 0.1 * random(),
}));
const TOTAL_COST = ARMS.reduce((sum, arm) => sum + arm.tokenCost, 0);

interface Expected {
  alpha: number;
  beta: number;
}

let world: GatewayWorld;
const expected = new Map<string, Expected>();
const tokens = { baseline: [] as number[], selected: [] as number[] };
const byHour = new Map<number, number[]>();
const batches: Array<ReturnType<typeof spansOf>> = [];

beforeAll(async () => {
  world = await gatewayWorld({
    environment: { SVC_LEARNING_PHASE: 'active' },
    settings: [
      ['gateway_learning.seed_arm_ids', []],
      ['gateway_learning.token_budget', BUDGET],
    ],
    now: START,
  });
  let pending: ReturnType<typeof spansOf> = [];
  let delayed: ReturnType<typeof spansOf> = [];
  for (let run = 0; run < RUNS; run += 1) {
    const start = Math.floor(START + run * STEP);
    world.now = start;
    const selection = await world.gateway.learning.select(ARMS.map(({ armId, tokenCost }) => ({ armId, tokenCost })));
    const arms = selection.arms.map(({ armId, tokenCost, included }, i) => ({
      armId,
      tokenCost,
      included,
      referenced: included && random() < ARMS[i]!.value,
    }));
    const failed = random() < 0.05;
    const input = BASE_TOKENS + selection.usedTokens;
    const chat = (share: number, at: number): SpanSpec => ({
      name: 'chat gpt-4o',
      start: at,
      end: at + 400,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': share,
        'gen_ai.usage.output_tokens': OUTPUT / 2,
      },
    });
    const half = Math.floor(input / 2);
    const spans = spansOf({
      name: 'invoke_agent sim',
      start,
      end: start + 1000,
      ...(failed ? { error: 'tool failed' } : {}),
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.usage.input_tokens': input,
        'gen_ai.usage.output_tokens': OUTPUT,
        'svc.learning.arms': JSON.stringify(arms),
        'svc.learning.baseline': selection.isBaseline,
      },
      children: [chat(half, start), chat(input - half, start + 500)],
    });
    // One in ten comes twice; of one in five a span comes much later.
    pending.push(...spans, ...(random() < 0.1 ? spans : []));
    if (random() < 0.2) delayed.push(pending.splice(pending.indexOf(spans[0]!), 1)[0]!);
    if (run % 100 === 99) {
      await send(world.url, pending);
      batches.push(pending);
      pending = delayed;
      delayed = [];
    }
    if (!failed) {
      for (const { armId, included, referenced } of arms) {
        const known = expected.get(armId) ?? { alpha: 1, beta: 1 };
        if (included)
          expected.set(armId, { alpha: known.alpha + Number(referenced), beta: known.beta + Number(!referenced) });
      }
    }
    const total = input + OUTPUT;
    tokens[selection.isBaseline ? 'baseline' : 'selected'].push(total);
    const hour = Math.floor(start / 3_600_000) * 3_600_000;
    byHour.set(hour, [...(byHour.get(hour) ?? []), total]);
  }
  await send(world.url, pending);
  batches.push(pending);
}, 240_000);
afterAll(() => world.close());

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

it('sums the day up as it was', async () => {
  const { body } = await world.learning('/summary');
  const all = [...tokens.baseline, ...tokens.selected];
  expect(body).toEqual({
    traceCount: RUNS,
    armCount: 40,
    minTimestamp: START,
    maxTimestamp: Math.floor(START + (RUNS - 1) * STEP),
    totalTokens: all.reduce((sum, value) => sum + value, 0),
    baseline: {
      baselineRuns: tokens.baseline.length,
      selectedRuns: tokens.selected.length,
      baselineAvgTokens: expect.closeTo(mean(tokens.baseline), 6),
      selectedAvgTokens: expect.closeTo(mean(tokens.selected), 6),
      tokenSavingsPercent: expect.closeTo(
        (100 * (mean(tokens.baseline) - mean(tokens.selected))) / mean(tokens.baseline),
        6,
      ),
      baselineAvgDuration: 1000,
      selectedAvgDuration: 1000,
    },
  });
});

it('has the posteriors that the runs taught, each run once', async () => {
  const { body } = await world.learning('/posteriors');
  const got = Object.fromEntries(
    body.map(({ armId, alpha, beta }: { armId: string } & Expected) => [armId, { alpha, beta }]),
  );
  expect(got).toEqual(Object.fromEntries(expected));
  for (const { alpha, beta, pulls } of body) expect(pulls).toBe(alpha + beta - 2);
});

it('has the mean tokens of each hour, and ends with the means that the posteriors have', async () => {
  const { buckets } = (await world.learning('/timeseries')).body;
  expect(buckets).toEqual([...byHour].map(([t, values]) => ({ t, value: expect.closeTo(mean(values), 6) })));
  const convergence = (await world.learning('/timeseries?metric=convergence')).body.buckets;
  const last = convergence.at(-1).t;
  for (const { t, armId, value } of convergence) {
    const { alpha, beta } = expected.get(armId)!;
    if (t === last) expect(value).toBeCloseTo(alpha / (alpha + beta), 12);
  }
  expect(new Set(convergence.map(({ t }: { t: number }) => t)).size).toBeGreaterThanOrEqual(20);
});

it('changes nothing when the day is sent a second time', async () => {
  const before = [
    (await world.learning('/summary')).text,
    (await world.learning('/posteriors')).text,
    (await world.green('/summary')).text,
  ];
  for (const batch of batches) await send(world.url, batch);
  expect((await world.learning('/summary')).text).toBe(before[0]);
  expect((await world.learning('/posteriors')).text).toBe(before[1]);
  expect((await world.green('/summary')).text).toBe(before[2]);
});

it('counts the calls, never the agent span that repeats their sums', async () => {
  const { body } = await world.green('/summary');
  expect(body.traceCount).toBe(2 * RUNS);
  expect(body.totalTokens).toBe([...tokens.baseline, ...tokens.selected].reduce((sum, value) => sum + value, 0));
});

it('saves the tokens that the known values of the arms predict', () => {
  // A baseline run includes everything; a selected one fills the budget.
  const predicted = 1 - (BASE_TOKENS + OUTPUT + BUDGET) / (BASE_TOKENS + OUTPUT + TOTAL_COST);
  const measured = 1 - mean(tokens.selected) / mean(tokens.baseline);
  expect(Math.abs(measured - predicted)).toBeLessThan(0.1 * predicted);
});
