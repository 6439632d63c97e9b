import { expect, test } from '@jest/globals';
import { openWorld } from '../../bench/retrieval/world.js';
import { questionWords } from '../../src/retrieval/seed/question-words.js';

const content = (text: string, language?: string) =>
  questionWords(text, [], { idf: new Map(), ...(language === undefined ? {} : { language }) })
    .filter((word) => word.content)
    .map(({ norm }) => norm);

test.each([
  ['How much salt is in the bread, please?', 'salt bread'],
  ['How old is the old mill?', 'old mill'],
  ['Whats the price of the long loaf?', 'price long loaf'],
  ['How much of Much Wenlock is built of stone?', 'much wenlock built stone'],
])('words that only ask are no content: %s', (question, words) => {
  expect(content(question).join(' ')).toBe(words);
});

test.each([
  ['german', 'Wie lange braucht die lange Leitung?', 'braucht lange leitung'],
  ['dutch', 'Hoe oud is de molen?', 'molen'],
  ['french', 'Combien coûte le pain ?', 'coute pain'],
])('they are none in %s either', (language, question, words) => {
  expect(content(question, language).join(' ')).toBe(words);
});

test.each(['minilm', 'static'] as const)('they cost an answer nothing, with %s', async (model) => {
  const world = await openWorld(model);
  await world.ingest.text({
    text: '# Bakery\n\nRye bread holds 21 grams of salt.\n\n# Mill\n\nThe mill grinds spelt and rye on Mondays.',
    domain: 'bakery',
    format: 'markdown',
  });
  const best = async (context: string) => (await world.retrieval.query({ context, top_k: 1 })).items[0]!;
  const asked = await best('How much salt does the rye bread hold?');
  const other = await best('Which salt does the rye bread hold?');
  await world.close();
  expect(asked.content).toContain('21 grams');
  expect(asked.score).toBeGreaterThan(0.95 * other.score);
});

test('a question of nothing else is asked as it is', async () => {
  const world = await openWorld('none');
  await world.ingest.text({ text: 'It costs much.', domain: 'a', format: 'text' });
  const { items } = await world.retrieval.query({ context: 'How much?', top_k: 1 });
  await world.close();
  expect(items).toHaveLength(1);
});
