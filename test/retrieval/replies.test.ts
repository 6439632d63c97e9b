import { afterEach, describe, expect, test } from '@jest/globals';
import { type ModelName, openWorld, type World } from '../../bench/retrieval/world.js';
import { asksWhoAsked, isPolar, saysSomething, wantsToKnow } from '../../src/retrieval/conversation/asking-words.js';
import { processorTime } from '../support/processor-time.js';

type Said = readonly [speaker: string, text: string];

const KEY: readonly Said[] = [
  ['Mia', 'Who has the gate key?'],
  ['Jonas', 'ok let me think'],
  ['Ida', 'not me'],
  ['Jonas', 'Tom took it on Sunday, he keeps it in the blue tin'],
  ['Mia', 'ok thanks'],
];
const LATER: readonly Said[] = [
  ['Ida', 'The train was two hours late.'],
  ['Tom', 'I made soup for everybody.'],
];

describe('what was asked before', () => {
  let world: World;

  async function talk(said: readonly Said[], model: ModelName = 'static'): Promise<void> {
    world = await openWorld(model);
    for (const [i, [speaker, text]] of [...said, ...LATER].entries()) {
      const day = i < said.length ? '2026-11-12' : '2026-11-20';
      const message = { domain: 'chat', speaker, text, role: 'user', message_id: String(i), session_id: day };
      await world.ingest.message({ ...message, timestamp: `${day}T09:${String(i).padStart(2, '0')}:00Z` });
    }
  }

  async function ask(context: string) {
    const { items } = await world.retrieval.query({ context, domains: ['chat'], top_k: 10 });
    return items.map(({ content, score, metadata }) => ({ content, score, why: metadata.why as { path?: unknown } }));
  }

  afterEach(() => world?.close());

  test.each(['minilm', 'static', 'none'] as const)('stands behind what answers it, with %s', async (model) => {
    await talk(KEY, model);
    const [first, ...others] = await ask('who has the gate key?');
    expect(first!.content).toContain('blue tin');
    expect(first!.why.path).toEqual({ from: expect.any(String), name: 'Mia, 12 November 2026', via: 'answers' });
    // To stand behind a question is no proof.
    expect(first!.score).toBeLessThan(0.75);
    const asker = others.find(({ content }) => content.includes('Who has the gate key?'));
    expect(asker!.score).toBeLessThan(first!.score);
    expect(asker!.why.path).toBeUndefined();
  });

  test('is what is asked for where the question asks who asked', async () => {
    await talk(KEY);
    const [first] = await ask('who asked about the gate key?');
    expect(first!.content).toContain('Mia, 12 November 2026: Who has the gate key?');
  });

  test('is no answer where nobody answered', async () => {
    await talk([KEY[0]!, ['Jonas', 'no idea'], ['Ida', 'not me']]);
    const alone = await ask('who has the gate key?');
    expect(alone[0]!.content).toContain('Who has the gate key?');
    expect(alone.some(({ why }) => why.path !== undefined)).toBe(false);
    await world.close();
    await talk([['Mia', 'Tom has the gate key.'], ...KEY.slice(1)]);
    const [told] = await ask('who has the gate key?');
    expect(told!.content).toContain('Tom has the gate key');
    expect(told!.score).toBeGreaterThan(alone[0]!.score);
  });

  test('moves nothing where the answer stands above it anyway', async () => {
    await talk([
      ['Mia', 'When will the copper kettle be back?'],
      ['Jonas', 'The copper kettle will be back in April, when Harlan deliver the copper kettle again.'],
      ['Mia', 'Then put the steel one into the window.'],
      ['Jonas', 'Done.'],
    ]);
    const items = await ask('When will the copper kettle be back?');
    expect(items[0]!.content).toContain('in April');
    expect(items.some(({ why }) => why.path !== undefined)).toBe(false);
  });

  test('keeps its place where it proposes what is asked for', async () => {
    await talk([
      ['Mia', 'Shall we meet at the town hall at eight on Friday?'],
      ['Jonas', 'sure, my sister would come along'],
    ]);
    const [first] = await ask('when do we meet at the town hall?');
    expect(first!.content).toContain('at eight on Friday');
  });

  test('keeps its place where it tells what is asked for before it asks something else', async () => {
    await talk([
      ['Mia', 'Tom has the gate key. Who has the bike pump?'],
      ['Ida', 'The pump is in my room'],
    ]);
    const [told, other] = await ask('who has the gate key?');
    expect(told!.content).toContain('Tom has the gate key');
    expect(other!.why.path).toBeUndefined();
    const [pump] = await ask('who has the bike pump?');
    expect(pump!.content).toContain('in my room');
  });

  test('is answered by the best piece of a long message further behind', async () => {
    const long = `${'Yesterday I cleaned the whole stairs and the cellar. '.repeat(40)}Tom took it on Sunday, it lies in the blue tin.`;
    await talk([KEY[0]!, KEY[1]!, KEY[2]!, ['Tom', 'no idea'], ['Jonas', long]]);
    const [first] = await ask('who has the gate key?');
    expect(first!.content).toContain('blue tin');
    expect(first!.why.path).toMatchObject({ via: 'answers' });
  });

  test('is answered by the best piece of a long message', async () => {
    const long = `${'Yesterday I cleaned the whole stairs and the cellar. '.repeat(40)}Tom took it on Sunday, it lies in the blue tin.`;
    await talk([KEY[0]!, ['Jonas', long]]);
    const items = await ask('who has the gate key?');
    expect(items[0]!.content).toContain('blue tin');
    // It tells enough to stand there by itself, so no path leads to it; the message that asked loses as elsewhere.
    expect(items[1]!.content).not.toContain('blue tin');
    const asker = items.find(({ content }) => content.includes('Who has the gate key?'))!;
    expect(asker.score).toBeLessThan(items[0]!.score / 2);
  });

  test('is answered in the same sitting alone', async () => {
    await talk([KEY[0]!]);
    const items = await ask('who has the gate key?');
    expect(items[0]!.content).toContain('Who has the gate key?');
    expect(items.some(({ why }) => why.path !== undefined)).toBe(false);
  });
});

describe('a turn', () => {
  test.each([
    ['who has the key? not on the hook', 'Where is the key?'],
    ['how much do i owe for december', 'What do I owe?'],
    ['Does anyone know the password?', 'What is the password?'],
    ['is it going up in may or june?', 'When does it go up?'],
    ['did the migration run?', 'Did the migration run?'],
    ['wer hat denn den schlüssel?', 'Wer hat den Schlüssel?'],
    ['Kann jemand beim Aufbau helfen?', 'Wer hilft beim Aufbau?'],
    ['Qui a les clés de la cave ?', 'Qui a les clés ?'],
    ['quien tiene la llave?', '¿Quién tiene la llave?'],
    ['Wo ist der Schlüssel?!', 'Wo ist der Schlüssel?'],
    ['whats the code for the router, not the wifi one', 'What is the code?'],
  ])('asks: %s', (turn, question) => {
    expect(wantsToKnow(turn, { isPolar: isPolar(question) }).share).toBeGreaterThanOrEqual(0.5);
  });

  test.each([
    ['Shall we meet at eight?', 'When do we meet?'],
    ['How about the green one?', 'Which one do we take?'],
    ['did you know the boiler man comes on the 4th?', 'When does the boiler man come?'],
    ['Wusstet ihr, dass der Markt nur volle Kisten nimmt?', 'Nimmt der Markt volle Kisten?'],
    ['Tom has the key.', 'Who has the key?'],
    ['Somebody took the gate key on Sunday', 'Who took the key?'],
    ['When we moved in the deposit was 900 euros', 'What was the deposit?'],
    ['Was ich noch sagen wollte: Tom hat den Schlüssel', 'Wer hat den Schlüssel?'],
    ['', 'Who has the key?'],
    ['?', 'Who has the key?'],
  ])('asks nothing: %s', (turn, question) => {
    expect(wantsToKnow(turn, { isPolar: isPolar(question) }).share).toBe(0);
  });

  test.each([
    ['Is the key there?', true],
    ['was the key there', true],
    ['Ist der Schlüssel da?', true],
    ['Was kostet der Schlüssel?', false],
    ['was kostet denn der Schlüssel', false],
    ['What does the key cost?', false],
  ])('is answered by yes or no: %s %s', (question, expected) => {
    expect(isPolar(question)).toBe(expected);
  });

  test.each(['ok thanks', 'no idea', 'not me', '👍', 'ja klar', ''])('says nothing: %s', (turn) => {
    expect(saysSomething(turn)).toBe(false);
  });

  test.each(['30, no spinning', 'me until thursday', 'Tom', 'ja, liegt im Schrank'])('says something: %s', (turn) => {
    expect(saysSomething(turn)).toBe(true);
  });

  test.each(['Who asked about the key?', 'wer wollte wissen, wem die Gitarre gehört', 'What did Mia want to know?'])(
    'is asked for: %s',
    (question) => expect(asksWhoAsked(question)).toBe(true),
  );

  test.each([
    'What is the asking price?',
    'Whom should I ask for the key?',
    'I wanted to know who has the key',
    'Ich wollte nur wissen, wer den Schlüssel hat',
    'Quería saber quién tiene la llave',
  ])('is not asked for: %s', (question) => expect(asksWhoAsked(question)).toBe(false));

  test('of many letters is read in no time', async () => {
    const turn = 'who is it? '.repeat(100_000);
    const spent = await processorTime(() => {
      wantsToKnow(turn, { isPolar: false });
      saysSomething('ok '.repeat(1_000_000));
    });
    expect(spent).toBeLessThan(1000);
  });
});
