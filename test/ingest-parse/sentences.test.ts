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

  it.each([
    'Der Austritt muss dem Vorstand bis zum 30. September schriftlich erklärt werden.',
    'The notice of every member must reach the board by 28. February of the year that they leave it.',
    'Der Nachweis muss bis zum 15. März 2026 und nicht erst am 1. Apr. vorliegen.',
    'Das Fest ist am 30. 9. 2026 und die Sitzung des Vorstands am 1. 10. im Haus.',
    'Næste stævne er den 4. mars, die Versammlung am 3. Mai im großen Saal des Hauses.',
    'Die Wahl leitet im ersten Jahr der 2. Vorsitzende und im zweiten die 1. Schriftführerin des Vereins.',
    'The board of the club meets again on the 12. May 2026 and votes on the new boats there.',
    'The board of the club meets again on 12. May, when it votes on the new boats there.',
    'On the island of the club they opened on 12. May Anna and the other guests were there.',
    'Das Fest des alten Vereins war nicht am 12. April was alle auf der Insel sehr freute.',
    'Auf der Insel leiten wir heute die 20. Sitzung des Vorstands und die 21. Versammlung.',
    'Das Fest des Vereins ist am 12. Mai im Bootshaus und am 13. Juni auf der großen Insel.',
    'Vor dem Start am Ufer liegen die Boote bis zur 3. Klasse und die der 12. Mannschaft bereit.',
    'The feast of the club was on the 12. May in the hall and on the 3. March at the till of the harbour.',
    'The notice reaches the board by 12. March from every member of the club.',
    'La reunión de los socios del club es el 12. mayo en la casa de los botes del puerto.',
    'Das gilt nach § 4 Abs. 1 der Satzung, vgl. Ziff. 7 und Art. 12 sowie Nr. 5 der Ordnung.',
    'Das kostet z. B. Mitglieder bzw. Gäste ca. 20 Euro inkl. Getränke, sagt Dr. Weber vom Vorstand.',
  ])('does not end one after an ordinal number or before the number of a place: %s', (text) => {
    expect(split(text)).toEqual([text]);
  });

  it.each([
    'The number of members in the club is now 28. Februaries were cold there.',
    'The number of boats in the club is now 12. May we buy another one of them?',
    'Die Zahl der Boote im alten Haus ist am Ende 12. Die Mitglieder freuen sich sehr.',
    'The museum of the island shows modern art. Visitors come from far away.',
    'The tent was built for a party of 300. March was the month of the party.',
    'Die Sitzung des neuen Vorstands ist am 3. Wir bitten alle Mitglieder um Antwort.',
    'Die letzte Klasse in diesem Haus ist immer die 12. Danach kommt die Schule der Stadt.',
    'Die letzte Stunde in diesem Haus ist immer die 6. Außerdem gibt es einen Hort.',
    'Wir zahlen von den Rechnungen nur die 20. Mehrkosten zahlen wir auf keinen Fall.',
    'The shop on the corner of the street sold exactly 12. May was a good month for it.',
    'The best of all the months that we had was number 7. March of last year was the worst.',
    'The boats that lie in the harbour are exactly 12. March brings many more of them.',
    'The gate of the harbour on the island is shut at 12. May be careful there on the way.',
    'The last boat of the day came to the quay by 12. May be late again on the way back.',
    'The members who are here on the island were 12. March on with them to the harbour.',
    'We meet in front of the boats of the club at 7. June likes to be early at the quay.',
    'The planets of this old model of the club count 12. Mars is the smallest one of them.',
    'The children in the boats of the club this year number 12. Julio likes every one of them.',
  ])('ends one after a number that counts: %s', (text) => {
    expect(split(text)).toHaveLength(2);
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
