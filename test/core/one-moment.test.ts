import { describe, expect, it } from '@jest/globals';
import { atOneMoment, readOnce } from '../../src/core/async/one-moment.js';

/** Returns a reading that counts, and what it is read through. */
function counted() {
  const owner = {};
  let reads = 0;
  const read = async () => {
    reads += 1;
    return reads;
  };
  return { once: (name = 'n') => readOnce(owner, name, read), reads: () => reads };
}

describe('one moment', () => {
  it('reads a value once in a request, however deep and however parallel, and at each call outside of one', async () => {
    const { once, reads } = counted();
    const values = await atOneMoment(async () => {
      const deep = await atOneMoment(async () => [await once(), await once()]);
      return [...deep, ...(await Promise.all([once(), once()]))];
    });
    expect(values).toEqual([1, 1, 1, 1]);
    expect([await once(), await once()]).toEqual([2, 3]);
    expect(reads()).toBe(3);
  });

  it('keeps requests apart, and names, and owners', async () => {
    const { once } = counted();
    const other = counted();
    const request = () => atOneMoment(async () => [await once(), await once(), await once('m'), await once('m')]);
    const [a, b] = await Promise.all([request(), request()]);
    expect(a![0]).toBe(a![1]);
    expect(a![2]).toBe(a![3]);
    expect(new Set([...a!, ...b!]).size).toBe(4);
    expect(await atOneMoment(async () => [await once(), await other.once()])).toEqual([5, 1]);
  });

  it('keeps no failure', async () => {
    let reads = 0;
    const owner = {};
    const read = async () => {
      reads += 1;
      if (reads === 1) throw new Error('away');
      return reads;
    };
    await atOneMoment(async () => {
      await expect(readOnce(owner, 'n', read)).rejects.toThrow('away');
      expect([await readOnce(owner, 'n', read), await readOnce(owner, 'n', read)]).toEqual([2, 2]);
    });
  });

  it('keeps nothing for work that a request left running', async () => {
    const { once } = counted();
    let go: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      go = resolve;
    });
    let left: Promise<number[]> | undefined;
    const first = await atOneMoment(async () => {
      const value = await once();
      left = ended.then(async () => [await once(), await once()]);
      return value;
    });
    go();
    expect([first, ...(await left!)]).toEqual([1, 2, 3]);
  });
});
