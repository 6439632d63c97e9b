import { describe, expect, test } from '@jest/globals';
import {
  asksAmount,
  asksNow,
  proposes,
  saysChange,
  saysDocumentChange,
} from '../../src/retrieval/change/change-words.js';

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

describe('what a turn says of a change', () => {
  test.each([
    'Finalement la réunion est à 19 h.',
    'La cotisation passe à 28 € en janvier.',
    'On ne se retrouve plus chez Ada.',
    'Voici mon nouveau numéro.',
    'Al final el taller es a las 19:00.',
    'Mi nuevo teléfono es el 655 10 20 30.',
    'El curso se ha suspendido: está anulado.',
    'Il supplemento ora costa 10 €.',
    'Alla fine pranziamo da Ada.',
    'La cena è rimandata, rimandato tutto.',
    'O meu novo número é o 912.',
    'Onze nieuwe afspraak is op 3 mei.',
  ])('%s', (text) => {
    expect(saysChange(text)).toBe(true);
  });

  test.each([
    'The Art Nouveau house in Nuevo León has a blue door.',
    'At the end of the road, al final de la calle.',
    'Le musée est à gauche.',
    'La plaza está al final de la calle.',
    'La casa è alla fine della strada.',
    'Ada wants plus one at the final.',
  ])('no change: %s', (text) => {
    expect(saysChange(text)).toBe(false);
  });
});

describe('what documents say of a change', () => {
  test.each([
    'Ada est élue présidente ; elle succède à Bo.',
    'Le tarif est fixé à 12 € à compter du 1er janvier.',
    'A partir del 1 de enero la cuota sube a 75 €.',
    'Ada fue elegida presidenta.',
    'Ada subentra a Bo; la quota sale a 30 €.',
    'O regulamento entra em vigor em maio.',
    'Ada is benoemd tot voorzitter.',
  ])('%s', (text) => {
    expect(saysDocumentChange(text)).toBe(true);
  });

  test.each([
    'Le bureau propose de fixer la cotisation à 30 €.',
    "L'assemblée rejette le projet.",
    'Se propone subir la cuota a 80 €.',
    'La junta rechazó el cambio.',
    'Si propone una quota di 30 €.',
    'La proposta è respinta.',
    'A proposta foi rejeitada.',
    'Het voorstel is afgewezen.',
  ])('only proposes or rejects: %s', (text) => {
    expect(proposes(text)).toBe(true);
  });

  test.each(['Combien coûte la carte ?', '¿Cuánto cuesta la vela?', 'Quanto costa il biglietto?', 'Hoeveel kost het?'])(
    'a question for an amount: %s',
    (question) => {
      expect(asksAmount(question)).toBe(true);
    },
  );

  test('other words of English are none of them', () => {
    for (const text of ['Who won the Grand Prix?', 'Where is Costa Rica?']) expect(asksAmount(text)).toBe(false);
    for (const text of ['Ada refused the parcel.', 'They nominate and debate.']) expect(proposes(text)).toBe(false);
  });
});

test('a name with a word for new in it is no change, in whatever language', () => {
  for (const text of [
    'A Nova Scotia sheep is white.',
    'El Nuevo Herald was founded in 1977.',
    'Le Nouvel Observateur is a weekly.',
    'It was on sale a week ago.',
    'Dal 2 cups, rice one cup.',
  ])
    expect({ text, changes: saysDocumentChange(text) }).toEqual({ text, changes: false });
  for (const text of [
    'Mon nouveau numéro est le 06 12.',
    'El nuevo horario es de 9 a 14.',
    'La nuova password è abete.',
    'O novo endereço é Rua B.',
    'Het nieuwe adres is Dam 1.',
    'Il canone sale a 800 euro.',
    'Dal 3 marzo apre alle 9.',
  ])
    expect({ text, changes: saysDocumentChange(text) }).toEqual({ text, changes: true });
});
