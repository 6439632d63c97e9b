import { afterEach, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { saysChange } from '../../src/retrieval/change/change-words.js';
import { temporalExpressions } from '../../src/retrieval/dates/dates.js';

const FILLER: Readonly<Record<string, readonly string[]>> = {
  fr: [
    'Ma sœur arrive vendredi à 15 h.',
    'Le jardin a besoin d’eau.',
    'Qui apporte les boissons ?',
    'Le train de Lyon part à 17 h.',
  ],
  de: [
    'Meine Schwester kommt am Freitag um 15 Uhr.',
    'Der Garten braucht Wasser.',
    'Wer bringt Getränke mit?',
    'Der Zug nach Lyon fährt um 17 Uhr.',
  ],
  es: [
    'Mi hermana llega el viernes a las 15 h.',
    'El jardín necesita agua.',
    '¿Quién trae las bebidas?',
    'El tren a Lyon sale a las 17 h.',
  ],
  nl: [
    'Mijn zus komt vrijdag om 15 uur.',
    'De tuin heeft water nodig.',
    'Wie brengt de drankjes mee?',
    'De trein naar Lyon gaat om 17 uur.',
  ],
  en: [
    'My sister arrives on Friday at 3 pm.',
    'The garden needs water.',
    'Who brings the drinks?',
    'The train to Lyon leaves at 5 pm.',
  ],
};

let world: World | undefined;
afterEach(() => world?.close());

/** Says each text a month after the one before it, then asks. */
async function orderOf(said: readonly string[], question: string) {
  world = await openWorld('minilm');
  for (const [i, text] of said.entries()) {
    const timestamp = `2026-0${i + 1}-05T10:00:00Z`;
    await world.ingest.message({
      domain: 'chat',
      session_id: `s${i}`,
      role: 'user',
      speaker: 'Julie',
      text,
      timestamp,
    });
  }
  const { items } = await world.retrieval.query({ context: question, domains: ['chat'], top_k: 10 });
  return items.map(({ content }) => content.replace(/^[^:]*: /, ''));
}

describe('a time that was moved', () => {
  it.each([
    ['fr', 'À quelle heure est la réunion ?', 'La réunion est à 18 h', 'Finalement on se retrouve à 19 h'],
    ['fr', 'À quelle heure est la réunion ?', 'La réunion est à 18h30.', 'La réunion est à 19h maintenant.'],
    ['de', 'Um wie viel Uhr ist die Sitzung?', 'Die Sitzung ist um 18 Uhr.', 'Wir treffen uns doch erst um 19 Uhr.'],
    ['es', '¿A qué hora es la reunión?', 'La reunión es a las 18 h.', 'Al final quedamos a las 19 h.'],
    ['nl', 'Hoe laat is de vergadering?', 'De vergadering is om 18 uur.', 'Uiteindelijk spreken we om 19 uur af.'],
    ['en', 'What time is the meeting?', 'The meeting is at 6 pm.', 'In the end we meet at 7 pm.'],
    ['fr', 'À quelle heure est la réunion ?', 'La réunion est à 18 h', 'La réunion est décalée à 19 h'],
    ['de', 'Wann ist die Sitzung?', 'Die Sitzung ist um 18 Uhr.', 'Die Sitzung ist jetzt um 19 Uhr.'],
  ])('stands above the one before: %s, %s', async (language, question, before, after) => {
    expect((await orderOf([before, ...FILLER[language]!, after], question)).slice(0, 2)).toEqual([after, before]);
  });

  it.each([
    ['fr', 'À quelle heure est la réunion ?', 'La réunion est à 18 h', 'Finalement mon frère prend le train de 19 h'],
    ['de', 'Um wie viel Uhr ist die Sitzung?', 'Die Sitzung ist um 18 Uhr.', 'Mein Bruder kommt doch erst um 19 Uhr.'],
    ['en', 'What time is the meeting?', 'The meeting is at 6 pm.', 'In the end my brother took the bus at 7 pm.'],
    [
      'de',
      'Wann fährt der Bus nach Metz?',
      'Der Bus nach Metz fährt um 6 Uhr.',
      'Wir treffen uns doch erst um 19 Uhr.',
    ],
    ['fr', 'À quelle heure est la réunion ?', 'La réunion est à 18 h', 'Finalement la réunion est agréable.'],
  ])('does not stand below another thing that changed: %s, %s', async (language, question, before, after) => {
    expect((await orderOf([before, ...FILLER[language]!, after], question))[0]).toBe(before);
  });
});

describe('the time of a day', () => {
  it.each([
    ['german', 'Wir essen um 18 Uhr.'],
    ['german', 'Treffpunkt halb sieben!'],
    ['french', 'On mange à 18h30.'],
    ['french', 'On mange à 7 heures.'],
    ['spanish', 'Comemos a las 2.'],
    ['italian', 'Si mangia alle 19.'],
    ['portuguese', 'Jantamos às oito.'],
    ['dutch', 'We eten om 18.30 uur.'],
    ['english', "We eat at seven o'clock."],
  ])('says when: %s, %s', (language, text) => expect(temporalExpressions(text, language)).toBe(1));

  it.each([
    ['german', 'Die Uhr ist halb kaputt und kostet 18 Euro.'],
    ['french', 'Il y habite avec 18 hommes.'],
    ['italian', 'Va alle scuole.'],
    ['spanish', 'Va a las tiendas.'],
  ])('is none of %s: %s', (language, text) => expect(temporalExpressions(text, language)).toBe(0));
});

describe('a turn says that something changes', () => {
  it.each(['Wir fahren doch lieber mit dem Zug.', 'Schließlich blieb es bei Mia.', 'In the end we meet at Jo’s.'])(
    '%s',
    (text) => expect(saysChange(text)).toBe(true),
  );
  it.each(['Das ist doch klar.', 'In the end of the hall.', 'Wait till in the end.'])('and not: %s', (text) =>
    expect(saysChange(text)).toBe(false),
  );
});
