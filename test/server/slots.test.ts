import { describe, expect, it } from '@jest/globals';
import { Slots } from '../../src/server/limits/slots.js';

/** Computes for some milliseconds, more than a turn of the event loop may take. */
function compute(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

describe('the slots of calls', () => {
  it.each([
    ['begin together', 8],
    ['wait for one slot', 1],
  ])('let the event loop turn between calls that %s', async (_, running) => {
    const slots = new Slots({ running, waiting: 10 });
    let turns = 0;
    let counting = true;
    const count = (): void => {
      turns += 1;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    const began: number[] = [];
    const call = () =>
      slots.run(async () => {
        began.push(turns);
        compute(15);
      });
    await Promise.all(Array.from({ length: 6 }, call));
    counting = false;
    expect(new Set(began).size).toBe(6);
  });
});
