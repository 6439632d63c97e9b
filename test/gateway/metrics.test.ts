import { afterEach, expect, it } from '@jest/globals';
import { settings, TRACE } from './green-inputs.js';
import { type GatewayWorld, gatewayWorld, post } from './world.js';

let world: GatewayWorld;
afterEach(() => world.close());

it('shows grams, millilitres and tokens by provider and model, and the arms, in the text format of Prometheus', async () => {
  world = await gatewayWorld({ settings });
  const hostile = 'a"b\\c\nd';
  await world.green('/ingest', post([TRACE, { ...TRACE, traceId: 't2' }, { ...TRACE, traceId: 't3', model: hostile }]));
  await world.learning('/reward', post({ arm_id: 'tool:a:b' }));
  const { text, headers } = await world.call('/metrics');
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = text.split('\n');
  expect(lines).toContain('# TYPE co2_grams_total counter');
  expect(lines).toContain('co2_grams_total{provider="anthropic",model="claude-test"} 0.9');
  expect(lines).toContain('water_ml_total{provider="anthropic",model="claude-test"} 12');
  expect(lines).toContain('tokens_total{provider="anthropic",model="claude-test"} 4000');
  expect(lines).toContain('tokens_total{provider="anthropic",model="a\\"b\\\\c\\nd"} 2000');
  expect(lines).toContain('learning_arm_pulls{arm="tool:a:b"} 1');
  for (const line of lines.filter((one) => one !== ''))
    expect(line).toMatch(/^(# (HELP|TYPE) |[a-z0-9_]+(\{.*\})? \S+$)/);
});

it('keeps the number of series bounded, and loses no gram', async () => {
  world = await gatewayWorld({ settings });
  const models = Array.from({ length: 205 }, (_, i) => ({ ...TRACE, traceId: `t${i}`, model: `m${i}` }));
  await world.green('/ingest', post(models));
  for (let i = 0; i < 52; i += 1) await world.learning('/reward', post({ arm_id: `arm${i}` }));
  const { text } = await world.call('/metrics');
  const series = (name: string) => text.split('\n').filter((line) => line.startsWith(`${name}{`));
  expect([series('tokens_total').length, series('learning_arm_mean').length]).toEqual([201, 50]);
  const tokens = series('tokens_total').reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  expect(tokens).toBe(205 * 2000);
  expect(text).toContain('tokens_total{provider="other",model="other"} 10000');
});

it('needs credentials where the service does', async () => {
  world = await gatewayWorld({ environment: { SVC_API_KEYS: 'k' } });
  expect((await world.call('/metrics')).status).toBe(401);
});
