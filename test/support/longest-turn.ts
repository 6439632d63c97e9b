import { jest } from '@jest/globals';

/**
 * Returns how many steps of some work run between two turns of the event loop, at most. The work calls `step` at each of
 * them. A clock that each step puts forward by a millisecond stands in for the real one, so that loops that give way by
 * the time they took do so at the same step on every machine.
 */
export async function longestTurn(work: (step: () => void) => Promise<unknown>): Promise<number> {
  let now = performance.now();
  let turnedAt = now;
  let longest = 0;
  let isOver = false;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  const step = (): void => {
    now += 1;
    longest = Math.max(longest, now - turnedAt);
  };
  const turn = (): void => {
    turnedAt = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await work(step);
  } finally {
    isOver = true;
    clock.mockRestore();
  }
  return Math.round(longest);
}
