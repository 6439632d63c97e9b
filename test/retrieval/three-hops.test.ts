import { expect, test } from '@jest/globals';
import { locator } from '../../bench/retrieval/data.js';
import { ingestSet } from '../../bench/retrieval/ingest-set.js';
import { madeLives } from '../../bench/retrieval/made-lives.js';
import { openWorld } from '../../bench/retrieval/world.js';
import { explain, questionTerms } from '../../src/retrieval/present/explain.js';
import { byGraph } from '../../src/retrieval/score/rank.js';

/** Other lives than those that are measured. */
const SEED = 31;

test('what stands over two bridges is among the first five, and says by which bridge it was found', async () => {
  const set = madeLives(SEED);
  const world = await openWorld('static');
  await ingestSet(world, set);
  const place = locator(set.passages);
  const asked = set.questions.filter(({ kind }) => kind.startsWith('three'));
  const ways = [];
  for (const { question, gold } of asked) {
    const ranking = await byGraph(world.parts, question, { domains: ['bench'], topK: 5, factors: new Map() });
    const last = ranking.items.slice(0, 5).find(({ node }) => place(node.name, node.description) === gold.at(-1));
    if (last !== undefined) ways.push(explain(last, questionTerms(question, ranking)).path?.via);
  }
  await world.close();
  expect(asked).toHaveLength(20);
  // 3 of 20 without what chains carry.
  expect(ways.length).toBeGreaterThanOrEqual(13);
  expect(new Set(ways)).toEqual(new Set(['bridge']));
}, 120_000);
