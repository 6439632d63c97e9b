import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { joinedAsFound } from '../../src/retrieval/seed/joined.js';

let world: World;
beforeAll(async () => {
  world = await openWorld('none');
  const text =
    'The timetable hangs beside the door. The oncall engineer carries the phone. Use the database. The patients have two timetables. Ogden sleeps. Der Dienstplan hängt im Flur. The pay is low. The island has a therapist.';
  await world.ingest.text({ domain: 'd', text, format: 'text', name: 'notes.txt' });
});
afterAll(() => world.close());

async function asFound(question: string, domains: readonly string[] = ['d']): Promise<string> {
  const { terms } = await world.parts.text.search(question, { topK: 10, domains });
  return joinedAsFound(world.parts, question, { terms, domains });
}

describe('words that stand apart in a question', () => {
  it.each([
    ['Who is on call?', 'Who is oncall?'],
    ['Where is the time table?', 'Where is the timetable?'],
    ['Where is the Data Base, and who is on call?', 'Where is the DataBase, and who is oncall?'],
    ['Wo ist der Dienst Plan?', 'Wo ist der DienstPlan?'],
  ])('are one where the documents write them so: %s', async (question, found) =>
    expect(await asFound(question)).toBe(found),
  );

  it.each([
    'Where is the time-table?',
    'Where is the oncall engineer?',
    'Where is the pay roll?',
    'What is under neath?',
    // "ogdenlies" has the stem of "Ogden" in English.
    'On which ward is the patient lying whom Ogden lies beside?',
    'Who is the rapist?',
    'Where is land for sale?',
    '',
    'time '.repeat(2000),
  ])('stay as they are elsewhere: %.40s', async (question) => expect(await asFound(question)).toBe(question));

  it('stay as they are where another domain alone writes them so', async () =>
    expect(await asFound('Who is on call?', ['other'])).toBe('Who is on call?'));

  it('are answered as one word is', async () => {
    const { items } = await world.retrieval.query({ context: 'Who is on call?', domains: ['d'], top_k: 1 });
    expect(items[0]!.content).toContain('oncall engineer');
    expect(items[0]!.score).toBeGreaterThan(0.2);
  });
});
