import { describe, expect, test } from '@jest/globals';
import { analyse } from '../../src/core/text/words.js';

describe('words of French and Italian that lost their vowel', () => {
  test.each([
    ["Qui n'ont pas encore payé", 'french', ['pay']],
    ["Qu'est-ce qu'il s'est passé", 'french', ['pass']],
    ["C'était l'été", 'french', ['ete']],
    ["Dov'è la chiave dell'altro", 'italian', ['chiav']],
    ["all'una", 'italian', ['una']],
  ])('%s: only what says something is a term', (text, language, terms) => {
    expect(analyse(text, language)).toEqual(terms);
  });

  test('English contractions and names stay what they were', () => {
    expect(analyse("D'Angelo can't say l'été")).toEqual(["d'angelo", 'say', "l'ete"]);
  });
});

test('days of the week and months are no forms of other words', () => {
  expect(analyse('martes lunes', 'spanish')).not.toEqual(analyse('Marta luna', 'spanish'));
  expect(analyse('mars', 'french')).not.toEqual(analyse('mare', 'french'));
});
