import { describe, expect, it } from '@jest/globals';
import { sortInSlices } from '../../src/core/async/sort-in-slices.js';
import { seededRandom } from '../../src/core/random.js';

describe('sorting in slices', () => {
  it.each([0, 1, 999, 1000, 1001, 4500])('orders %d items as the runtime does, equal ones included', async (count) => {
    const random = seededRandom(`sort ${count}`);
    const items = Array.from({ length: count }, (_, i) => ({ i, key: Math.floor(random() * 50) }));
    const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
    expect(await sortInSlices(items, compare)).toEqual([...items].sort(compare));
  });

  it('lets the event loop turn', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const items = Array.from({ length: 60_000 }, (_, i) => `${(i * 7919) % 60_000}`);
    await sortInSlices(items, (a, b) => a.localeCompare(b));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});
