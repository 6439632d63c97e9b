import { describe, expect, test } from '@jest/globals';
import { namesIn } from '../../src/core/text/mentions.js';
import { labelsIn } from '../../src/core/wording/line-heads.js';

/** Returns the names in the lines of a text, as its passage is read. */
function names(text: string, textLanguage: string): string[] {
  const labels = labelsIn(text);
  return text.split('\n').flatMap((line) =>
    namesIn(line, { textLanguage, labels })
      .mentions(() => false)
      .map(({ name }) => name),
  );
}

describe('what stands before a colon', () => {
  test.each<[why: string, language: string, text: string, names: readonly string[]]>([
    ['speaks, for its words', 'french', 'Julie : la cotisation passe à 20 euros.', ['Julie']],
    ['speaks, for its words', 'italian', 'Marta: porto io la torta.', ['Marta']],
    ['speaks, though a number is in its words', 'spanish', 'Marcos: llego a las 8.', ['Marcos']],
    ['is a label, for the list', 'french', 'Téléphone : appeler le matin', []],
    ['is a label, for a number behind it', 'french', 'Portable : 06 12 34 56 78', []],
    ['is a label, for an amount behind it', 'italian', 'Caparra: 200 €', []],
    ['is a label, for an address behind it', 'spanish', 'Web: https://example.org', []],
    ['is a label, for a mail behind it', 'french', 'Inscription : ada@example.org', []],
    ['is a label, for a day behind it', 'dutch', 'Inlevering: 20 december', []],
    ['is a label among labels', 'french', 'Date : 3 mai\nConsigne : apporter un pull\nTarif : 20 €', []],
    [
      'speaks where it comes again',
      'french',
      'Julie : 20 euros\nKarim : la salle est libre\nJulie : parfait, à demain',
      ['Julie', 'Karim', 'Julie'],
    ],
    [
      'speaks where others speak',
      'spanish',
      'Marcos: llamo al fontanero\nLucía: gracias, yo abro la puerta\nMarcos: 20 euros',
      ['Marcos', 'Lucía', 'Marcos'],
    ],
    [
      'is a label where it comes again with numbers alone',
      'italian',
      'Acconto: 20 €\nNota: si paga\nAcconto: 30 €',
      [],
    ],
  ])('%s: %s, %j', (_why, language, text, expected) => {
    expect(names(text, language)).toEqual(expected);
  });

  test('is read in one go however many lines there are', () => {
    expect(labelsIn('A: \n'.repeat(50_000)).size).toBeLessThan(2);
    expect(labelsIn(`${'A'.repeat(100_000)}: 1`).size).toBe(0);
  });
});
