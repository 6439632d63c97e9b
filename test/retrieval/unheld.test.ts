import { expect, test } from '@jest/globals';
import { type ModelName, openWorld } from '../../bench/retrieval/world.js';

const TEXT = `# Council of Oslo

The council of Oslo elects its mayor every four years. Ada Berg has been the mayor of Oslo since 2019.

# Ada Berg

Ada Berg was born in Bergen in 1971. Her brother runs a bakery there.

# Bakery

The bakery opens at seven and closes at noon.

# Falcon Press

The Falcon 9000 Press was designed by Mina Holt.

# Mina Holt

Mina Holt learned the trade from Piet Vossen, her teacher.

# Piet Vossen

Piet Vossen was born in Leiden and taught for forty years.

# Pumps

Three pumps were repaired by Jonas Wirth. Samples were taken on 02.07.2026.`;

/** The best score that each question gets. */
async function scores(model: ModelName, questions: readonly string[]): Promise<number[]> {
  const world = await openWorld(model);
  await world.ingest.text({ text: TEXT, domain: 'd', format: 'markdown', name: 'city.md' });
  const found: number[] = [];
  for (const context of questions)
    found.push((await world.retrieval.query({ context, top_k: 1 })).items[0]?.score ?? 0);
  await world.close();
  return found;
}

const MODELS = ['minilm', 'static'] as const;

test.each(MODELS)('an item that lacks the name or the year that is asked about scores low, with %s', async (model) => {
  const [oslo, lima, year, other] = await scores(model, [
    'Who is the mayor of Oslo?',
    'Who is the mayor of Lima?',
    'Who was the mayor in 2019?',
    'Who was the mayor in 1993?',
  ]);
  expect(oslo).toBeGreaterThan(0.5);
  expect(year).toBeGreaterThan(0.5);
  expect(lima).toBeLessThan(0.2);
  expect(other).toBeLessThan(0.2);
});

test.each(MODELS)('a name that leads to an item need not stand in it, with %s', async (model) => {
  const [reached, elsewhere] = await scores(model, [
    'Where was the mayor of Oslo born?',
    'Where was the mayor of Lima born?',
  ]);
  expect(reached).toBeGreaterThan(0.5);
  expect(elsewhere).toBeLessThan(0.2);
});

test.each(MODELS)('a name may stand two links before an item, with %s', async (model) => {
  const [falcon, other] = await scores(model, [
    'Where was the teacher of the designer of the Falcon 9000 Press born?',
    'Where was the teacher of the designer of the Heron 4000 Press born?',
  ]);
  expect(other).toBeLessThan(falcon!);
});

test.each(MODELS)('small numbers and days may be written otherwise, with %s', async (model) => {
  const [digits, word, month] = await scores(model, [
    'Who repaired the 3 pumps?',
    'Who repaired the three pumps?',
    'Which samples were taken in July 2026?',
  ]);
  expect(digits).toBeGreaterThan(0.5 * word!);
  expect(month).toBeGreaterThan(0.05);
});

test.each(MODELS)(
  'a person need not stand there with the form of address that the question gives, with %s',
  async (model) => {
    const [plain, addressed, other] = await scores(model, [
      'Who was taught the trade by Vossen?',
      'Who was taught the trade by Dr. Vossen?',
      'Who was taught the trade by Dr. Lund?',
    ]);
    expect(addressed).toBeGreaterThan(0.8 * plain!);
    expect(other).toBeLessThan(0.5 * addressed!);
  },
);
