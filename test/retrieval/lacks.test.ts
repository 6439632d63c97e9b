import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { languageOf } from '../../src/core/text/language.js';
import { rowsAmong } from '../../src/retrieval/cells/row-labels.js';
import { mayLack, wantedAbsent } from '../../src/retrieval/cells/without-words.js';
import type { Why } from '../../src/retrieval/present/explain.js';
import { questionWords } from '../../src/retrieval/seed/question-words.js';
import { processorTime } from '../support/processor-time.js';
import { node } from './literals.js';

/** Rows that lack something, or say so, and others. */
const TABLES = {
  'books.csv': [
    'invoice,customer,amount,paid',
    '1001,Alder Ltd,250.00,2026-03-02',
    '1002,Birch & Co,340.00,',
    '1003,Cedar Inc,210.50,2026-03-09',
    '1004,Dogwood,99.90,no',
    '1005,Elm Partners,720.00,2026-04-01',
    '1006,Fir Group,180.00,yes',
  ],
  'band.csv': [
    'name,instrument,dues paid on',
    'Ann Poole,violin,2026-01-04',
    'Ben Carr,cello,',
    'Cat Dole,viola,2026-01-12',
    'Dan Eley,horn,',
    'Eve Fane,oboe,2026-02-01',
  ],
  'rooms.csv': ['room,seats,projector,booked by', 'Ash,12,yes,Ann', 'Beech,8,no,', 'Cedar,20,,Bob', 'Oak,6,yes,Cy'],
  'trades.csv': [
    'supplier,trade,delivery days,price,phone',
    'Holt,plumber,3,40.00,0711 1',
    'Ivers,caterer,4,55.00,0711 2',
    'Jutta Bau,roofer,,60.00,',
    'Kern,painter,9,,0711 4',
  ],
  'rechnungen.csv': [
    'Rechnung,Kunde,Betrag,bezahlt am',
    'R-1,Ahorn GmbH,250,01.03.2026',
    'R-2,Birke AG,340,',
    'R-3,Zeder KG,210,09.03.2026',
  ],
} as const;

const asks = (text: string) => mayLack({ text, language: languageOf(text) });

describe('a question that a row without the cell may answer', () => {
  it.each([
    'Which rooms have no projector?',
    'which orders have not been paid',
    'Is order 12 paid?',
    'was window pete paid',
    'Which invoices are still to be paid?',
    'what has to be paid on 24 november',
    "Who hasn't paid?",
    'Which shifts are unassigned?',
    'Welche Räume haben keinen Beamer?',
    'Wer hat noch nicht bezahlt?',
    'Quelles salles sont sans projecteur ?',
    '¿Qué salas no tienen proyector?',
    'Quali sale non hanno il proiettore?',
    'Quem ainda não pagou?',
    'Welke zalen hebben geen beamer?',
  ])('is seen: %s', (question) => {
    expect(asks(question)).toBe(true);
  });

  it.each([
    'What does the Larkspur weigh?',
    'phone number of Dora Pym',
    'When did the Corvid Pup arrive?',
    'Was wiegt das Larkspur?',
    'Combien pèse le Larkspur ?',
    '¿Cuánto pesa el Larkspur?',
  ])('is none: %s', (question) => {
    expect(asks(question)).toBe(false);
  });
});

describe('what a question wants things to lack', () => {
  const stems = (text: string) => {
    const language = languageOf(text);
    return [...wantedAbsent({ text, language, words: questionWords(text, [], { idf: new Map(), language }) }).keys()];
  };

  it.each([
    ['Who has not paid?', 'paid'],
    ['Which invoices are unpaid?', 'paid'],
    ["Who hasn't paid the dues yet?", 'due'],
    ['Which rooms have no projector?', 'projector'],
    ['rooms where the projector is missing', 'projector'],
    ['Which customers still have to pay?', 'pay'],
    ['Wer hat noch nicht bezahlt?', 'bezahlt'],
    ['Welche Rechnungen sind unbezahlt?', 'bezahlt'],
    ['open invoices', 'paid'],
    ['Which payments are outstanding?', 'paid'],
    ['offene Rechnungen', 'bezahlt'],
    ['Welche Rechnungen sind noch offen?', 'bezahlt'],
    ['quelles factures sont en attente ?', 'pay'],
    ['¿Qué facturas están pendientes?', 'pag'],
    ['quali fatture sono aperte?', 'pag'],
    ['Bei wem fehlt die Telefonnummer?', 'telefonnumm'],
    ['Quelles salles sont sans projecteur ?', 'projecteur'],
  ])('is seen: %s', (question, word) => {
    expect(stems(question)).toContain(word);
  });

  it.each([
    'Who paid?',
    'When is the shop open?',
    'Which pitch is outstanding?',
    'Who paid invoice no 1005?',
    'Who paid invoice no. 1005?',
    'Which rooms still have a projector?',
    'Which supplier has not only a phone?',
    'Which rooms have no more than 12 seats?',
    'Welche Räume haben nicht mehr als 12 Plätze?',
  ])('is nothing: %s', (question) => {
    expect(stems(question)).toEqual([]);
  });
});

describe('the labels of a row', () => {
  const labels = (description: string) => rowsAmong([node('n', { description })]).flatMap((row) => [...row.labels]);

  it.each([
    ['bike: Larkspur 5; weight kg: 12.4; colour: slate.', ['bike', 'weight kg', 'colour']],
    ['- kind: hoe\n- driver: Pavel', ['kind', 'driver']],
    ['Camera-guided, mostly. machines with driver: Pavel; kind: hoe.', ['driver', 'kind']],
    ['Ring us at noon: the bell is broken.', []],
    ['Price: 10', []],
    ['', []],
  ])('of "%s"', (description, expected) => {
    expect(labels(description)).toEqual(expected);
  });

  it('are none of a message', () => {
    const message = { speaker: 'Ada', timestamp: null, session_id: 's', message_id: 'm', turn: 1, role: 'user' };
    expect(rowsAmong([node('n', { description: 'from: Ada; to: Ben', passage: { message } as never })])).toEqual([]);
  });

  it('are few and read in linear time, whatever an item holds', async () => {
    for (const text of ['a: b; ', ' with a: ', 'a:', '; ', `${'x'.repeat(39)}: `]) {
      const description = text.repeat(1e6 / text.length);
      const spent = await processorTime(() => {
        expect(labels(description).length).toBeLessThanOrEqual(64);
      });
      expect(spent).toBeLessThan(200);
    }
  });
});

describe('where a row lacks what is asked', () => {
  let directory: string;
  let world: World;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'lacks-'));
    world = await openWorld('static');
    const put = async (name: string, lines: readonly string[]) => {
      const path = join(directory, name);
      writeFileSync(path, `${lines.join('\n')}\n`);
      await world.ingest.upload({ path, name }, { domain: name in TABLES ? name : 'd' });
    };
    for (const [name, lines] of Object.entries(TABLES)) await put(name, lines);
    await put('bikes.csv', [
      'bike,colour,weight kg,arrived,paid',
      'Larkspur Five,slate,12.4,2026-01-20,2026-02-01',
      'Corvid Pup,lemon,,,',
      'Brae Tourer,petrol,13.6,2025-09-10,2025-09-30',
      'Heron Road,pearl,8.1,2025-04-07,',
    ]);
    await put('people.csv', [
      'person,voice,lives at,phone',
      'Dora Pym,soprano,Mill Lane 2,01632 960142',
      'Hugh Amble,bass,Yeld Manor,01632 960177',
    ]);
  });

  afterAll(async () => {
    await world.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const ask = async (context: string, domain = 'd') => {
    const { items } = await world.retrieval.query({ context, domains: [domain], mode: 'auto', top_k: 8 });
    return items.map(({ content, score, metadata }) => ({ content, score, lacks: (metadata.why as Why).lacks }));
  };
  const rowOf = async (name: string, question: string) =>
    (await ask(question)).find(({ content }) => content.includes(name))!;

  it.each([
    ['What does the Corvid Pup weigh?', 'weight kg'],
    ['weight of the Corvid Pup', 'weight kg'],
    ['When did the Corvid Pup arrive?', 'arrived'],
  ])('it says so and scores low, as others have the column: %s', async (question, column) => {
    const row = await rowOf('Corvid Pup', question);
    expect(row.lacks).toBe(column);
    expect(row.score).toBeLessThan(0.2);
    expect((await ask(question))[0]!.score).toBeLessThan(0.2);
  });

  it.each([
    ['What is the salary of Dora Pym?', 'salary'],
    ['Which insurance does Hugh Amble have?', 'insurance'],
    ['How many children has Dora Pym?', 'children'],
  ])('it says so and is in doubt, as no row has the column: %s', async (question, words) => {
    const [first] = await ask(question);
    expect(first!.lacks).toBe(words);
    expect(first!.score).toBeLessThan(0.6);
  });

  it.each([
    ['What does the Brae Tourer weigh?', 'Brae Tourer'],
    ['Which colour is the Corvid Pup?', 'Corvid Pup'],
    ['What is the address of Dora Pym?', 'Dora Pym'],
    ['What is the telephone number of Hugh Amble?', 'Hugh Amble'],
    ['Has the Heron Road been paid?', 'Heron Road'],
    ['was the Heron Road paid', 'Heron Road'],
  ])('it loses nothing where it tells, or where that it lacks something answers: %s', async (question, name) => {
    const row = await rowOf(name, question);
    expect(row.lacks).toBeUndefined();
    expect((await ask(question))[0]!.content).toContain(name);
  });

  it.each<[string, keyof typeof TABLES, string[]]>([
    ['Who has not paid?', 'books.csv', ['Dogwood', 'Birch']],
    ['Which invoices are unpaid?', 'books.csv', ['Dogwood', 'Birch']],
    ["Who hasn't paid yet?", 'books.csv', ['Dogwood', 'Birch']],
    ['invoice without payment', 'books.csv', ['Dogwood', 'Birch']],
    ['Which customers still have to pay?', 'books.csv', ['Dogwood', 'Birch']],
    ['Who has not paid dues?', 'band.csv', ['Ben Carr', 'Dan Eley']],
    ['Which rooms have no projector?', 'rooms.csv', ['Beech', 'Cedar']],
    ['rooms where the projector is missing', 'rooms.csv', ['Beech', 'Cedar']],
    ['which rooms are not booked?', 'rooms.csv', ['Beech']],
    ['Wer hat noch nicht bezahlt?', 'rechnungen.csv', ['Birke']],
    ['Welche Rechnungen sind unbezahlt?', 'rechnungen.csv', ['Birke']],
    ['open invoices', 'books.csv', ['Dogwood', 'Birch']],
    ['Which invoices are outstanding?', 'books.csv', ['Dogwood', 'Birch']],
    ['offene Rechnungen', 'rechnungen.csv', ['Birke']],
    ['Welche Rechnungen sind noch offen?', 'rechnungen.csv', ['Birke']],
  ])(
    'the rows that lack what the question wants lacking stand first and say so: %s',
    async (question, domain, names) => {
      const items = await ask(question, domain);
      const first = items.slice(0, names.length);
      expect(names.filter((name) => first.some(({ content }) => content.includes(name)))).toEqual(names);
      expect(first.every(({ lacks }) => lacks !== undefined)).toBe(true);
      expect(items.slice(names.length).some(({ lacks }) => lacks !== undefined)).toBe(false);
    },
  );

  it.each<[string, keyof typeof TABLES, string]>([
    ['Who paid invoice no 1005?', 'books.csv', 'Elm Partners'],
    ['who paid, not counting Alder?', 'books.csv', 'Alder'],
    ['which room is not booked by Ann?', 'rooms.csv', 'Ash'],
    ['Has Elm Partners not paid?', 'books.csv', 'Elm Partners'],
    ["I can't find the phone of the plumber", 'trades.csv', 'Holt'],
    ["I don't know the phone of the caterer", 'trades.csv', 'Ivers'],
    ["I don't know the caterer's phone", 'trades.csv', 'Ivers'],
    ['price of the caterer, without the phone please', 'trades.csv', 'Ivers'],
    ['What is the price of the caterer if I do not phone?', 'trades.csv', 'Ivers'],
  ])('no row loses for what it has where the question is about that: %s', async (question, domain, name) => {
    const [first] = await ask(question, domain);
    expect(first!.content).toContain(name);
    expect(first!.score).toBeGreaterThan(0.1);
  });
});
