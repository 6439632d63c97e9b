import { describe, expect, test } from '@jest/globals';
import { openWorld } from '../../bench/retrieval/world.js';
import { aboutKeys } from '../../src/core/text/about.js';
import { namesIn } from '../../src/core/text/mentions.js';

function names(sentence: string, textLanguage: string): string[] {
  return namesIn(sentence, { textLanguage })
    .mentions(() => false)
    .map(({ name }) => name);
}

describe('names in languages that write nouns and verbs small', () => {
  test.each([
    ['french', 'Commander la serre avec Ada.', ['Ada']],
    ['french', '- [x] Commander la serre (Ada)', ['Ada']],
    ['french', "Parfait, j'apporte le café.", []],
    ['french', "Finalement la réunion est à 19 h chez Paul d'Aubigny.", ["Paul d'Aubigny"]],
    ['french', 'Bonjour Nadia Benali, merci.', ['Nadia Benali']],
    ['french', 'Cordialement', []],
    ['french', 'Lieu : salle Jean-Moulin Présents : Ada de La Tour', ['Jean-Moulin', 'Ada de La Tour']],
    ['french', 'Ada présente le budget.', ['Ada']],
    ['french', "Ada n'a pas payé.", ['Ada']],
    ['spanish', 'La miel llega en otoño. Pagamos a 60 días.', []],
    ['spanish', 'Hermanos Ruiz – Entregan los martes. Contacto: Julia Ruiz', ['Hermanos Ruiz', 'Julia Ruiz']],
    ['spanish', 'Hola, Rosa vende velas.', ['Rosa']],
    // Who speaks stands before a colon as a label does.
    ['french', 'Julie : la cotisation passe à 20 euros.', ['Julie']],
    ['french', '— Karim : oui, demain.', ['Karim']],
    ['spanish', 'Marcos: llamo al fontanero.', ['Marcos']],
    ['italian', 'Marta: porto io la torta.', ['Marta']],
    ['spanish', '¿Alguien sabe si viene Carmen de la Fuente?', ['Carmen de la Fuente']],
    ['italian', 'Comprare le piastrelle per Ada.', ['Ada']],
    ['italian', 'Viene il tecnico.', []],
    ['italian', "Qualcuno ha visto la Famiglia Dell'Acqua?", ["Famiglia Dell'Acqua"]],
    ['portuguese', 'Comprar os azulejos com Ada.', ['Ada']],
    ['dutch', 'Bestellen van het hout door Ada.', ['Ada']],
  ])('%s: %s', (language, sentence, expected) => {
    expect(names(sentence, language)).toEqual(expected);
  });

  test('English is read as before', () => {
    expect(names('Warning: the boiler leaks.', 'english')).toEqual([]);
    expect(names('Order the tiles. Contact: Ada. Paul d\u2019Aubigny came.', 'english')).toEqual([
      'Contact',
      'Ada',
      'Paul',
    ]);
  });

  test.each([
    'Il canone mensile è di 720,00 € e si paga entro il 5.',
    'Il contratto dura quattro anni, dal 1° settembre al 31 agosto.',
    'Les restes de viande, de poisson et les agrumes ne vont pas au compost.',
    'Tra la signora Ada Rossi (locatrice) e il signor Bo si conviene quanto segue.',
  ])('no passage is about the beginning of a statement: %s', (text) => {
    expect(aboutKeys('Titre', text)).toEqual([{ key: 'titre', alias: false }]);
  });
});

test('a short passage is read in the language of its title too', async () => {
  const world = await openWorld('none');
  const text =
    '# Compte-rendu de la réunion du bureau\n\nExcusée : Ada Byron, du comité\n\n' +
    '# Art. 1 – Locazione Garibaldi Rossi Bianchi Verdi\n\nIl contratto dura quattro anni, dal 1° settembre 2024 al 31 agosto 2028.\n';
  await world.ingest.text({ domain: 'd', name: 'cr', format: 'markdown', text });
  const nodes = await world.parts.graph.findNodes({ domain: 'd', kind: 'entity', limit: 50 });
  const named = nodes.map(({ name }) => name);
  await world.close();
  expect(named).toContain('Ada Byron');
  expect(named).not.toContain('Excusée');
  expect(named).not.toContain('Il');
});
