import { afterEach, describe, expect, it } from '@jest/globals';
import type { TextIndex } from '../../src/backends/text/port.js';

/** Rows too short to tell their language, and a letter that does. */
const DOCS = [
  { id: 'row', title: 'm > Marlies Tietjen', text: 'funktion: Vorsitzende.' },
  { id: 'other', title: 'm > Henrik Pohl', text: 'funktion: Bootswart.' },
  {
    id: 'letter',
    title: 'Brief',
    text: 'Die Vorsitzende hat mir gesagt, dass der Verein nicht mehr für das Boot zahlt und wir es deshalb verkaufen.',
  },
].map((doc) => ({ ...doc, domain: 'd' }));
const QUESTION = 'Wer ist Vorsitzende?';

/** What every text index does with a question in another language than English. `open` returns an empty index. */
export function englishStemsContract(name: string, open: () => Promise<TextIndex>): void {
  describe(`a word of a question in another language, with ${name},`, () => {
    let opened: TextIndex | undefined;
    const connected = async (): Promise<TextIndex> => {
      opened = await open();
      await opened.connect();
      return opened;
    };
    afterEach(() => opened?.disconnect());

    it('is found where it stands in a text too short to tell its language', async () => {
      const index = await connected();
      await index.upsert(DOCS.slice(0, 2));
      const { hits, terms } = await index.search(QUESTION, { topK: 5 });
      expect(hits.map(({ id }) => id)).toEqual(['row']);
      expect(terms.map(({ stem, df }) => [stem, df])).toEqual([['vorsitz', 1]]);
      expect((await index.score(QUESTION, ['row'])).get('row')).toBe(hits[0]!.score);
    });

    it('is found there and in texts of its language, which count once', async () => {
      const index = await connected();
      await index.upsert(DOCS);
      const both = await index.search(QUESTION, { topK: 5 });
      expect(both.hits.map(({ id }) => id)).toEqual(['row', 'letter']);
      expect(both.terms.map(({ df }) => df)).toEqual([2]);
      await index.delete(['row']);
      const { hits, terms } = await index.search(QUESTION, { topK: 5 });
      expect(hits.map(({ id }) => id)).toEqual(['letter']);
      expect(terms.map(({ df }) => df)).toEqual([1]);
    });
  });
}
