import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normaliseName } from '../../src/core/ids.js';
import { fold } from '../../src/core/text/fold.js';
import { stem } from '../../src/core/text/stems/stem.js';
import { stemEnglish } from '../../src/core/text/stems/stem-english.js';
import { isStopWord, stopWords } from '../../src/core/text/stop-words.js';
import { tokenize } from '../../src/core/text/tokens.js';
import { analyse } from '../../src/core/text/words.js';

const norms = (text: string) => tokenize(text).map((token) => token.norm);

describe('tokenize', () => {
  it.each([
    ["don't stop O’Brien's band", ["don't", 'stop', "o'brien's", 'band']],
    [
      'The U.S. and the U.S.A., J.R.R. Tolkien, e.g. at 5 a.m.',
      ['the', 'u.s', 'and', 'the', 'usa', 'jrr', 'tolkien', 'e.g', 'at', '5', 'a.m'],
    ],
    ['C, C++, C# and F#.', ['c', 'c++', 'c#', 'and', 'f#']],
    ['3.5 million or 1,890 of 12,34', ['3.5', 'million', 'or', '1890', 'of', '12', '34']],
    ['AT&T R&D, rock & roll', ['at&t', 'r&d', 'rock', 'roll']],
    [
      'well-known snake_case and/or node.js v1.2.3',
      ['well', 'known', 'snake', 'case', 'and', 'or', 'node', 'js', 'v1.2.3'],
    ],
    ['Naïve Straße Łódź Ægir ﬁn ＡＢＣ', ['naive', 'strasse', 'lodz', 'aegir', 'fin', 'abc']],
    ['東京タワー हिन्दी', ['東', '京', 'タ', 'ワ', 'ー', 'हिन्दी']],
    ['서울에서 LG전자', ['서', '울', '에', '서', 'lg', '전', '자']],
    ['서울'.normalize('NFD'), ['서', '울']],
    ['ภาษาไทยสวย แมว3ตัว', ['ภาษา', 'ไทย', 'สวย', 'แมว', '3', 'ตัว']],
    ['ພາສາລາວ ខ្ញុំស្រឡាញ់', ['ພາສາ', 'ລາວ', 'ខ្ញុំ', 'ស្រឡាញ់']],
    ['ไทย\u{1d165}', ['ไทย']],
    ["'quoted' words' end.", ['quoted', 'words', 'end']],
    ['Mr. T. S. Eliot. Plan B. Next', ['mr', 't', 's', 'eliot', 'plan', 'b', 'next']],
    ['', []],
    ['— … !!', []],
  ])('%s', (text, expected) => {
    expect(norms(text)).toEqual(expected);
  });

  it('tokens are slices in order, never overlap, and their norms are folded', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc
        .array(fc.constantFrom(..."aB1é.,&'’+#-_ ßU東한ไทñ\u0301\ud83d", 'U.S.', '1,000'), { maxLength: 40 })
        .map((some) => some.join('')),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        let end = 0;
        for (const token of tokenize(text)) {
          expect(token.start).toBeGreaterThanOrEqual(end);
          expect(token.text).toBe(text.slice(token.start, token.end));
          expect(token.norm).not.toBe('');
          expect(token.norm).toMatch(/^[\p{L}\p{N}\p{M}'.&+#]+$/u);
          expect(fold(token.norm)).toBe(token.norm);
          end = token.end;
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('words with a million accents, in an order that normalising would have to sort', () => {
    const accents = '\u0301\u0316'.repeat(500_000);
    expect(norms(`cafe${accents} a${accents}b`)).toEqual(['cafe', 'ab']);
    expect(normaliseName(`Cafe${'\u0316'.repeat(100_000)}${'\u0301'.repeat(100_000)}`)).toMatch(/^cafe\p{M}{1,31}$/u);
  });

  it('no letter or digit outside the tokens', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 80 }), (text) => {
        let rest = text;
        for (const token of tokenize(text).reverse()) rest = `${rest.slice(0, token.start)} ${rest.slice(token.end)}`;
        expect(rest).not.toMatch(/[A-Za-z0-9]/);
      }),
    );
  });

  it('the same words however they are cased or composed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('Éclair', 'naïve', 'C++', 'U.S.', "don't", '3.5', 'Łódź'), { maxLength: 8 }),
        (some) => {
          const text = some.join(' ');
          expect(norms(text.normalize('NFD'))).toEqual(norms(text));
          expect(norms(text.toUpperCase())).toEqual(norms(text));
        },
      ),
    );
  });
});

describe('stems', () => {
  it('the English stemmer equals the Snowball package', () => {
    const { newStemmer } = createRequire(import.meta.url)('snowball-stemmers') as {
      newStemmer(name: string): { stem(word: string): string };
    };
    const snowball = newStemmer('english');
    const roots = fc.constantFrom(
      ...'general commun arsen hop hopp bead relat nation sky say boy y yyy univers organ real luxuri fals bl iz at sing dy ti oe ski howe innin exce proce succe'.split(
        ' ',
      ),
    );
    const endings = fc.array(
      fc.constantFrom(
        ..."s es ed eed ing ingly edly eedly y ly li ational tional ization izer ator alism aliti alli fulness ousli ousness iveness iviti biliti bli ogi fulli lessli ness ful ative icate iciti ical alize ement ment ent ance ence able ible ant ism ate iti ous ive ize ion er ic al e l ll 's ' 's'".split(
          ' ',
        ),
      ),
      { maxLength: 3 },
    );
    const built = fc.tuple(roots, endings).map(([root, suffixes]) => root + suffixes.join(''));
    const random = fc
      .array(fc.constantFrom(...'aeiouybcdlnrstgvzm'), { minLength: 1, maxLength: 12 })
      .map((some) => some.join(''));
    fc.assert(
      fc.property(fc.oneof(built, random), (word) => {
        expect(stemEnglish(word)).toBe(snowball.stem(word));
      }),
      { numRuns: 5000 },
    );
  });

  it('leaves numbers, acronyms and signs alone', () => {
    expect(['1990s', 'u.s', 'c++', 'at&t', '3.5'].map((word) => stem(word))).toEqual([
      '1990s',
      'u.s',
      'c++',
      'at&t',
      '3.5',
    ]);
  });

  it('stems other languages, and leaves unknown ones as they are', () => {
    expect(analyse("L'homme n'est pas dans les forêts", 'french')).toEqual(['homm', 'foret']);
    expect(analyse('Die Häuser der Städte', 'german')).toEqual([stem('hauser', 'german'), stem('stadte', 'german')]);
    expect(analyse('running houses', 'klingon')).toEqual(['running', 'houses']);
  });

  it('analyse drops stop words on either side alike', () => {
    expect(analyse('The director of the universities, and who doesn’t run')).toEqual(['director', 'univers', 'run']);
    expect(analyse('')).toEqual([]);
  });

  it('every stop list is folded and of sensible size', () => {
    for (const language of ['english', 'german', 'french', 'spanish', 'italian', 'portuguese', 'dutch']) {
      expect(stopWords(language).size).toBeGreaterThan(100);
      for (const word of stopWords(language)) expect(fold(word)).toBe(word);
    }
    expect(isStopWord('the')).toBe(true);
    expect(isStopWord('the', 'german')).toBe(false);
  });
});
