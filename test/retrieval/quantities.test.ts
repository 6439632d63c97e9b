import { describe, expect, test } from '@jest/globals';
import { asksQuantity, holdsQuantity } from '../../src/retrieval/conversation/quantities.js';

describe('a question for a number', () => {
  test.each([
    ['english', 'How much did we spend on the concert?'],
    ['english', 'how many copies were missing'],
    ['english', 'What does the welding cost?'],
    ['english', 'How tall is the ladder?'],
    ['german', 'Wie viele Stühle fehlen?'],
    ['german', 'Wieviel hat der Häcksler gekostet?'],
    ['german', 'Wie teuer waren die Messer?'],
    ['french', 'Combien de chaises manquent ?'],
    ['spanish', '¿Cuántas sillas faltan?'],
    ['italian', 'Quanto costa il biglietto?'],
    ['portuguese', 'Quantas cadeiras faltam?'],
    ['dutch', 'Hoeveel stoelen missen we?'],
  ])('is known in %s: %s', (language, question) => {
    expect(asksQuantity(question, language)).toBe(true);
  });

  test.each([
    ['english', 'Who brought the chairs?'],
    ['english', 'How did the trip go?'],
    ['english', 'What is the costume made of?'],
    ['german', 'Wie ist der Ausflug gelaufen?'],
    ['french', 'Qui a apporté les chaises ?'],
  ])('is none in %s: %s', (language, question) => {
    expect(asksQuantity(question, language)).toBe(false);
  });
});

describe('a number', () => {
  test.each([
    ['english', 'Tell him 260'],
    ['english', 'two hundred and sixty for the metalwork'],
    ['english', 'Twenty-five, I think'],
    ['english', 'half of it'],
    ['german', 'sechsundachtzig das Paar'],
    ['german', 'Drei fehlen noch'],
    ['french', 'soixante euros'],
    ['dutch', 'vijftig euro'],
  ])('is found in %s: %s', (language, text) => {
    expect(holdsQuantity(text, language)).toBe(true);
  });

  test.each([
    ['english', 'one of us did it'],
    ['english', 'They often wait'],
    ['german', 'Ein Freund hat einen Zaun gebaut'],
    ['french', 'un ami'],
  ])('is not found in %s: %s', (language, text) => {
    expect(holdsQuantity(text, language)).toBe(false);
  });

  test('is looked for in linear time', () => {
    expect(holdsQuantity('zeh'.repeat(200_000), 'german')).toBe(false);
    expect(asksQuantity('wie '.repeat(200_000), 'german')).toBe(false);
  });
});
