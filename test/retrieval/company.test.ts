import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';

const PETS = 'Dogs are welcome for 12 euros a night. Cats are not allowed.';
const HANDBOOK = `# Team Handbook

## Expenses

Keep every receipt. Send them to Lena by the fifth of the month.

### Travel

A hotel may cost at most 120 euros a night. Trains are booked in second class.

## Home office

Everybody may work at home on two days of the week. Tell your team the day before.
`;
const ROOMS = `# Hotel rooms

| Room | Summer | Winter |
|---|---|---|
| Double room | 140 | 95 |
| Suite | 260 | 180 |
`;

let world: World;
beforeEach(async () => {
  world = await openWorld('static');
});
afterEach(() => world.close());

const add = (domain: string, name: string, text: string) =>
  world.ingest.text({ text, domain, format: 'markdown', name });

async function ask(context: string, domains: readonly string[] = []) {
  const { items } = await world.retrieval.query({ context, domains, top_k: 10 });
  return items;
}

describe('what lies beside a text', () => {
  test('changes little in its score: one text alone, and one more that has nothing to do with the question', async () => {
    await add('d', 'pets', PETS);
    const [alone] = await ask('Are cats allowed?');
    await add('d', 'lamp', 'The lamp in the hall has a blue shade.');
    const [beside] = await ask('Are cats allowed?');
    expect(alone!.content).toContain('Cats');
    expect(Math.abs(alone!.score - beside!.score)).toBeLessThan(0.1);
    expect(alone!.metadata.ppr_score).toBe(1);
  });

  test('takes no places from documents where it is a chat', async () => {
    await add('d', 'pets', PETS);
    await add('d', 'lamp', 'The lamp in the hall has a blue shade.');
    const [before] = await ask('Are cats allowed?', ['d']);
    for (let i = 0; i < 130; i += 1) {
      await world.ingest.message({
        ...{ text: `Are you there? I saw cat number ${i} today.`, speaker: 'Ann', role: 'user', domain: 'chat' },
        ...{ session_id: 's', message_id: `${i}`, timestamp: '2026-05-01T10:00:00Z' },
      });
    }
    const [after] = await ask('Are cats allowed?');
    expect(after!.id).toBe(before!.id);
    expect(Math.abs(after!.score - before!.score)).toBeLessThan(0.1);
  });

  test('brings a text no evidence where it is its copy', async () => {
    const questions = ['What does a suite cost in winter?', 'How much does a double room cost in summer?'];
    await add('one', 'handbook.md', HANDBOOK);
    await add('one', 'rooms.md', ROOMS);
    await add('two', 'handbook.md', HANDBOOK);
    await add('two', 'handbook-copy.md', HANDBOOK);
    await add('two', 'rooms.md', ROOMS);
    for (const question of questions) {
      const [[one], [two]] = [await ask(question, ['one']), await ask(question, ['two'])];
      expect(two!.content).toBe(one!.content);
      expect(Math.abs(one!.score - two!.score)).toBeLessThan(0.1);
    }
    const why = JSON.stringify(await ask('What may a hotel cost?', ['two']));
    expect(why).not.toMatch(/from Team Handbook > Expenses > Travel/u);
  });
});

test('a text without a title that leads to an item is named by who said it, or by its first words', async () => {
  await world.ingest.text({
    text: 'The Zander boiler is serviced by Petersen & Sons.',
    domain: 'd',
    format: 'text',
    name: 'raw_text',
  });
  await world.ingest.message({
    ...{ text: 'Petersen & Sons keep the keys to the Zander boiler.', speaker: 'Ann', role: 'user', domain: 'd' },
    ...{ session_id: 's', message_id: '1', timestamp: '2026-05-01T10:00:00Z' },
  });
  await add('d', 'Petersen & Sons', 'Petersen & Sons sit in Kiel. Their telephone number is 0431 22.');
  await add('d', 'Zander boiler', 'The Zander boiler stands in the cellar.');
  const items = await ask('What is the telephone number of those who service the Zander boiler?', ['d']);
  const names = items.flatMap(({ metadata }) => {
    const { path } = metadata.why as { path?: { name: string; from: string } };
    return path === undefined ? [] : [path.name];
  });
  expect(names).toContain('The Zander boiler is serviced by Petersen & Sons.');
  expect(names).not.toContain('');
});
