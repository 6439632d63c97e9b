import { seededRandom } from '../../src/core/random.js';
import { type GatewayWorld, post } from './world.js';

/** A name that would run as a script where it is not shown as text. */
export const HOSTILE = '<img src=x onerror="window.hacked=1"></script><script>window.hacked=1</script>';

export const DAY = 86_400_000;

/** Forty days of calls of three providers. */
export async function withCalls(
  to: GatewayWorld,
  names: readonly string[] = ['claude-sonnet-4-5', 'gpt-5-mini', 'mistral-large-2411', 'zorp-1'],
): Promise<void> {
  const random = seededRandom('dashboard');
  const rows = Array.from({ length: 600 }, (_, i) => ({
    traceId: `t${i}`,
    timestamp: to.now - Math.floor((40 * DAY * (600 - i)) / 600),
    provider: ['anthropic', 'openai', 'mistral_ai', 'zorp'][i % 4],
    model: names[i % names.length],
    inputTokens: Math.floor(20_000 * random()),
    outputTokens: Math.floor(3000 * random()),
    cacheReadTokens: Math.floor(50_000 * random()),
    region: i % 3 === 0 ? 'eu-north-1' : undefined,
  }));
  await to.green('/ingest', post(rows));
  const year = new Date(to.now).getUTCFullYear();
  await to.green(
    '/targets',
    post({
      name: 'Halve inference',
      baseYear: year - 1,
      baseYearEmissionsGrams: 20_000,
      targetYear: year + 4,
      targetReductionPercent: 50,
      pathway: '1.5C',
    }),
  );
}

/** Runs of 30 days with arms. */
export async function withRuns(
  to: GatewayWorld,
  armCount = 24,
  name = (i: number) => (i < 4 ? `tool:fs:${['Read', 'Write', 'Edit', 'Glob'][i]}` : `skill:team:component-${i}`),
): Promise<void> {
  const random = seededRandom('runs');
  const end = to.now;
  for (let day = 30; day > 0; day -= 3) {
    to.now = end - day * DAY;
    const runs = Array.from({ length: 20 }, (_, i) => {
      const isBaseline = i % 4 === 0;
      const arms = Array.from({ length: armCount }, (_unused, arm) => {
        const included = isBaseline || arm % 5 !== 4;
        return {
          armId: name(arm),
          included,
          referenced: included && random() < (arm % 6) / 6,
          tokenCost: 50 + 40 * arm,
        };
      });
      const input = 500 + arms.reduce((sum, arm) => sum + (arm.included ? arm.tokenCost : 0), 0);
      return {
        traceId: `d${day}-${i}`,
        timestamp: to.now + i * 60_000,
        provider: 'anthropic',
        model: i % 2 === 0 ? 'claude-sonnet-4-5' : 'gpt-5',
        isBaseline,
        arms,
        usage: { input, output: 300, total: input + 300 },
        durationMs: 800 + input / 4,
        systemPromptChars: 4 * input,
        aborted: false,
      };
    });
    await to.learning('/ingest', post(runs));
  }
  to.now = end;
}

/** One reward for an arm that no run had: it is hardly explored. */
export const withNewArm = (to: GatewayWorld): Promise<unknown> =>
  to.learning('/reward', post({ arm_id: 'skill:team:brand-new', reason: 'a first trial' }));

/** Calls of earlier years, and a target over them. Returns the grams of each year. */
export async function withYears(to: GatewayWorld): Promise<Map<number, number>> {
  const year = new Date(to.now).getUTCFullYear();
  const millions = new Map([
    [year - 4, 9],
    [year - 3, 7],
    [year - 1, 5],
  ]);
  const rows = [...millions].flatMap(([at, count]) =>
    Array.from({ length: count }, (_, i) => ({
      traceId: `y${at}-${i}`,
      timestamp: Date.UTC(at, i),
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      inputTokens: 1_000_000,
      outputTokens: 0,
      cacheReadTokens: 0,
    })),
  );
  await to.green('/ingest', post(rows));
  await to.green(
    '/targets',
    post({ name: 'Long way', baseYear: year - 4, targetYear: year + 2, targetReductionPercent: 50, pathway: '2C' }),
  );
  return new Map([...millions].map(([at, count]) => [at, 110 * count]));
}
