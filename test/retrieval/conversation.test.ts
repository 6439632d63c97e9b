import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { dateIn, dateMatch, dayOf, temporalExpressions } from '../../src/retrieval/conversation/dates.js';
import { addressed, participantsIn } from '../../src/retrieval/conversation/participants.js';

describe('participants', () => {
  const speakers = ['LiHua', 'Ada Berg', 'Al'];
  const rewrite = (question: string) => addressed(question, participantsIn(question, speakers));

  test('are put as "you" and "your", by whole name or first name', () => {
    expect(rewrite("What did Ada say about Li Hua's dog?")).toBe('What did you say about your dog?');
    expect(rewrite('Did Ada Berg move?')).toBe('Did you move?');
  });

  test('are not seen in small words or in parts of other names', () => {
    expect(rewrite('What did al and Adam say?')).toBe('What did al and Adam say?');
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
  });

  test('relative ones count from the last message', () => {
    expect(range('What did I buy last week?')).toMatchObject({ from: day('2023-06-05'), to: day('2023-06-11') });
    expect(range('yesterday')).toMatchObject({ from: day('2023-06-13'), precision: 'day' });
    expect(range('three days ago')).toMatchObject({ from: day('2023-06-11') });
    expect(dateIn('yesterday', undefined)).toBeUndefined();
  });

  test('a message of the day fits best, one soon after well, one of another year not', () => {
    const wanted = range('What happened on 8 May 2023?');
    const closeness = (iso: string) => dateMatch(wanted, day(iso));
    expect([
      closeness('2023-05-08'),
      closeness('2023-05-12'),
      closeness('2023-06-01'),
      closeness('2022-05-08'),
    ]).toEqual([1, 0.7, 0.3, 0]);
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
