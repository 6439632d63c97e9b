import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { conceptId } from '../../src/core/ids.js';
import { restoredSeed } from '../../src/interop/restore.js';
import { GraphRules } from '../../src/projection/rule-source.js';
import { serializeRuleset } from '../../src/projection/targets/ruleset.js';

const DOMAIN = 'network';
const POSTGRES = conceptId(DOMAIN, 'Postgres');

let world: World;
beforeAll(async () => {
  world = await openWorld('none');
  const text = '# Ports\n\nThe firewall closes most ports. Never open Postgres to the internet.\n';
  await world.ingest.text({ text, domain: DOMAIN, format: 'markdown', name: 'ports' });
});
afterAll(() => world.close());

/** The rule, and its relevance to a question whose answer is the passage, as a share of the passage's score. */
async function found() {
  const [rule] = (await world.retrieval.rules({ domains: [DOMAIN] })).rules;
  const { items, rules } = await world.retrieval.query({ context: 'Which ports does the firewall close?', top_k: 5 });
  const passage = items.find((item) => item.content.startsWith('Ports'))!;
  const scores = new Map(items.map((item) => [item.id, item.score]));
  const relevance = rules.find(({ id }) => id === rule!.id)?.relevance;
  const best = Math.max(passage.score, scores.get(POSTGRES) ?? 0);
  return { rule: rule!, passage: passage.id, isRelevant: relevance === best };
}

test('a rule of a text is about the concepts that its sentence names, and comes with its passage', async () => {
  const before = await found();
  expect(before.isRelevant).toBe(true);
  expect(before.rule).toMatchObject({ source_concepts: [before.passage], metadata: { passages: [before.passage] } });
  const concepts = [{ name: 'Postgres', description: 'Keeps the orders.' }];
  const { source_id } = await world.ingest.structured({ domain: DOMAIN, concepts, edges: [], rules: [] });
  const after = await found();
  expect(after.isRelevant).toBe(true);
  expect(after.rule).toMatchObject({ source_concepts: [POSTGRES], metadata: { passages: [before.passage] } });
  const around = await world.retrieval.explore(POSTGRES);
  expect(around!.rules.map(({ id }) => id)).toEqual([after.rule.id]);
  const { rules } = await world.retrieval.query({ context: 'What keeps the orders?', top_k: 1 });
  expect(rules.map(({ id }) => id)).toEqual([after.rule.id]);

  // A rule set that comes back outranks the document, and still comes with its passage.
  const derived = await new GraphRules(world.parts.graph).derive([DOMAIN]);
  const seed = serializeRuleset(
    derived.map((rule) => ({ rule, tags: [] })),
    'operator',
    1,
  );
  expect(seed.rules[0]!.provenance).toMatchObject({ source_concepts: [POSTGRES], passages: [before.passage] });
  const [manifest] = restoredSeed(seed, { name: 'seed' }).manifests;
  const restored = await world.parts.graph.ingestManifest(manifest!);
  expect(await found()).toMatchObject({ isRelevant: true, rule: { source_concepts: [POSTGRES] } });

  await world.ingest.forgetSource(restored.source_id);
  await world.ingest.forgetSource(source_id);
  expect(await found()).toEqual(before);
});
