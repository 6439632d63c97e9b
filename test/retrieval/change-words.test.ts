import { describe, expect, test } from '@jest/globals';
import { asksNow } from '../../src/retrieval/change/change-words.js';

test('letters of any alphabet are read in one go', () => {
  expect(asksNow(`Was kostet das? ${'\uff41'.repeat(50_000)}`, 'german')).toBe(true);
});

describe('a question asks how things are now', () => {
  test('where it is for ages and last names', () => {
    for (const question of ['How old is Tom?', "What is Ada's last name?", 'Which number do I call?']) {
      expect({ question, now: asksNow(question) }).toEqual({ question, now: true });
    }
    for (const question of ['Where was Tom born?', 'What is the old code?', 'Which game does Ada find best?']) {
      expect({ question, now: asksNow(question) }).toEqual({ question, now: false });
    }
  });

  test('where German words of it end like a past tense', () => {
    for (const [question, now] of [
      ['Wie hoch ist die Miete für den Garten?', true],
      ['Wie lautet das Passwort?', true],
      ['Was kostet die rote Lampe heute?', true],
      ['Wo arbeitet mein Bruder?', true],
      ['Wo möchten wir arbeiten?', true],
      ['Was ist die neueste Nummer von Karl?', true],
      ['Wo arbeitet meine jüngste Schwester?', true],
      ['Wohin reiste Anna?', false],
      ['Wo wohnte Anna?', false],
      ['Wohnte Anna in Berlin?', false],
      ['Was sagten die Leute?', false],
      ['Wo musste ich hin?', false],
    ] as const) {
      expect({ question, now: asksNow(question, 'german') }).toEqual({ question, now });
    }
  });
});
