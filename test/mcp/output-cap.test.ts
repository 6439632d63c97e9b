import { describe, expect, it } from '@jest/globals';
import { capped, OUTPUT_LIMIT } from '../../src/mcp/output-cap.js';

const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const many = (count: number, length: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `d:${i}`, content: 'ä'.repeat(length) }));

describe('the cap on output', () => {
  it('leaves what fits as it is', () => {
    const value = { items: many(10, 100) };
    expect(capped(value)).toBe(value);
  });

  it.each([
    ['a list', { query_id: 'q', items: many(3000, 500), rules: many(10, 10) }, 'items'],
    [
      'a list inside',
      { query: 'q', vec_only: { items: many(1000, 600) }, graph_enhanced: { items: many(100, 600) } },
      'items',
    ],
    [
      'a record of arms',
      { learner: 'l', posteriors: Object.fromEntries(many(20_000, 50).map((one) => [one.id, one])) },
      'posteriors',
    ],
    [
      'several lists',
      { node: {}, edges: many(4000, 200), neighbors: many(4000, 200), rules: many(4000, 200) },
      'neighbors',
    ],
  ])('cuts %s and says how to see the rest', (_name, value, cut) => {
    const answer = capped(value);
    expect(size(answer)).toBeLessThanOrEqual(OUTPUT_LIMIT);
    expect(size(answer)).toBeGreaterThan(OUTPUT_LIMIT / 3);
    expect(answer.truncated).toMatch(new RegExp(`${cut}: \\d+ of \\d+ shown\\. \\w+ `));
    expect(Object.keys(answer)).toEqual([...Object.keys(value), 'truncated']);
  });

  it.each(['rules', 'messages'])('says of %s how to go on from any page', (name) => {
    const { truncated } = capped({ [name]: many(3000, 500), total: 9000 });
    expect(truncated).toContain(`offset raised by the number of ${name} shown`);
  });

  it('shortens long texts before it drops items', () => {
    const answer = capped({ items: many(10, 400_000) });
    expect(answer.items).toHaveLength(10);
    expect(answer.truncated).toContain('20000 characters');
  });
});
