import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openWorld, type World } from '../../bench/retrieval/world.js';

const SECTIONS = [
  ['Mira Kallas', 'Mira Kallas is a sculptor from Tartu who works in basalt and glass.'],
  ['Basalt Garden', 'Basalt Garden is a park of stones opened in 1988; its gate was made by Mira Kallas.'],
  ['Tartu', 'Tartu is a city on the Emajogi river with an old university.'],
  ['Emajogi', 'Emajogi is a river that flows from one lake to another past Tartu.'],
  ['Glass furnace', 'A glass furnace melts sand, soda and lime at fifteen hundred degrees.'],
  ['Stone bridge', 'The Stone bridge of Tartu crossed the Emajogi until 1941.'],
] as const;
const QUESTIONS = ['Who made the gate of Basalt Garden?', 'Which river flows past Tartu?', 'stone'];

const markdown = (sections: ReadonlyArray<readonly [string, string]>) =>
  sections.map(([title, text]) => `# ${title}\n\n${text}\n`).join('\n');

async function add(world: World, domain: string, sections: ReadonlyArray<readonly [string, string]>): Promise<void> {
  if (sections.length > 0) {
    await world.ingest.text({ text: markdown(sections), domain, format: 'markdown', name: domain });
  }
}

async function answers(world: World, domain: string) {
  const all = [];
  for (const context of QUESTIONS) {
    for (const mode of ['auto', 'graph', 'vec'] as const) {
      const { items, rules } = await world.retrieval.query({ context, domains: [domain], top_k: 10, mode });
      all.push({ context, mode, items, rules });
    }
  }
  return all;
}

describe('domains', () => {
  test('isolate: what lies in others changes neither items nor scores, and is never shown', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'b', 'both'), { minLength: SECTIONS.length, maxLength: SECTIONS.length }),
        async (places) => {
          const here = SECTIONS.filter((_, i) => places[i] !== 'b');
          const there = SECTIONS.filter((_, i) => places[i] !== 'a');
          fc.pre(here.length > 0);
          const alone = await openWorld('static');
          const beside = await openWorld('static');
          try {
            await add(alone, 'a', here);
            await add(beside, 'b', there);
            await add(beside, 'a', here);
            const expected = await answers(alone, 'a');
            const found = await answers(beside, 'a');
            expect(found).toEqual(expected);
            expect(found.flatMap((answer) => answer.items.map((item) => item.domain)).every((d) => d === 'a')).toBe(
              true,
            );
          } finally {
            await alone.close();
            await beside.close();
          }
        },
      ),
      { numRuns: 6 },
    );
  });

  test('a text that lies in two of them appears once', async () => {
    const world = await openWorld('static');
    await add(world, 'a', SECTIONS);
    await add(world, 'b', SECTIONS);
    const { items } = await world.retrieval.query({ context: QUESTIONS[0]!, top_k: 20 });
    expect(items).toHaveLength(SECTIONS.length);
    await world.close();
  });
});

describe('any question', () => {
  test('gets scores in 0..1 in falling order, ties by id, at most top_k items', async () => {
    const world = await openWorld('static');
    await add(world, 'a', SECTIONS);
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom('auto' as const, 'graph' as const, 'vec' as const),
        async (context, top_k, mode) => {
          const { items } = await world.retrieval.query({ context, top_k, mode });
          expect(items.length).toBeLessThanOrEqual(top_k);
          items.forEach((item, i) => {
            expect(item.score >= 0 && item.score <= 1).toBe(true);
            const next = items[i + 1];
            if (next !== undefined) expect(item.score >= next.score).toBe(true);
          });
        },
      ),
      { numRuns: 60 },
    );
    await world.close();
  });
});
