import { describe, expect, test } from '@jest/globals';
import { queryTerms } from '../../src/backends/text/bm25.js';
import { MemoryTextIndex } from '../../src/backends/text/memory.js';
import { languageAndWords, languageOf, languageOfPassage } from '../../src/core/text/language.js';
import { wordsOf } from '../../src/core/text/words.js';

describe('the language of a text', () => {
  test.each([
    ['Wer leitet das Team in Gent?', 'german'],
    ['Le pont est fermé pendant les travaux de cet été.', 'french'],
    ['¿Dónde están las llaves de la oficina?', 'spanish'],
    ['Il museo è chiuso il lunedì e il martedì.', 'italian'],
    ['As chaves estão na gaveta da mesa, mas não hoje.', 'portuguese'],
    ['De sleutel ligt in de la van het bureau.', 'dutch'],
    ['The key lies in the drawer of the desk.', 'english'],
    ['Was kostet das Buch?', 'german'],
    ['Wie lange ruht der Teig?', 'german'],
    ['Qui préfère le citron ?', 'french'],
    ['Wo wohnt Kathi?', 'german'],
    ['wann kommt kathi?', 'german'],
    ['Welche Farbe trägt Kathi?', 'german'],
    ['In welchem Monat endet Kathis Vertrag?', 'german'],
    ['Wie heißt Kathis Hund?', 'german'],
    ['Quel est le code ?', 'french'],
    ['Où habite Kathi ?', 'french'],
    ['D’où vient Kathi ?', 'french'],
    ['Dónde vive Kathi?', 'spanish'],
    ['¿Vive Kathi?', 'spanish'],
    ['Dove abita Kathi?', 'italian'],
    ["Dov'è Kathi?", 'italian'],
    ['Qual è il codice?', 'italian'],
    ['Onde mora Kathi?', 'portuguese'],
    ['Como chega o trem?', 'portuguese'],
    ['Waar woont Kathi?', 'dutch'],
    ['Wie is Kathi?', 'dutch'],
    ['Was kostet 1.250 Euro?', 'german'],
    ['was kostet 1.250 €?', 'german'],
    ['Was kosten 3 Tickets?', 'german'],
    ['Was wiegt Kathi?', 'german'],
    ['Wie viel kostet 1 kg?', 'german'],
    ['Kostet Kathis Rad 1.250 Euro?', 'german'],
    ['Combien coûte 1 kg ?', 'french'],
    ['Coûte-t-il 1.250 euros ?', 'french'],
    ['Que coûte 1 kg ?', 'french'],
    ['Cuánto cuesta 1 kg?', 'spanish'],
    ['Que cuesta 1 kg?', 'spanish'],
    ['Quanto costa 1 kg?', 'italian'],
    ['Quanto costano 3 biglietti?', 'italian'],
    ['Quanto custa 1 kg?', 'portuguese'],
    ['Quanto custam 3 bilhetes?', 'portuguese'],
    ['Wat kost 1 kg?', 'dutch'],
    ['Hoeveel kost 1 kg?', 'dutch'],
    ['Hoeveel kosten 3 kaartjes?', 'dutch'],
    ['Cosa manca?', 'italian'],
    ['Cosa cucina Kathi?', 'italian'],
    ["Cos'ha detto Kathi?", 'italian'],
    ['È aperto il museo a maggio?', 'italian'],
    ["Qu'a dit Kathi ?", 'french'],
    ['Puedo pagar con tarjeta?', 'spanish'],
    ["Adesso abito in via Po, ho lasciato l'altra casa.", 'italian'],
    ["Le conseil accepte d'installer un abri. L'artisan s'en charge.", 'french'],
    ['El taller es a las 18:00 y la plaza cuesta 22 €, con los materiales.', 'spanish'],
    ["Domenica pranziamo all'una da me.", 'italian'],
  ])('%s: %s', (text, language) => {
    expect(languageOf(text)).toBe(language);
  });

  test('is English where function words do not tell: names, foreign titles in English, other scripts', () => {
    for (const text of [
      '',
      'Des Moines',
      'Ada Lovelace, Charles Babbage',
      'population of La Paz',
      'Los Angeles mayor?',
      'Was Tom late?',
      'Was it 1.250 euros?',
      'Was wheat dear?',
      'Was Wiegt late?',
      'Wat Pho price?',
      'Costa Rica price?',
      'Costa price?',
      'What does "kostet" mean?',
      'Who wrote Was kostet die Welt?',
      'How much does Kostet cost?',
      'Vasco da Gama route?',
      'Des Moines?',
      'Wo Fat?',
      'Chi Omega founders?',
      'Qui-Gon Jinn actor?',
      'Where is the Wo Hing temple?',
      'Was war declared?',
      'Was man made for this?',
      'Was war fought in Bergen?',
      'What does "wo wohnt" mean?',
      'Who sang Donde voy?',
      'Abidjan, Grand-Bassam (Côte d’Ivoire)',
      "Where is the Hôtel d'Angleterre?",
      'Manta de lana, Lanas de la Sierra',
      'Che Guevara?',
      '東京の人口は',
      '1984',
    ]) {
      expect([text, languageOf(text)]).toEqual([text, 'english']);
    }
    for (const text of ['Was war los?', 'Was war geplant?', 'Was man weiß?'])
      expect([text, languageOf(text)]).toEqual([text, 'german']);
  });
});

describe('the language of a short question', () => {
  test.each([
    ['portuguese', 'A que horas é a reunião?'],
    ['portuguese', 'A que horas abre a loja?'],
    ['portuguese', 'Quando é a reunião?'],
    ['portuguese', 'Que dia é a festa?'],
    ['portuguese', 'De que cor é a porta?'],
    ['portuguese', 'O que faz a Ana?'],
    ['portuguese', 'Há pão?'],
    ['spanish', 'A que hora abre la tienda?'],
    ['spanish', 'A qué horas abre la tienda?'],
    ['spanish', 'En que sala es la clase?'],
    ['spanish', 'La reunión es mañana?'],
    ['spanish', 'Que hora es?'],
    ['italian', 'A che ora è la riunione?'],
    ['italian', 'La riunione è domani?'],
    ['italian', 'Quando é la riunione?'],
    ['french', 'Que fait Anne?'],
    ['french', 'A quoi sert-il?'],
  ])('is %s by its asking word and its letters: %s', (language, question) => {
    expect(languageOf(question)).toBe(language);
    expect(languageOf(question.toLowerCase())).toBe(language);
    expect(languageOf(question.normalize('NFD'))).toBe(language);
  });

  test.each([
    'where is são paulo?',
    'Who plays for São Paulo?',
    'Is João away?',
    'What is a piñata?',
    'Is the jalapeño hot?',
    'How do I type é?',
    'When is the Ação festival?',
  ])('is English beside a name or a word of another language: %s', (question) => {
    expect(languageOf(question)).toBe('english');
  });
});

describe('a language that was told before', () => {
  const texts = [
    'Le pont est fermé pendant les travaux de cet été.',
    'The bridge is closed while the works of this summer last.',
    'Wo ist die Brücke?',
    // What tells stands behind what is read, and a question is told by other words.
    `${'Ada Byron '.repeat(130)}und wird nicht von der Straße aus gesehen.`,
    `Wo liegt ${'x'.repeat(1300)}?`,
    `Wo liegt ${'x'.repeat(1300)}.`,
  ];

  test('is told again, with its words too, however many texts were met meanwhile', () => {
    const before = texts.map(languageOf);
    expect(before).toEqual(['french', 'english', 'german', 'english', 'german', 'english']);
    expect(texts.map(languageOf)).toEqual(before);
    for (let i = 0; i < 5000; i += 1) languageOf(`Note ${i}`);
    expect(texts.map(languageOf)).toEqual(before);
    expect(texts.map((text) => languageAndWords(text).language)).toEqual(before);
  });

  test('comes with the words of a text that is read whole alone', () => {
    for (const text of texts) {
      const { words } = languageAndWords(text);
      expect(words).toEqual(text.length <= 1200 ? wordsOf(text) : undefined);
    }
  });
});

describe('the language of a passage', () => {
  const german = 'Der Steg wird im Winter nicht geräumt, und die Boote liegen auf dem Hof.';
  const long = 'The jetty is not cleared in winter. '.repeat(12);

  test.each([
    ['tells itself, whatever the title says', 'The rules of the house', german],
    [
      'is that of the title where the text is a list of names',
      'Was bei der Jugend nicht fehlen darf',
      'Anna, Ben, Cem',
    ],
    ['is a question where its text ends as one', 'Das Bootshaus', 'Wer hat den Schlüssel?'],
    ['is read from title and text where these are long', 'Boats', long],
    ['has no title', '', german],
    ['has no text', 'Wer hat den Schlüssel zum Bootshaus?', ''],
  ])('%s', (_, title, text) => {
    const own = languageOf(text);
    const expected = own === 'english' && title !== '' ? languageOf(`${title}\n${text}`) : own;
    for (const _time of [1, 2]) expect(languageOfPassage({ title, text })).toBe(expected);
  });
});

describe('a text index', () => {
  test('finds inflected words in the language of each document, and names in all of them', async () => {
    const index = new MemoryTextIndex();
    await index.connect();
    const doc = (id: string, text: string) => ({ id: `d:${id}`, domain: 'd', title: '', text });
    await index.upsert([
      doc('de', 'Die Häuser an der Straße wurden von Ada Byron gebaut und sind nicht zu verkaufen.'),
      doc('fr', 'Les maisons de la rue ont été construites par Ada Byron et ne sont pas à vendre.'),
      doc('en', 'The houses in the street were built by Ada Byron and are not for sale.'),
    ]);
    const found = async (query: string) => (await index.search(query, { topK: 9 })).hits.map((hit) => hit.id);
    expect((await found('Wer hat das Haus und die Straßen gebaut?'))[0]).toBe('d:de');
    expect((await found('Qui a construit la maison dans cette rue ?'))[0]).toBe('d:fr');
    expect((await found('Who built the house?'))[0]).toBe('d:en');
    expect((await found('Ada Byron')).sort()).toEqual(['d:de', 'd:en', 'd:fr']);
    expect(await index.containing('d', queryTerms('Ada Byron', 'english'))).toEqual(['d:de', 'd:en', 'd:fr']);
  });
});
