import { beforeAll, describe, expect, it } from '@jest/globals';
import { processorTime } from '../support/processor-time.js';
import type { Json } from './calls.js';
import { toolWorld } from './tool-world.js';

const tested = toolWorld();
beforeAll(async () => {
  const concepts = Array.from({ length: 5 }, (_, i) => ({ name: `Kettle ${i}`, description: 'A kettle boils water.' }));
  await tested.client.call('svc_ingest_structured', { domain: 'tea', concepts });
});

const complaint = async (tool: string, input: Json): Promise<string> => {
  const answer = await tested.client.call(tool, input);
  return answer.isError === true ? String((JSON.parse(answer.content[0]!.text!) as Json).error) : 'nothing';
};

describe('a number in quotes as an argument of a tool', () => {
  it('counts as the number', async () => {
    const query = { context: 'a kettle', domains: ['tea'] };
    const { isError, structuredContent } = await tested.client.call('svc_query', {
      ...query,
      top_k: '3',
      min_confidence: '0.0',
    });
    expect(isError).toBeFalsy();
    expect(structuredContent!.items).toHaveLength(3);
    const candidates = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
    const chosen = await tested.client.call('svc_learning_select', { learner: 'quoted', candidates, k: '2' });
    expect(chosen.structuredContent!.selected_arms).toHaveLength(2);
  });

  it('is refused in one pass, however long a text that is none', async () => {
    const query = { context: 'a kettle', domains: ['tea'], top_k: `${'1'.repeat(1_000_000)}x` };
    const spent = await processorTime(async () => expect(await complaint('svc_query', query)).toContain('top_k'));
    expect(spent).toBeLessThan(8000);
  });

  it.each(['three', '', ' 3', '3 4', '0x3', '1e999', '2.5', 'Infinity'])(
    'is refused where it is none: %j',
    async (top_k) => {
      expect(await complaint('svc_query', { context: 'a kettle', top_k })).toBe(
        'top_k must be an integer, such as 20.',
      );
    },
  );

  it('keeps to the bounds of the parameter', async () => {
    expect(await complaint('svc_query', { context: 'a kettle', top_k: '0' })).toBe('top_k must be >= 1.');
  });

  it('stays a text where a text is wanted', async () => {
    expect(await complaint('svc_query', { context: '42', domains: ['tea'] })).toBe('nothing');
  });

  it('is refused in a body of HTTP, as before', async () => {
    const response = await fetch(`${tested.world.a}/v1/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ context: 'a kettle', top_k: '3' }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'top_k must be an integer, such as 20.' });
  });
});

it('shows a tool what a list is where one text came', async () => {
  expect(await complaint('svc_query', { context: 'a kettle', domains: 'tea' })).toBe(
    'domains must be an array, such as ["handbook"].',
  );
});
