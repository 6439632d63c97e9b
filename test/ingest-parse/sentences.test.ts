import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { splitSentences } from '../../src/core/text/sentences.js';

const split = (text: string): string[] => splitSentences(text).map(([start, end]) => text.slice(start, end));

describe('splitSentences', () => {
  it('ends a sentence before a capital, a digit or a quote', () => {
    expect(
      split('The gate was opened in spring. Nobody had the key for it! 40 people came "by chance". "Wait" they said.'),
    ).toEqual([
      'The gate was opened in spring.',
      'Nobody had the key for it!',
      '40 people came "by chance". "Wait" they said.',
    ]);
  });

  it.each([
    'It was written by Dr. Helena Smith of St. Andrews and published later.',
    'The firm of J. R. R. Tolkien and C. S. Lewis met every Tuesday night.',
    'Version 2.10. 3 of the program is no different from No. 7 of the series.',
    'The law of the U.S. Senate was changed, e.g. Section 4, by Prof. Brown.',
  ])('does not end one after abbreviations and single letters: %s', (text) => {
    expect(split(text)).toEqual([text]);
  });

  it('ends one after an abbreviation when a usual first word follows', () => {
    expect(split('The company is called Parcel Boats Inc. It was founded on the island.')).toHaveLength(2);
  });

  it('joins fragments under 25 characters to their neighbour', () => {
    expect(split('Why? Nobody on the island could tell. Never. The boat had left long before.')).toEqual([
      'Why? Nobody on the island could tell. Never.',
      'The boat had left long before.',
    ]);
  });

  it('ends sentences at list items, table rows and empty lines, not at wrapped lines', () => {
    const text =
      'The orchard has forty apple trees and a single\npear tree beside the gate of the lower field\n- prune the trees in late winter\n- clean the saw after each of them\n\nA last paragraph without a full stop';
    expect(split(text)).toEqual([
      'The orchard has forty apple trees and a single\npear tree beside the gate of the lower field',
      '- prune the trees in late winter',
      '- clean the saw after each of them',
      'A last paragraph without a full stop',
    ]);
  });

  it('knows the full stops of other scripts', () => {
    expect(split('果樹園には四十本の林檎の木があります。門のそばに梨の木が一本あります。')).toHaveLength(2);
    expect(split('इस बाग में चालीस सेब के पेड़ हैं। फाटक के पास नाशपाती का एक पेड़ है।')).toHaveLength(2);
  });

  it('gives ordered spans inside the text that cover all but white space, for any text', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc
        .array(fc.constantFrom('Dr. ', 'A word. ', '\n', '\n- ', '"Yes!" ', '...', '。', 'x', ' ', '| a |', '3.5 '), {
          maxLength: 60,
        })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        let at = 0;
        for (const [start, end] of splitSentences(text)) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          expect(text.slice(at, start).trim()).toBe('');
          at = end;
        }
        expect(at).toBeLessThanOrEqual(text.length);
        expect(text.slice(at).trim()).toBe('');
      }),
      { numRuns: 400 },
    );
  });

  it('is quick with long runs of marks and with many short lines', () => {
    expect(splitSentences(`${'.'.repeat(200_000)}x`)).toHaveLength(1);
    expect(splitSentences('a line without end\n'.repeat(20_000)).length).toBeGreaterThan(0);
  });
});
