import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stem } from '../../src/core/text/stems/stem.js';
import { isStopWord } from '../../src/core/text/stop-words.js';
import { tokenize } from '../../src/core/text/tokens.js';
import { wordsOf } from '../../src/core/text/words.js';

const LANGUAGES = ['english', 'german', 'french', 'spanish', 'italian', 'portuguese', 'dutch'];

const read = (text: string, language: string) =>
  tokenize(text).map(({ norm }) => {
    const languages = LANGUAGES.filter((of) => isStopWord(norm, of));
    const word = { norm, stem: stem(norm, language), stop: isStopWord(norm, language) };
    return languages.length === 0 ? word : { ...word, languages };
  });

/** Pieces in which plain words, joining signs and other scripts meet. */
const piece = fc.constantFrom(
  ..."a I The running Houses C++ C# AT&T don't U.S. e.g. v1.2 1,890 3.5 Häuser ﬁber 東京タワー İstanbul K É e\u0301".split(
    ' ',
  ),
  ...'x_y foo-bar & . , ’ + # \u{1F600} 𝒜bc'.split(' '),
  "'",
  ' ',
  '\n',
  '\t',
);

describe('words', () => {
  it.each(['english', 'german', 'turkish', 'none'])('are the tokens of a text with their stems in %s', (language) => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (given) => expect(wordsOf(given, language)).toEqual(read(given, language))),
      { numRuns: 500 },
    );
  });

  it('stay right when more words are met than are kept', () => {
    const many = Array.from({ length: 200_000 }, (_, i) => `word${i.toString(36)}`);
    expect(wordsOf(many.join(' ')).map(({ norm }) => norm)).toEqual(many);
    expect(wordsOf('Houses word1 houses')).toEqual(read('Houses word1 houses', 'english'));
  });

  it('are the same objects for the same word, however it is written', () => {
    const [first, second, third] = wordsOf('Kettle kettle KETTLE.');
    expect(second).toBe(first);
    expect(third).toBe(first);
  });

  it('take long runs of letters as words that are not kept', () => {
    const long = 'Ab'.repeat(100);
    const [first, second] = wordsOf(`${long} ${long}`);
    expect(first).toEqual({ norm: long.toLowerCase(), stem: long.toLowerCase().slice(0, 64), stop: false });
    expect(second).toEqual(first);
  });
});
