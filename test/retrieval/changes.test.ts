import { afterEach, describe, expect, test } from '@jest/globals';
import { type ModelName, openWorld, type World } from '../../bench/retrieval/world.js';

type Said = readonly [speaker: string, day: string, text: string, session?: string];

const FILLER: readonly Said[] = [
  ['Oskar', '2025-01-20', 'The cinnamon rolls sold out by ten this morning.'],
  ['Lien', '2025-02-02', 'I cleaned the big oven and the drains.'],
  ['Pat', '2025-04-20', 'My cousin visits us at Easter with her dogs.'],
  ['Oskar', '2025-05-02', 'The butter got dearer, a third more than last year.'],
];

describe('what was said later', () => {
  let world: World;

  async function talk(said: readonly Said[], model: ModelName = 'static'): Promise<void> {
    world = await openWorld(model);
    for (const [i, [speaker, day, text, session]] of [...said, ...FILLER].entries()) {
      const message = {
        domain: 'chat',
        speaker,
        text,
        role: 'user',
        message_id: String(i),
        timestamp: `${day}T09:00:00Z`,
      };
      await world.ingest.message({ ...message, session_id: session ?? day });
    }
  }

  async function ask(context: string) {
    const { items } = await world.retrieval.query({ context, domains: ['chat'], top_k: 10 });
    return items.map(({ content, score, metadata }) => ({
      content,
      score,
      why: metadata.why as Record<string, unknown>,
    }));
  }

  const orderOf = async (context: string, ...words: readonly string[]) => {
    const contents = (await ask(context)).map(({ content }) => content);
    return words.map((word) => contents.findIndex((content) => content.includes(word)));
  };

  afterEach(() => world.close());

  test.each(['minilm', 'static', 'none'] as const)(
    'comes first where a question asks how things are now, with %s',
    async (model) => {
      await talk(
        [
          ['Maja', '2025-01-13', 'The code of the back door is 4471.'],
          ['Maja', '2025-03-17', 'Thieves came, so I had the lock of the back door changed, the code is 9035 now.'],
        ],
        model,
      );
      expect(await orderOf('What is the code of the back door?', '9035', '4471')).toEqual([0, 1]);
    },
  );

  test.each([['I have a new number: 0171 555 8802.'], ["I've got a new number, 0171 555 8802."]])(
    'comes first where it is new: %s',
    async (later) => {
      await talk([
        ['Pat', '2025-01-13', 'My number is 0160 555 1234.'],
        ['Pat', '2025-03-17', later],
      ]);
      expect(await orderOf("What is Pat's number?", '8802', '1234')).toEqual([0, 1]);
      expect(await orderOf("What was Pat's number before?", '1234')).toEqual([0]);
    },
  );

  test.each([
    ['Correction, for the rye loaves it is 240 degrees, not 220.'],
    ['Korrektur: for the rye loaves it is 240 degrees now.'],
    ['Change for the rye loaves: 240 degrees instead of 220.'],
  ])('is no news of another thing for calling itself a correction: %s', async (later) => {
    await talk([
      ['Lien', '2025-01-13', 'Heat for the rye loaves: I bake them at 220 degrees for an hour.'],
      ['Lien', '2025-01-14', later],
    ]);
    expect(await orderOf('What is the heat of the oven for the rye loaves?', '240 degrees', 'at 220')).toEqual([0, 1]);
  });

  test('says why it is there', async () => {
    await talk([
      ['Maja', '2025-01-13', 'The code of the back door is 4471.'],
      ['Pat', '2025-03-17', 'The door got a new lock. The code is no longer the old one, use 9035.'],
    ]);
    const [first, second] = await ask('What is the code of the back door?');
    expect(first).toMatchObject({ content: expect.stringContaining('9035') });
    expect(first!.why.path).toEqual({ from: expect.any(String), name: 'Maja, 13 January 2025', via: 'updates' });
    expect(second!.why.path).toBeUndefined();
    expect(first!.score).toBeGreaterThan(second!.score);
  });

  test('takes the place of the version before, not only of the first', async () => {
    await talk([
      ['Sam', '2025-01-13', 'My budget for groceries is 300 euros a month.'],
      ['Sam', '2025-04-13', 'My new budget for groceries is 240 euros a month.'],
      ['Sam', '2025-07-13', 'I changed my budget for groceries again since I moved, 210 euros a month.'],
    ]);
    const [newest, middle, oldest] = await orderOf('What is my budget for groceries?', '210', '240', '300');
    expect(newest).toBeLessThan(middle!);
    expect(middle).toBeLessThan(oldest!);
  });

  test('counts on the same occasion only where it takes something back', async () => {
    const first: Said = ['Maja', '2025-06-02', 'Selma the apprentice starts on the second of June.', 'one'];
    await talk([first, ['Maja', '2025-06-02', 'Correction, Selma the apprentice starts on the first of July.', 'one']]);
    expect(await orderOf('When does the apprentice Selma start?', 'July', 'second of June')).toEqual([0, 1]);
    await world.close();
    await talk([first, ['Maja', '2025-06-02', 'Selma the apprentice is now glad about her start in June.', 'one']]);
    const [, best] = await orderOf('When does the apprentice Selma start?', 'glad', 'second of June');
    expect(best).toBe(0);
  });

  test('does not count where a question asks for the past, for reasons or for what was said', async () => {
    await talk([
      ['Maja', '2025-01-13', 'The code of the back door is 4471.'],
      ['Maja', '2025-03-17', 'Somebody came in at night, so I had the lock of the door changed, it is 9035 now.'],
    ]);
    for (const question of [
      'What was the code of the back door before?',
      'What was the code of the back door in January 2025?',
    ]) {
      const [changed, before] = await orderOf(question, '9035', '4471');
      expect({ question, before }).toEqual({ question, before: 0 });
      expect(changed).toBeGreaterThan(0);
    }
  });

  test('is no news where another person speaks of his own affairs', async () => {
    await talk([
      ['Ada', '2025-01-13', 'My phone number is 0664 330 118.'],
      ['Ben', '2025-03-17', 'My phone number changed, it is 0699 120 775 now.'],
    ]);
    const [adas, bens] = await orderOf("What is Ada's phone number?", '118', '775');
    expect(adas).toBe(0);
    expect(bens).toBeGreaterThan(0);
  });

  test('is no news where another role speaks and nobody has a name', async () => {
    world = await openWorld('static');
    const say = (role: string, text: string, day: string) =>
      world.ingest.message({
        domain: 'chat',
        role,
        text,
        session_id: day,
        message_id: day,
        timestamp: `${day}T09:00:00Z`,
      });
    await say('user', 'My shoe size is 42.', '2025-01-13');
    await say('assistant', 'The table of shoe sizes changed, size 42 is now called 8.', '2025-03-13');
    await say('user', 'I bake bread on Sundays.', '2025-03-14');
    const [own, table] = await orderOf('What is my shoe size?', 'My shoe size', 'The table');
    expect(own).toBe(0);
    expect(table).toBeGreaterThan(0);
  });

  test('adds little however often a thing changes, so that questions without an answer stay low', async () => {
    const people = ['Anna', 'Bruno', 'Clara', 'David', 'Elena'];
    await talk(
      Array.from({ length: 40 }, (_, week): Said => {
        const day = new Date(Date.UTC(2025, 0, 6 + 7 * week)).toISOString().slice(0, 10);
        return ['Maja', day, `The rota changed, the closing shift on Fridays is for ${people[week % 5]} from now on.`];
      }),
    );
    for (const question of [
      'Who repairs the dishwasher on Sundays?',
      'What is the closing price of the stock on Fridays?',
    ]) {
      const [first] = await ask(question);
      expect({ question, low: first!.score < 0.05 }).toEqual({ question, low: true });
    }
  });

  test('counts in the order of turns where messages have one time', async () => {
    const day = '2025-06-02';
    await talk([
      ['Maja', day, 'Selma the apprentice starts on the second of June.', 'one'],
      ['Maja', day, 'Correction, Selma the apprentice starts on the first of July.', 'one'],
      ['Maja', day, 'Correction, Selma the apprentice starts on the tenth of August.', 'one'],
    ]);
    expect(await orderOf('When does the apprentice Selma start?', 'August', 'July', 'second of June')).toEqual([
      0, 1, 2,
    ]);
  });

  test.each(['minilm', 'static', 'none'] as const)(
    'is no news of a thing with another number, with %s',
    async (model) => {
      const others = [1203, 1233, 1263, 1293, 1323, 1353, 1383].map(
        (number, i) => ['Ann', `2025-04-${10 + i}`, `I cancelled the parcel number ${number}.`] as const,
      );
      await talk([['Ann', '2025-04-10', 'I ordered the parcel number 1206.'], ...others], model);
      for (const question of ['Is parcel number 1206 on its way?', 'number 1206', '1206']) {
        const [first] = await ask(question);
        expect(first).toMatchObject({ content: expect.stringContaining('1206') });
      }
    },
  );

  test('is news of a thing with the same number, and of one that the later turn does not name', async () => {
    await talk([
      ['Ann', '2025-04-10', 'I ordered the parcel number 1206 to my office.'],
      ['Ann', '2025-04-12', 'I ordered the parcel number 1207 to my office.'],
      ['Ann', '2025-04-20', 'I changed it, parcel number 1206 comes to my flat now.'],
      ['Ann', '2025-05-10', 'My rent for garage 204 is 310 euros a month.'],
      ['Ann', '2025-06-10', 'My new rent for the garage is 350 euros a month.'],
    ]);
    expect((await orderOf('Where does parcel number 1206 come to?', 'flat', '1206 to my office'))[0]).toBe(0);
    expect((await orderOf('What is my rent for garage 204?', '350', '310'))[0]).toBe(0);
  });

  describe.each(['minilm', 'static'] as const)('is no news of another thing, with %s', (model) => {
    test.each([
      [
        'What is the phone number of Lisa?',
        'The phone number of Lisa is 555.',
        'The phone number of Karl changed to 777.',
      ],
      ["What is Lisa's phone number?", 'The phone number of Lisa is 555.', "Karl's phone number changed to 777."],
      ['What is the office password?', 'The password of the office is kiwi.', 'The password of the cabin is plum now.'],
      ['When is the team meeting?', 'The team meeting is on Monday.', 'The budget meeting was moved to Friday.'],
      ['Where is the spare key?', 'The spare key is under the flower pot.', 'The car key is now in the drawer.'],
      ['What is the name of my cat?', 'The name of my cat is Milo.', 'The name of my new dog is Bruno.'],
      [
        "When is my wife's birthday?",
        "My wife's birthday is on 3 May.",
        "I changed the date of my wife's party, it is now on 10 May.",
      ],
      [
        'Where is the key of the cottage?',
        'The key of the cottage is under the pot.',
        'The owner of the cottage is now Mr Hall.',
      ],
      ['Wie ist die Nummer von Lisa?', 'Die Nummer von Lisa ist 555.', 'Die Nummer von Karl ist jetzt 777.'],
    ])('%s', async (question, right, other) => {
      await talk(
        [
          ['Ann', '2025-02-10', right],
          ['Ann', '2025-03-10', other],
        ],
        model,
      );
      const [first] = await ask(question);
      expect(first!.content).toContain(right);
    });
  });

  test.each(['My son now wears size 31.', 'He grows, we now buy size 31 for my son.'])(
    'is told by: %s',
    async (text) => {
      await talk([
        ['Ann', '2025-02-10', 'My son wears shoes of size 28.'],
        ['Ann', '2025-03-10', text],
      ]);
      expect((await orderOf('What size of shoes does my son wear?', '31', '28'))[0]).toBe(0);
    },
  );

  test('is news of the same thing, in other words too', async () => {
    await talk([
      ['Ann', '2025-02-10', 'The team meeting is on Monday at ten.'],
      ['Ann', '2025-03-10', 'The new meeting of the team is on Thursday now.'],
    ]);
    expect((await orderOf('When is the team meeting?', 'Thursday', 'Monday'))[0]).toBe(0);
  });

  test('is news of whoever speaks, where the question names him', async () => {
    await talk([
      ['Sam', '2025-02-11', 'I drink two coffees a day, both before noon.'],
      ['Sam', '2025-07-08', 'I stopped drinking coffee. Green tea only.'],
    ]);
    expect((await orderOf('How much coffee does Sam drink?', 'Green tea', 'two coffees'))[0]).toBe(0);
  });

  test('is found in other languages', async () => {
    await talk([
      ['Bernd', '2025-01-11', 'Der Schlüssel vom Ferienhaus liegt unter dem Blumentopf.'],
      ['Bernd', '2025-05-02', 'Der Schlüssel vom Ferienhaus liegt jetzt beim Nachbarn Thiel.'],
      ['Bernd', '2025-01-12', 'Das Passwort vom Ferienhaus lautet kiwi.'],
      ['Bernd', '2025-05-03', 'Das Passwort vom Ferienhaus lautet jetzt mango.'],
      ['Claire', '2025-01-11', 'Le mot de passe du réseau de la maison est seerose.'],
      ['Claire', '2025-05-02', 'Le mot de passe du réseau de la maison a changé, utilisez haubentaucher.'],
    ]);
    expect(await orderOf('Wo liegt der Schlüssel vom Ferienhaus?', 'Thiel', 'Blumentopf')).toEqual([0, 1]);
    expect(await orderOf('Wie lautet das Passwort vom Ferienhaus?', 'mango', 'kiwi')).toEqual([0, 1]);
    expect(await orderOf('Quel est le mot de passe du réseau de la maison ?', 'haubentaucher', 'seerose')).toEqual([
      0, 1,
    ]);
  });
});
