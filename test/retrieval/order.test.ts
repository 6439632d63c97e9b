import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { countEdges, madeEdges } from '../../bench/retrieval/made-edges.js';
import { openWorld, type World } from '../../bench/retrieval/world.js';

const PAGES = [
  '# Backups\n\nNightly copies go to the vault in Turku at 02:30.',
  '# Firewall\n\nPorts are opened by Mirja Salo. Backups use port 8730.',
  '# Licences\n\nKeys are renewed each spring. Backups need one key per host.',
];
const HOMES = ['# Home\n\nSee Backups, Firewall and Licences.', '# Home\n\n- Backups\n- Firewall\n- Licences'];

/** Returns the items of an answer by name. */
const namesIn = async (world: World, context: string, domain: string) => {
  const { items } = await world.retrieval.query({ context, domains: [domain], top_k: 10, mode: 'auto' });
  const nodes = new Map(
    (await world.parts.graph.getNodes(items.map(({ node_id }) => node_id))).map((node) => [node.id, node.name]),
  );
  return items.map(({ node_id, score }) => ({ name: nodes.get(node_id)!, score }));
};

describe.each(['static', 'minilm', 'none'] as const)('the order of items, with %s', (model) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(model);
  });
  afterAll(() => world.close());

  test('an index page does not put pages that mention a topic before the page of that topic', async () => {
    for (const [i, home] of HOMES.entries()) {
      for (const text of [home, ...PAGES])
        await world.ingest.text({ domain: `pages-${i}`, text, format: 'markdown', name: text.slice(2, 9) });
      // Without a model nothing tells pages apart that hold the same words of the question.
      const told = model === 'none' ? [] : ['When do backups run?'];
      for (const question of ['When are backups?', 'backups', 'Backups', ...told]) {
        const [first] = await namesIn(world, question, `pages-${i}`);
        expect({ question, home, first: first!.name }).toEqual({ question, home, first: 'Backups' });
      }
      const [ports] = await namesIn(world, 'Who opens ports?', `pages-${i}`);
      expect(ports!.name).toBe('Firewall');
    }
  });

  test('neighbours by the edge that a question asks for follow the item it names, and nothing else does', async () => {
    const { same, other } = await countEdges(world, madeEdges(7));
    expect(same.wanted).toBeGreaterThan(120);
    expect(same.placed).toBeGreaterThanOrEqual(0.97 * same.wanted);
    expect(same.kept).toBeGreaterThanOrEqual(0.97 * same.wanted);
    expect(same.others).toBeLessThan(0.1 * same.wanted);
    if (model === 'none') return;
    expect(other.placed).toBe(other.wanted);
    expect(other.kept).toBeGreaterThanOrEqual(0.9 * other.wanted);
    expect(other.others).toBeLessThan(0.1 * other.wanted);
  }, 60_000);
});
