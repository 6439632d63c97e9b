import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import type { GraphNode } from '../../src/core/model.js';
import { clausesOf } from '../../src/retrieval/conversation/clauses.js';
import { addressed, participantsIn } from '../../src/retrieval/conversation/participants.js';
import { Turns } from '../../src/retrieval/conversation/windows.js';
import { asksTime, dateIn, dateMatch, dayOf, temporalExpressions } from '../../src/retrieval/dates/dates.js';
import { questionWords } from '../../src/retrieval/seed/question-words.js';

describe('participants', () => {
  const speakers = ['LiHua', 'Ada Berg', 'Al'];
  const rewrite = (question: string) => addressed(question, participantsIn(question, speakers));

  test('are put as "you" and "your", by whole name or first name', () => {
    expect(rewrite("What did Ada say about Li Hua's dog?")).toBe('What did you say about your dog?');
    expect(rewrite('Did Ada Berg move?')).toBe('Did you move?');
  });

  test('are put so in the language of the question', () => {
    const german = 'Was hat Ada über Rom gesagt?';
    expect(addressed(german, participantsIn(german, ['Ada', 'Al']), 'german')).toBe('Was hat du über Rom gesagt?');
  });

  test('are not seen in small words or in parts of other names', () => {
    expect(rewrite('What did al and Adam say?')).toBe('What did al and Adam say?');
  });
});

describe('a question about several things', () => {
  const clauses = (text: string) =>
    clausesOf(
      text,
      questionWords(text, [], { idf: new Map() }).filter((word) => word.content),
    ).map(({ start, end }) => text.slice(start, end));

  test('is divided into them', () => {
    expect(clauses('Did Ada repair the boat before Ben planted tomatoes?')).toEqual([
      'Did Ada repair the boat',
      'Ben planted tomatoes?',
    ]);
  });

  test('is divided into six at most, however long it is', () => {
    const parts = clauses(Array.from({ length: 500 }, (_, i) => `boat ${i} sank`).join(' and '));
    expect(parts.slice(0, 5)).toEqual([0, 1, 2, 3, 4].map((i) => `boat ${i} sank`));
    expect(parts).toHaveLength(6);
    expect(parts[5]).toMatch(/^boat 5 sank and .* and boat 499 sank$/);
  });

  test('may hold much white space', () => {
    const between = `${' '.repeat(300_000)}and `;
    expect(clausesOf(`Ada${between}`, [])).toEqual([]);
    expect(clauses(`The boat sank${between}tomatoes were planted`)).toEqual(['The boat sank', 'tomatoes were planted']);
  });

  test('is one where a part would say nothing', () => {
    expect(clauses('What did Ada and Ben plant on the balcony?')).toEqual([]);
    expect(clauses('What happened before?')).toEqual([]);
  });
});

describe('dates in questions', () => {
  const today = dayOf('2023-06-14T10:00:00Z')!; // a Wednesday
  const range = (question: string) => dateIn(question, today);
  const day = (iso: string) => dayOf(`${iso}T00:00:00Z`)!;

  test('days, months and years are read', () => {
    expect(range('What happened on 8 May 2023?')).toMatchObject({ from: day('2023-05-08'), precision: 'day' });
    expect(range('And on May 8th?')).toMatchObject({ from: day('2023-05-08'), precision: 'day' });
    expect(range('on 2023-05-08')).toMatchObject({ from: day('2023-05-08') });
    expect(range('Where was she in May 2023?')).toMatchObject({ from: day('2023-05-01'), to: day('2023-05-31') });
    expect(range('What did we do in August?')).toMatchObject({ from: day('2022-08-01'), precision: 'month' });
    expect(range('in 2021')).toMatchObject({ precision: 'year' });
    expect(range('What may I do?')).toBeUndefined();
    for (const written of ['on 22.8.2022', 'on 22. 8. 2022', 'on 8/22/2022', 'on 22/8/2022', 'on 2022-08-22']) {
      expect([written, range(written)]).toEqual([
        written,
        { from: day('2022-08-22'), to: day('2022-08-22'), precision: 'day', words: written.slice(3) },
      ]);
    }
    expect(dateIn('am 3/6/2022', today, 'german')).toMatchObject({ from: day('2022-06-03') });
    expect(range('in 2022-06')).toMatchObject({ from: day('2022-06-01'), to: day('2022-06-30'), precision: 'month' });
    expect(range('on 42.13.2022')).toMatchObject({ precision: 'year' });
  });

  test('words and names that are months too are none where they stand alone', () => {
    for (const question of ['May visitors use the kitchen?', 'Did June call?', 'What does Jan cook?', 'March on!']) {
      expect([question, range(question)]).toEqual([question, undefined]);
    }
    expect(range('What was planned for May?')).toMatchObject({ from: day('2023-05-01') });
    expect(range('Did June call in May?')).toMatchObject({ from: day('2023-05-01') });
    expect(range('June 2022')).toMatchObject({ from: day('2022-06-01') });
    expect(range('What happened in December?')).toMatchObject({ from: day('2022-12-01') });
  });

  test('relative ones count from the last message', () => {
    expect(range('What did I buy last week?')).toMatchObject({ from: day('2023-06-05'), to: day('2023-06-11') });
    expect(range('yesterday')).toMatchObject({ from: day('2023-06-13'), precision: 'day' });
    expect(range('three days ago')).toMatchObject({ from: day('2023-06-11') });
    expect(dateIn('yesterday', undefined)).toBeUndefined();
  });

  test.each([
    ['german', 'Was hat sie am 8. Mai 2023 gesagt?', 'Was war letzte Woche?', 'vor drei Tagen', 'Wann zog sie um?'],
    [
      'french',
      'Que disait-elle le 8 mai 2023 ?',
      'Et la semaine dernière ?',
      'il y a trois jours',
      'Quand partit-elle ?',
    ],
    ['spanish', '¿Qué dijo el 8 de mayo de 2023?', '¿Y la semana pasada?', 'hace tres días', '¿Cuándo se mudó?'],
    ['italian', "Cosa disse l'8 maggio 2023?", 'E la settimana scorsa?', 'tre giorni fa', 'Quando partì?'],
    ['portuguese', 'O que disse em 8 de maio de 2023?', 'E na semana passada?', 'há três dias', 'Quando se mudou?'],
    ['dutch', 'Wat zei ze op 8 mei 2023?', 'En vorige week?', 'drie dagen geleden', 'Wanneer verhuisde ze?'],
  ])('are read in %s', (language, dated, lastWeek, ago, asks) => {
    expect(dateIn(dated, today, language)).toMatchObject({ from: day('2023-05-08'), to: day('2023-05-08') });
    expect(dateIn(lastWeek, today, language)).toMatchObject({ from: day('2023-06-05'), to: day('2023-06-11') });
    expect(dateIn(ago, today, language)).toMatchObject({ from: day('2023-06-11'), precision: 'day' });
    expect(asksTime(asks, language)).toBe(true);
    expect(asksTime(dated, language)).toBe(false);
    expect(temporalExpressions(ago, language)).toBeGreaterThan(0);
  });

  test.each([
    ['french', 'Qui est venu le 12/juin/2023 ?', '2023-06-12'],
    ['french', 'Qui est venu le 12 juil. 2023 ?', '2023-07-12'],
    ['dutch', 'Wie kwam er op 12 mrt 2023?', '2023-03-12'],
    ['german', 'Wer kam am 12. Mrz 2023?', '2023-03-12'],
    ['german', 'Wer kam am 12. Sept. 2022?', '2022-09-12'],
    ['spanish', '¿Quién vino el 12 de ene. de 2023?', '2023-01-12'],
    ['english', 'Who came on 12-Mar-2023?', '2023-03-12'],
    ['swedish', 'Vem kom 12//2023?', undefined],
    ['spanish', '¿Dónde está el mar?', undefined],
    ['portuguese', 'Quem tem 2 set?', undefined],
  ])('are read with short names of months in %s: %s', (language, question, expected) => {
    const found = dateIn(question, today, language);
    if (expected === undefined) expect(String(found?.precision)).not.toMatch(/day|month/u);
    else expect(found).toMatchObject({ from: day(expected), to: day(expected) });
  });

  test('a message of the day fits best, one of the next day nearly as well, one soon after well, one of another year not', () => {
    const wanted = range('What happened on 8 May 2023?');
    const closeness = (iso: string) => dateMatch(wanted, day(iso));
    expect([
      closeness('2023-05-08'),
      closeness('2023-05-09'),
      closeness('2023-05-12'),
      closeness('2023-06-01'),
      closeness('2022-05-08'),
    ]).toEqual([1, 0.9, 0.7, 0.3, 0]);
  });

  test('expressions of time are counted', () => {
    expect(temporalExpressions('Yesterday at 5 pm, two weeks after May.')).toBe(4);
    expect(temporalExpressions('You may go.')).toBe(0);
  });
});

describe('a conversation', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld('static');
    const turns: ReadonlyArray<readonly [string, string, string, string]> = [
      ['s1', 'Ada', '2023-05-08T10:00:00Z', 'Have you found a name for the puppy?'],
      ['s1', 'Ben', '2023-05-08T10:01:00Z', 'Yes! Waffles.'],
      ['s1', 'Ada', '2023-05-08T10:02:00Z', 'How sweet.'],
      ['s2', 'Ada', '2023-06-05T09:00:00Z', 'I spent the weekend repairing the boat.'],
      ['s2', 'Ben', '2023-06-05T09:01:00Z', 'I planted tomatoes on the balcony.'],
      ['s3', 'Ben', '2023-06-14T09:01:00Z', 'Nothing new here, the office is quiet.'],
    ];
    for (const [session_id, speaker, timestamp, text] of turns) {
      const message_id = `${session_id}-${speaker}-${timestamp}`;
      await world.ingest.message({ domain: 'c', role: 'user', session_id, speaker, timestamp, text, message_id });
    }
  });
  afterAll(() => world.close());
  const ask = async (context: string) => (await world.retrieval.query({ context, domains: ['c'], top_k: 3 })).items;

  test('finds a turn that says little by what was said before it', async () => {
    const found = (await ask('What is the name of the puppy?')).slice(0, 2).map((item) => item.content);
    expect(found).toContain('Ben, 8 May 2023: Yes! Waffles.');
  });

  test('tells speakers apart', async () => {
    const [ada] = await ask('What did Ada do at the weekend?');
    expect(ada!.content).toBe('Ada, 5 June 2023: I spent the weekend repairing the boat.');
    expect(ada!.metadata.message).toMatchObject({ message_id: 's2-Ada-2023-06-05T09:00:00Z', speaker: 'Ada' });
  });

  test('knows when last week was', async () => {
    const [first] = await ask('What did Ben tell me last week?');
    expect(first!.content).toContain('5 June 2023');
  });
});

describe('the same words on several days', () => {
  let world: World;
  const days = ['2023-03-07', '2023-05-08', '2023-06-06', '2023-06-14'];
  beforeAll(async () => {
    world = await openWorld('static');
    // One session that goes on for months, as in a channel.
    for (const day of days) {
      for (const [i, [speaker, text]] of [
        ['Ada', 'How was your day?'],
        ['Ben', 'I swam in the lake.'],
      ].entries()) {
        const message = { domain: 'lake', session_id: 'all', role: 'user', speaker: speaker!, text: text! };
        await world.ingest.message({ ...message, timestamp: `${day}T10:0${i}:00Z`, message_id: `${day} ${i}` });
      }
    }
  });
  afterAll(() => world.close());
  const first = async (context: string) => {
    const { items } = await world.retrieval.query({ context, domains: ['lake'], top_k: 3 });
    return (items[0]!.metadata.message as { message_id: string }).message_id;
  };

  test.each([
    ['What did Ben do on 7 March 2023?', '2023-03-07 1'],
    ['Where did Ben swim in May?', '2023-05-08 1'],
    ['Where did Ben swim last week?', '2023-06-06 1'],
    ['Where did Ben swim today?', '2023-06-14 1'],
  ])('%s', async (question, id) => {
    expect(await first(question)).toBe(id);
  });
});

test('a pause ends a sitting: what was said the day before is no context', () => {
  const turn = (turn: number, timestamp: string): GraphNode => ({
    ...{ id: `t${turn}`, kind: 'passage', domain: 'd', name: '', description: 'Yes.', confidence: 1, properties: {} },
    passage: {
      source_id: 's',
      order: turn * 1000,
      sentences: [],
      about: [],
      message: { session_id: 's', role: 'user', turn, timestamp },
    },
  });
  const turns = new Turns();
  const all = ['2023-05-08T10:00:00Z', '2023-05-08T10:01:00Z', '2023-05-09T10:00:00Z'].map((time, i) => turn(i, time));
  turns.add(all);
  expect(turns.around(all[1]!, -2, 1).map(({ id }) => id)).toEqual(['t0', 't1']);
  expect(turns.around(all[2]!, -2, 1).map(({ id }) => id)).toEqual(['t2']);
});
