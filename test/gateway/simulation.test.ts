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
  /** When the learner heard of it last. */
  lastUpdated: number;
}

type Spans = ReturnType<typeof spansOf>;
const HOUR = 3_600_000;
const startOf = (ms: number, width: number): number => Math.floor(ms / width) * width;

let world: GatewayWorld;
let lateRoots = 0;
const expected = new Map<string, Expected>();
const tokens = { baseline: [] as number[], selected: [] as number[] };
/** Width of a bucket → its start → usage totals of its runs. */
const totals = new Map([HOUR, 24 * HOUR].map((width) => [width, new Map<number, number[]>()]));
const batches: Spans[] = [];
/** What each root teaches, until it is sent. */
const lessons = new Map<Spans[number], ReadonlyArray<{ armId: string; referenced: boolean }>>();
/** Start of an hour → the mean of each arm that was known at its end, of hours in which one changed. */
const means = new Map<number, Map<string, number>>();

/** Sends a batch, and learns from the roots in it that were not sent before. */
async function deliver(batch: Spans): Promise<void> {
  await send(world.url, batch);
  batches.push(batch);
  for (const span of batch) {
    for (const { armId, referenced } of lessons.get(span) ?? []) {
      const known = expected.get(armId) ?? { alpha: 1, beta: 1 };
      const alpha = known.alpha + Number(referenced);
      expected.set(armId, { alpha, beta: known.beta + Number(!referenced), lastUpdated: world.now });
      means.set(startOf(world.now, HOUR), new Map());
    }
    lessons.delete(span);
  }
  const hour = means.get(startOf(world.now, HOUR));
  for (const [armId, { alpha, beta }] of expected) hour?.set(armId, alpha / (alpha + beta));
}

beforeAll(async () => {
  world = await gatewayWorld({
    environment: { SVC_LEARNING_PHASE: 'active' },
    settings: [
      ['gateway_learning.seed_arm_ids', []],
      ['gateway_learning.token_budget', BUDGET],
    ],
    now: START,
  });
  let pending: Spans = [];
  let delayed: Array<{ span: Spans[number]; until: number }> = [];
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
    if (!failed)
      lessons.set(
        spans.at(-1)!,
        arms.filter(({ included }) => included),
      );
    // One in ten comes twice; of one in five a span comes much later, as often the root as a call.
    pending.push(...spans, ...(random() < 0.1 ? spans : []));
    if (random() < 0.2) {
      const late = random() < 0.5 ? spans.at(-1)! : spans[0]!;
      pending = pending.filter((span) => span !== late);
      delayed.push({ span: late, until: run + 100 + Math.floor(500 * random()) });
      if (late === spans.at(-1)) lateRoots += 1;
    }
    if (run % 100 === 99) {
      pending.push(...delayed.filter(({ until }) => until <= run).map(({ span }) => span));
      delayed = delayed.filter(({ until }) => until > run);
      await deliver(pending);
      pending = [];
    }
    const total = input + OUTPUT;
    tokens[selection.isBaseline ? 'baseline' : 'selected'].push(total);
    for (const [width, buckets] of totals) {
      const t = startOf(start, width);
      buckets.set(t, [...(buckets.get(t) ?? []), total]);
    }
  }
  await deliver(delayed.map(({ span }) => span));
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

/** Probability that a value of Beta(alpha, beta) is at most x: Simpson's rule over its density. */
function betaCdf(alpha: number, beta: number, x: number): number {
  const peak = alpha + beta > 2 ? (alpha - 1) / (alpha + beta - 2) : 0.5;
  const log = (t: number) => (alpha - 1) * Math.log(t) + (beta - 1) * Math.log1p(-t);
  const top = log(Math.min(1 - 1e-9, Math.max(1e-9, peak)));
  const area = (to: number): number => {
    const steps = 20_000;
    let sum = 0;
    for (let i = 0; i <= steps; i += 1) {
      const t = Math.min(1 - 1e-12, Math.max(1e-12, (to * i) / steps));
      sum += (i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2) * Math.exp(log(t) - top);
    }
    return (sum * to) / steps / 3;
  };
  return area(x) / area(1);
}

it('has the posteriors that the runs taught, each run once, every field', async () => {
  const { body } = await world.learning('/posteriors');
  expect(lateRoots).toBeGreaterThan(100);
  expect(lessons.size).toBe(0);
  const answers = [...expected].map(([armId, { alpha, beta, lastUpdated }]) => ({
    armId,
    alpha,
    beta,
    mean: alpha / (alpha + beta),
    pulls: alpha + beta - 2,
    lastUpdated,
    isSeed: false,
    isUnderexplored: alpha + beta - 2 < 5,
    confidence: alpha + beta - 2 < 5 ? 'low' : alpha + beta - 2 < 20 ? 'medium' : 'high',
  }));
  answers.sort((a, b) => b.mean - a.mean || (a.armId < b.armId ? -1 : 1));
  expect(body.map(({ credibleInterval: _interval, ...rest }: { credibleInterval: unknown }) => rest)).toEqual(answers);
  for (const { alpha, beta, credibleInterval } of body) {
    expect(betaCdf(alpha, beta, credibleInterval.lower)).toBeCloseTo(0.025, 6);
    expect(betaCdf(alpha, beta, credibleInterval.upper)).toBeCloseTo(0.975, 6);
  }
});

it.each([
  ['1h', HOUR],
  ['1d', 24 * HOUR],
] as const)('has the mean tokens of every bucket of %s', async (window, width) => {
  expect((await world.learning(`/timeseries?window=${window}`)).body).toEqual({
    buckets: [...totals.get(width)!].map(([t, values]) => ({ t, value: expect.closeTo(mean(values), 6) })),
  });
});

it.each([
  ['1h', HOUR],
  ['1d', 24 * HOUR],
] as const)('has the means of every bucket of %s as they were at its end', async (window, width) => {
  const last = new Map<number, Map<string, number>>();
  for (const [hour, known] of means) last.set(startOf(hour, width), known);
  const buckets = [...last].flatMap(([t, known]) =>
    [...known]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([armId, value]) => ({ t, armId, value: expect.closeTo(value, 12) })),
  );
  if (window === '1h') expect(last.size).toBeGreaterThanOrEqual(20);
  expect((await world.learning(`/timeseries?metric=convergence&window=${window}`)).body).toEqual({ buckets });
});

it('changes nothing when the day is sent a second time, on the next day', async () => {
  const shown = () =>
    Promise.all([
      ...['/summary', '/posteriors', '/traces?limit=1000', '/timeseries', '/timeseries?metric=convergence'].map(
        async (path) => (await world.learning(path)).text,
      ),
      ...['/summary', '/timeseries?window=1h', '/traces?limit=1000'].map(
        async (path) => (await world.green(path)).text,
      ),
    ]);
  const before = await shown();
  const { accepted } = (await world.green('/intake')).body;
  world.now += 24 * HOUR;
  for (const batch of batches) await send(world.url, batch);
  expect(await shown()).toEqual(before);
  expect((await world.green('/intake')).body.accepted).toBe(accepted);
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
