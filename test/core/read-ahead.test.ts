import { describe, expect, it } from '@jest/globals';
import { readAhead } from '../../src/core/async/read-ahead.js';

async function* numbers(log: string[], end = 4): AsyncGenerator<number> {
  try {
    for (let i = 1; i <= end; i += 1) {
      log.push(`made ${i}`);
      yield i;
    }
  } finally {
    log.push('closed');
  }
}

describe('reading ahead', () => {
  it('gives the same items, one ahead of the caller and never more', async () => {
    const log: string[] = [];
    for await (const item of readAhead(numbers(log))) {
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`used ${item}`);
    }
    expect(log).toEqual(['made 1', 'made 2', 'used 1', 'made 3', 'used 2', 'made 4', 'used 3', 'closed', 'used 4']);
  });

  it('waits for what is on its way and closes the source when the caller stops', async () => {
    const log: string[] = [];
    for await (const item of readAhead(numbers(log))) if (item === 1) break;
    expect(log).toEqual(['made 1', 'made 2', 'closed']);
  });

  it('fails where the source fails, after what came before', async () => {
    const seen: number[] = [];
    async function* broken(): AsyncGenerator<number> {
      yield 1;
      yield 2;
      throw new Error('gone');
    }
    const reading = (async () => {
      for await (const item of readAhead(broken())) seen.push(item);
    })();
    await expect(reading).rejects.toThrow('gone');
    expect(seen).toEqual([1, 2]);
  });
});
