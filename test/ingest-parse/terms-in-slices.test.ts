import { expect, it } from '@jest/globals';
import type { Passage } from '../../src/core/model.js';
import { collectTerms } from '../../src/ingest/extract/terms.js';

/** Returns the processor time of the longest turn of the event loop during some work, as a part of that of all of it. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const spent = () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const start = spent();
  let last = start;
  let longest = 0;
  let isOver = false;
  const turn = (): void => {
    const now = spent();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  longest = Math.max(longest, spent() - last);
  return longest / (spent() - start);
}

it('gives way to the event loop all the while that it collects the titles of a long document', async () => {
  const words = ['amber', 'basin', 'cedar', 'delta', 'ember', 'fjord', 'grove'];
  const passages = Array.from(
    { length: 200_000 },
    (_, i) => ({ title: `${words[i % 7]} ${i} ${words[i % 5]} ${words[i % 3]}`, text: '' }) as Passage,
  );
  expect(await longestTurn(() => collectTerms(passages))).toBeLessThan(0.2);
});
