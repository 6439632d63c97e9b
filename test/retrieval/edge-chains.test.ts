import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { isRowOf, isUnnamedRow } from '../../src/retrieval/chains/kinds.js';
import { byGraph } from '../../src/retrieval/score/rank.js';
import { edgesOf } from '../../src/retrieval/score/score.js';

const PEOPLE = ['Tom Fielding', 'Priya Nair', 'Aiko Tanaka', 'Jonas Weber', 'Greta Lund'];
const CITIES = ['Leeds', 'Bergen', 'Osaka', 'Berlin', 'Lyon'];
const SERVICES = ['Quill', 'Mailroom', 'Lighthouse', 'Turnstile', 'Bellhop'];

let world: World;
beforeAll(async () => {
  world = await openWorld('static');
  const edge = (source: string, relation: string, target: string) => ({ source, relation, target });
  await world.ingest.structured({
    domain: 'work',
    concepts: [
      ...PEOPLE.map((name, i) => ({ name, description: `Engineer, lives in the city of ${CITIES[i]}.` })),
      ...SERVICES.map((name) => ({ name, description: 'A service of the platform.' })),
    ],
    edges: [
      ...SERVICES.map((service, i) => edge(service, 'LED_BY', PEOPLE[i]!)),
      edge('Mailroom', 'NEEDS', 'Bellhop'),
      edge('Quill', 'NEEDS', 'Lighthouse'),
    ],
  });
  await world.ingest.structured({
    domain: 'other',
    concepts: [{ name: 'Tom Fielding', description: 'Engineer, lives in the city of Perth.' }],
  });
});
afterAll(() => world.close());

async function ask(context: string) {
  const scope = { domains: ['work'], topK: 10, factors: new Map<string, number>() };
  return (await byGraph(world.parts, context, scope)).items;
}

describe('chains over typed edges', () => {
  test('put what an edge leads to in place of what the concept explains', async () => {
    const items = await ask('Which city does the person live in who leads Quill?');
    const lead = items.findIndex(({ node: { name } }) => name === 'Tom Fielding');
    expect(lead).toBeLessThan(2);
    const { features } = items[lead]!;
    expect(features?.chains.first).toMatchObject({ bridge: { name: 'Tom Fielding' }, sentence: -1 });
    expect(items.every(({ node: { domain } }) => domain === 'work')).toBe(true);
  });

  test('are credited to the edge that they leave by', async () => {
    const items = await ask('Which city does the person live in who leads Quill?');
    const lead = items.find(({ node: { name } }) => name === 'Tom Fielding')!;
    const { edges } = await world.parts.graph.neighbourhood(lead.node.id, 1);
    const led = edges.find(({ relation_type }) => relation_type === 'LED_BY')!;
    expect(lead.features?.chains.first?.edge).toBe(led.id);
    expect(edgesOf(lead.features!)).toContainEqual({ edge: led.id, part: 'chain' });
  });

  test('need something left over for their end to answer', async () => {
    for (const { features } of await ask('Who is Mailroom led by?')) expect(features?.chains.first).toBeUndefined();
  });

  test('follow no other relation beside one that the question means', async () => {
    const items = await ask('How old is the service that Mailroom needs?');
    const { id } = items.find(({ node: { name } }) => name === 'Mailroom')!.node;
    const reached = items.filter(({ features }) => features?.chains.first?.from === id);
    expect(reached.map(({ node: { name } }) => name)).toEqual(['Bellhop']);
  });

  test('go over an edge that the question does not speak of only to what holds a word of it', async () => {
    const from = async (context: string): Promise<string[]> => {
      const items = await ask(context);
      const { id } = items.find(({ node: { name } }) => name === 'Quill')!.node;
      return items.flatMap(({ node, features }) => (features?.chains.first?.from === id ? [node.name] : []));
    };
    expect(await from('What has Quill to do with salmon and granite?')).toEqual([]);
    expect(await from('Which engineer of Quill lives in the city of Leeds?')).toContain('Tom Fielding');
  });

  test('go over two edges', async () => {
    const items = await ask('In which city is the person who leads the service that Mailroom needs?');
    const end = items.find(({ node: { name } }) => name === 'Greta Lund');
    expect(end?.features?.chains.second).toMatchObject({ rewritten: 'In which city is Greta Lund?' });
  });
});

describe('rows', () => {
  test.each([
    ['Aiko Tanaka', 'engineers with city: Osaka; started: 2015.', 'engin', true],
    ['engineers > Aiko Tanaka', 'city: Osaka; started: 2015.', 'engin', true],
    ['Quill', 'Editor for contracts. services with lead: Tom Fielding.', 'servic', true],
    ['Quill', 'Editor for contracts. services with lead: Tom Fielding.', 'contract', false],
    ['Ada', 'She went to town with a bag.', 'town', false],
  ])('%s: %s is one of "%s": %s', (name, description, kind, expected) => {
    expect(isRowOf(new Set([kind]), { name, description })).toBe(expected);
  });

  test('that are called by their table and a number have no name that a question would have', () => {
    expect(isUnnamedRow({ name: 'deliveries 14', description: 'deliveries with supplier: Hobday; goods: lime.' })).toBe(
      true,
    );
    expect(isUnnamedRow({ name: 'Boeing 747', description: 'planes with maker: Boeing.' })).toBe(false);
    expect(isUnnamedRow({ name: 'Ward 4', description: 'wards with head: Anneke Vos.' })).toBe(false);
    expect(isUnnamedRow({ name: 'order lines of 2024 14', description: 'order lines of 2024 with goods: lime.' })).toBe(
      true,
    );
    expect(isUnnamedRow({ name: 'Quill', description: 'services with lead: Tom Fielding.' })).toBe(false);
  });
});
