import { expect, it } from '@jest/globals';
import type { Passage } from '../../src/core/model.js';
import { collectTerms } from '../../src/ingest/extract/terms.js';
import { longestTurn } from '../support/longest-turn.js';

it('gives way to the event loop all the while that it collects the titles of a long document', async () => {
  const words = ['amber', 'basin', 'cedar', 'delta', 'ember', 'fjord', 'grove'];
  const longest = await longestTurn((step) => {
    const passages = Array.from({ length: 2000 }, (_, i) => ({
      get title() {
        step();
        return `${words[i % 7]} ${i} ${words[i % 5]} ${words[i % 3]}`;
      },
      text: '',
    }));
    return collectTerms(passages as unknown as Passage[]);
  });
  expect(longest).toBeGreaterThan(0);
  expect(longest).toBeLessThan(30);
});
