import { expect, test } from '@jest/globals';
import { openWorld } from '../../bench/retrieval/world.js';
import { byGraph } from '../../src/retrieval/score/rank.js';

const TEXT = `# Stolen Mirror

Stolen Mirror is a film of 1950. It was directed by Beata Petrow and stars Erik Wexford.

# Beata Petrow

Beata Petrow is a Swedish film director. Her father was the poet Tomas Petrow. She married Elmar Korhonen.

# Tomas Petrow

Tomas Petrow was born on 27 January 1886 in Lund.

# Elmar Korhonen

Elmar Korhonen was a Swedish actor, born in Kiruna.

# Erik Wexford

Erik Wexford was a Swedish actor, born in Malmö.`;

test('the second hop asks for what the first one left over', async () => {
  const world = await openWorld('static');
  await world.ingest.text({ text: TEXT, domain: 'd', format: 'markdown', name: 'films.md' });
  const scope = { domains: ['d'], topK: 10, factors: new Map<string, number>() };
  const context = 'When was the father of the director of film Stolen Mirror born?';
  const { items } = await byGraph(world.parts, context, scope);
  await world.close();
  const father = items.find(({ node }) => node.name.endsWith('Tomas Petrow'));
  expect(father?.features?.chains.second).toMatchObject({
    bridge: { name: 'Tomas Petrow' },
    rewritten: 'When was Tomas Petrow born?',
  });
});
