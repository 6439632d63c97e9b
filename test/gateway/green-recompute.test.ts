import { expect, it } from '@jest/globals';
import { settings, TRACE } from './green-inputs.js';
import { gatewayWorld, post } from './world.js';

it('recompute after an override changes traces, daily sums and the summary', async () => {
  const world = await gatewayWorld({ settings });
  try {
    await world.green(
      '/ingest',
      post([TRACE, { ...TRACE, traceId: 't2' }, { ...TRACE, traceId: 't3', model: 'gpt-4o' }]),
    );
    const other = (await world.green('/traces?model=gpt-4o')).body.traces;
    const [[, overrides]] = settings;
    const factor = {
      ...overrides['anthropic/claude-test'],
      inputCo2PerMillionTokens: 300,
      outputCo2PerMillionTokens: 900,
    };
    const later = await gatewayWorld({
      settings: [['green.factor_overrides', { 'anthropic/claude-test': factor }]],
      store: world.store,
    });
    try {
      expect(await later.gateway.green.recompute()).toMatchObject({ days: 1, traces: 3, changed: 2 });
      const { traces } = (await later.green('/traces?model=claude-test')).body;
      expect(traces.map((trace: { totalCo2Grams: number }) => trace.totalCo2Grams)).toEqual([0.9, 0.9]);
      expect((await later.green('/traces?model=gpt-4o')).body.traces).toEqual(other);
      const total = 1.8 + other[0].totalCo2Grams;
      const { buckets } = (await later.green('/timeseries')).body;
      expect(buckets).toHaveLength(1);
      const { body } = await later.green('/summary');
      expect(body.totalCo2Grams).toBeCloseTo(total, 9);
      expect(body.byModel['claude-test'].co2Grams).toBeCloseTo(1.8, 9);
      const { text } = await later.call('/metrics');
      expect(text).toContain('co2_grams_total{provider="anthropic",model="claude-test"} 1.8');
    } finally {
      await later.close();
    }
  } finally {
    await world.close();
  }
});
