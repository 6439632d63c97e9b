import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openWorld } from '../../bench/retrieval/world.js';
import { languageOf } from '../../src/core/text/language.js';
import { isBareRow } from '../../src/retrieval/cells/cells.js';
import { asksExplanation } from '../../src/retrieval/seed/explanations.js';
import { processorTime } from '../support/processor-time.js';

describe('a question that asks for an explanation', () => {
  it.each([
    'Why did Harlow Couriers consider quitting?',
    'vespa stalled why',
    'How will Thea Rook pay her fee?',
    'What made the Bonneville shake at speed?',
    "what's wrong with Greta's voice",
    'How come nobody noticed?',
    'Warum hört Gisbert Uhlig auf?',
    'Wie will Kevin Strahl die Ablöse begleichen?',
    'Was ist mit der Pumpe passiert?',
    'Pourquoi Léa est-elle partie ?',
    'Comment Léa va-t-elle payer ?',
    '¿Por qué se fue Ana?',
    'Perché Ada non viene?',
    'Por que saiu a Ana?',
    'Waarom is de pomp stuk?',
    'Hoe heeft Jan de sleutel gevonden?',
    'Warum Harlow?',
    'Pumpe Nord Ausfall warum',
    'Was ist mit Pumpe 12 passiert?',
    'Comment est-ce arrivé ?',
    "Qu'est-ce qui ne va pas avec la pompe ?",
    'E perché non viene?',
  ])('is seen: %s', (question) => {
    expect(asksExplanation(question, languageOf(question))).toBe(true);
  });

  it.each([
    'How many copies of Requiem do we have?',
    'How much did the van cost?',
    'How do I reach Frances Hulme?',
    'How could we reach the caretaker?',
    'How is Anna called?',
    'What did Oriol propose?',
    'Which room has no projector?',
    'Wie viele Exemplare haben wir?',
    'Wie lange dauert die Probe?',
    'Wie ist die Nummer von Dörte?',
    'Wie kann ich Horst erreichen?',
    'Comment joindre Léa ?',
    'Combien coûte la location ?',
    '¿Cómo se llama el director?',
    'Come si chiama il direttore?',
    'Hoe kan ik Jan bereiken?',
    'Wie sind die Eintrittspreise vom Hallenbad?',
    'Wie hat das Hallenbad geöffnet?',
    'Wie wird Dörte geschrieben?',
    "What's the matter number of case 7?",
    'What makes and models do we have?',
    'How could Dora be reached?',
    'Comment peut-on joindre Léa ?',
    'Comment se nomme la directrice ?',
    "Comment s'écrit le nom ?",
    '¿Cómo va el marcador?',
    'Quante copie abbiamo del Requiem? Chiedo perché devo ordinare.',
    '¿Quién es el autor del Bolero? Lo pregunto porque escribo el programa',
    'How many copies of Requiem do we have? I ask as I wonder why the shelf is full.',
  ])('is another one: %s', (question) => {
    expect(asksExplanation(question, languageOf(question))).toBe(false);
  });

  it('is told in time that grows with the question', async () => {
    const questions = ['was ist '.repeat(40_000), `was ist ${'a '.repeat(100_000)}`, 'how '.repeat(80_000)];
    for (const question of questions)
      for (const language of ['english', 'german', 'french'])
        expect(await processorTime(() => asksExplanation(question, language))).toBeLessThan(1000);
  });
});

describe('a row of short values', () => {
  const isBare = (description: string, language = 'english'): boolean => isBareRow({ description }, language);

  it('says no reason', () => {
    expect(isBare('member: Dora Pym; voice: soprano 1; joined: 1998; phone: 0160 555 0103.')).toBe(true);
    expect(isBare('services with owner: Tess; language: Elm; first release: 2020-08-25.')).toBe(true);
    expect(isBare('piece: Requiem; parts: SATB, soloists, strings; copies: 48.')).toBe(true);
  });

  it.each([
    ['a column for one', 'order: W-9025; status: cancelled.'],
    ['a column for one, in another language', 'Parzelle: 15; Bemerkung: Brand.'],
    ['a compound for one', 'pumpe: Nord; fehlerursache: Dichtung.'],
    ['a column for one in Dutch', 'klant: Jansen; reden van vertrek: prijs.'],
    ['a column for what came about', 'date: 2026-05-03; event: fair; place: Green.'],
    ['words that tell something', 'order: W-9025; total: 305.50; last: no snow any more.'],
    ['a longer text', 'title: Import hangs at row 40000; owner: Ravi.'],
    ['prose', 'owner: Ravi; opened: 2026-01-05. The import hangs at once.'],
    ['one value alone', 'Price: 10'],
    ['no text', ''],
  ])('is none with %s', (_, description) => {
    expect(isBare(description)).toBe(false);
  });

  it('is no message', () => {
    const message = { speaker: 'Ada', timestamp: null, session_id: 's', message_id: 'm', turn: 1, role: 'user' };
    const passage = { message } as never;
    expect(isBareRow({ description: 'from: Ada; to: Ben', passage }, 'english')).toBe(false);
  });
});

describe('where a table names what somebody tells of', () => {
  it('"why" leads to what was said, and "since when" to the row', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'explanations-'));
    const world = await openWorld('static');
    try {
      const path = join(directory, 'customers.csv');
      const customers = ['Velvet Vans,gold,2019', 'Copperline Express,trial,2024', 'Harlow Couriers,silver,2021'];
      writeFileSync(path, `customer,plan,since\n${customers.join('\n')}\n`);
      await world.ingest.upload({ path, name: 'customers.csv' }, { domain: 'd' });
      const said = [
        'Morning all',
        'Velvet Vans have handed in their notice, they sold the vans',
        'Pity',
        'Lunch at noon?',
      ];
      for (const [i, text] of said.entries()) {
        const message = { text, speaker: i % 2 === 0 ? 'Nadia' : 'Sam', session_id: 's', message_id: String(i) };
        await world.ingest.message({ ...message, domain: 'd', role: 'user', timestamp: `2026-04-0${i + 1}T10:00:00Z` });
      }
      const first = async (context: string) => {
        const { items } = await world.retrieval.query({ context, domains: ['d'], mode: 'auto', top_k: 5 });
        return items[0]!;
      };
      expect((await first('Why are Velvet Vans not going on with us?')).content).toContain('sold the vans');
      expect((await first('Why Velvet Vans?')).score).toBeLessThan(0.8);
      expect((await first('Since when are Velvet Vans customers?')).content).toContain('since: 2019');
      expect((await first('Why did Copperline Express leave?')).score).toBeLessThan(0.5);
    } finally {
      await world.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
