import { expect, it } from '@jest/globals';
import { emissionsShown } from '../../src/cli/commands/gateway/emissions.js';
import { facts } from '../../src/cli/output/output.js';
import { gatewayWorld, NOON, post } from '../gateway/world.js';

it('shows six digits of a number in a line of facts, also inside of an object', () => {
  expect(facts([['grams', 64863.65562714288]])).toContain('64863.7');
  expect(facts([['factors', { count: 3, mean: 1.4879999855145079 }]])).toMatch(/count 3, mean 1\.488$/);
});

it('shows large sums of emissions and water in digits, without a power of ten', async () => {
  const world = await gatewayWorld();
  const call = { traceId: 'c1', timestamp: NOON, provider: 'mistral_ai', model: 'mistral-large-2411' };
  await world.green('/ingest', post({ ...call, inputTokens: 0, outputTokens: 1_000_000_000 }));
  const { body } = await world.green('/summary');
  await world.close();
  const text = emissionsShown(body as Parameters<typeof emissionsShown>[0]);
  expect(text).toMatch(/CO2e\s+2,700 kg \(2,300 kg to 3,100 kg\)/);
  expect(text).toMatch(/water\s+75,000 L/);
});
