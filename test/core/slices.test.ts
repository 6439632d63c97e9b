import { describe, expect, it } from '@jest/globals';
import { nextTurn, slicer } from '../../src/core/async/slices.js';

/** Holds the event loop. */
function hold(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('a slicer', () => {
  it('gives way once the budget is used, also when the loop before it used it', async () => {
    await slicer('patient', 0)();
    expect(slicer('patient', 10_000)()).toBeUndefined();
    hold(6);
    const given = slicer('patient', 5)();
    expect(given).toBeInstanceOf(Promise);
    await given;
  });

  it('lets loops that run side by side take turns, one at each turn of the event loop', async () => {
    const order: string[] = [];
    let ticks = 0;
    let over = false;
    const count = (): void => {
      ticks += 1;
      if (!over) setImmediate(count);
    };
    const work = async (name: string): Promise<void> => {
      const pause = slicer('patient', 1);
      for (let i = 0; i < 4; i += 1) {
        hold(1.2);
        await pause();
        order.push(`${name}${ticks}`);
      }
    };
    setImmediate(count);
    await Promise.all([work('a'), work('b')]);
    over = true;
    const byTurn = order.map((entry) => Number(entry.slice(1)));
    expect(new Set(byTurn).size).toBe(order.length);
    expect(order.map((entry) => entry[0]).join('')).toBe('abababab');
  });

  it('lets urgent loops resume before patient ones, which still resume at every fourth turn', async () => {
    const order: string[] = [];
    const work = async (name: string, lane: 'urgent' | 'patient', rounds: number): Promise<void> => {
      for (let i = 0; i < rounds; i += 1) {
        await nextTurn(lane);
        order.push(name);
      }
    };
    await Promise.all([work('p', 'patient', 3), work('u', 'urgent', 7)]);
    expect(order.join('')).toBe('uuupuuupup');
  });
});
