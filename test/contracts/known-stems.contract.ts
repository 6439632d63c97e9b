import { expect, it } from '@jest/globals';
import type { TextIndex } from '../../src/backends/text/port.js';

const doc = (id: string, domain: string, text: string) => ({ id, domain, title: '', text });

/** What every text index knows of stems. `index` returns an empty index that is connected. */
export function knownStemsContract(index: () => TextIndex): void {
  it('tells which stems any document of the domains holds', async () => {
    await index().upsert([doc('a', 'd', 'red foxes'), doc('b', 'e', 'blue'), doc('c', 'f', 'green')]);
    const none = Array.from({ length: 1500 }, (_, i) => `none${i}`);
    const stems = ['fox', 'red', 'fox', 'foxes', 'blue', 'c++', ...none, 'green'];
    const known = async (domains?: readonly string[]) => [...(await index().known(stems, domains))].sort();
    expect(await known()).toEqual(['blue', 'fox', 'green', 'red']);
    expect(await known(['d', 'e'])).toEqual(['blue', 'fox', 'red']);
    expect(await known(['none'])).toEqual([]);
    expect(await known([])).toEqual([]);
    expect([...(await index().known([]))]).toEqual([]);
  });

  it('no longer knows the stems of what was deleted, and knows those of what came again', async () => {
    await index().upsert([doc('a', 'd', 'red foxes')]);
    await index().delete(['a']);
    expect([...(await index().known(['fox'], ['d']))]).toEqual([]);
    await index().upsert([doc('a', 'd', 'red foxes')]);
    expect([...(await index().known(['fox'], ['d']))]).toEqual(['fox']);
  });
}
