import { expect, it } from '@jest/globals';
import type { TextIndex } from '../../src/backends/text/port.js';
import { findCompounds } from '../../src/retrieval/seed/compounds.js';
import { questionWords } from '../../src/retrieval/seed/question-words.js';

/** Returns a question of 66 words that no stemmer has met, of letters that follow from `seed`. */
function unmet(seed: number): string {
  let state = seed;
  const letter = () => {
    state = (state * 48_271) % 2_147_483_647;
    return 'aeioubdgklmnrst'[state % 15];
  };
  return Array.from({ length: 66 }, () => Array.from({ length: 5 }, letter).join('')).join(' ');
}

it.each(['german', 'dutch'])('a long question in %s gives way to the event loop while it is read', async (language) => {
  let turns = 0;
  let asked = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const text: Pick<TextIndex, 'known'> = {
    known: async (stems) => {
      asked = stems.length;
      return new Set();
    },
  };
  const question = unmet(language.length);
  const words = questionWords(question, [], { idf: new Map(), language });
  await findCompounds(
    { text: text as TextIndex },
    { text: question, language, words },
    { terms: [], domains: undefined },
  );
  clearImmediate(next);
  expect(asked).toBeGreaterThan(200);
  expect(turns).toBeGreaterThan(0);
});
