import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { oneLetterFrom, wellSpelled } from '../../src/retrieval/seed/misspelt.js';

const TEXT = `# Garden guide

## Greenhouse

The thermostat of the greenhouse is set to 14 degrees. Tomatoes are watered at seven, and it is aired three times a day.

## Compost

The compost is turned every fortnight by Dorota Malik. Eggshells go into it.

## Castle road

The castle road is closed to lorries in winter.`;

let world: World;
beforeAll(async () => {
  world = await openWorld('minilm');
  await world.ingest.text({ text: TEXT, domain: 'garden', format: 'markdown', name: 'guide.md' });
  await world.ingest.text({ text: '# Orchids\n\nOrchids like warm fertilizer.', domain: 'other', format: 'markdown' });
});
afterAll(() => world.close());

async function spelled(text: string, domains: readonly string[] | undefined = ['garden']): Promise<string> {
  const { terms } = await world.parts.text.search(text, { topK: 0, domains });
  return wellSpelled(world.parts, text, { terms, domains });
}

async function best(context: string) {
  const { items } = await world.retrieval.query({ context, domains: ['garden'], top_k: 3 });
  return items[0]!;
}

describe('a misspelt word', () => {
  test.each([
    ['What is the termostat set to?', 'What is the thermostat set to?'],
    ['What is the thremosatt set to?', 'What is the thremosatt set to?'],
    ['What is the thermotsat set to?', 'What is the thermostat set to?'],
    ['What is the thermostatt set to?', 'What is the thermostat set to?'],
    ['What is the thermostet in the grenhouse set to?', 'What is the thermostat in the greenhouse set to?'],
  ])('is read as the documents write it where it is one letter from it: %s', async (written, meant) => {
    expect(await spelled(written)).toBe(meant);
  });

  test.each([
    ['Do we have cattle?'],
    ['Are there timers?'],
    ['Where is the Termostat?'],
    ['Is dorota malix there?'],
    ['What about the fertilzer?'],
    [`What is the termostat set to? ${'We asked before. '.repeat(30)}`],
    ['Wie ist der termostat der Anlage eingestellt, und wer hat ihn zuletzt eingestellt?'],
  ])('stays where it is a word, a name, short, of another domain, or of a long text: %s', async (written) => {
    expect(await spelled(written)).toBe(written);
  });

  test('is looked up in all domains where none is given', async () => {
    const { terms } = await world.parts.text.search('fertilzer', { topK: 0 });
    const text = 'Which fertilzer do they like?';
    expect(await wellSpelled(world.parts, text, { terms, domains: undefined })).toBe('Which fertilizer do they like?');
  });

  test('costs an answer nothing, and its reason shows how it was read', async () => {
    const [right, wrong] = [await best('How warm is the thermostat?'), await best('How warm is the termostat?')];
    expect(wrong.content).toBe(right.content);
    expect(wrong.score).toBeCloseTo(right.score, 5);
    expect(wrong.metadata.why).toMatchObject({ terms: ['thermostat'] });
  });

  test('is looked up among all words one letter from it', () => {
    const candidates = oneLetterFrom('compst');
    expect(candidates).toEqual(expect.arrayContaining(['compost', 'comps', 'comspt', 'compest']));
    expect(candidates).not.toContain('compst');
    expect(oneLetterFrom('abcdefghijklmnop').length).toBeLessThan(1024);
  });
});
