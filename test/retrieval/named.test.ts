import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';

let world: World;
beforeAll(async () => {
  world = await openWorld('none');
  const teas = Array.from({ length: 2100 }, (_, i) => ({ name: `tea ${i}`, description: 'A tea.', id: `a${i}` }));
  await world.ingest.structured({
    domain: 'kitchen',
    concepts: [...teas, { name: 'Tea', description: 'All.', id: 'z' }],
  });
  await world.ingest.structured({
    domain: 'shop',
    concepts: [{ name: '100%_?* wool', description: 'Yarn.', id: 'wool' }],
  });
});
afterAll(() => world.close());

it('finds the node of a name among thousands whose names hold it', async () => {
  expect((await world.retrieval.named({ name: ' TEA ' })).nodes.map(({ id }) => id)).toEqual(['kitchen:z']);
});

it('reads signs of patterns as they are written', async () => {
  const { nodes } = await world.retrieval.named({ name: '100%_?* Wool' });
  expect(nodes.map(({ id }) => id)).toEqual(['shop:wool']);
  expect(await world.retrieval.named({ name: '1__%_?* wool' })).toMatchObject({ nodes: [] });
});

it.each([
  ['many letters of which each is written as eighteen', '\u{fdfa}'.repeat(2000)],
  ['many signs of patterns', '*?'.repeat(1000)],
  ['white space', '  '],
])('answers that there is none: %s', async (_what, name) => {
  expect(await world.retrieval.named({ name })).toEqual({ nodes: [], nearest: [] });
});
