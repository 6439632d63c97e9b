import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { conceptId } from '../../src/core/ids.js';
import type { Excerpt } from '../../src/retrieval/present/content.js';
import { openService, type TestService } from '../service/harness.js';

let test: TestService;
const FILL = 'Porters carried crates of ordinary china along the quay all day. ';
const before = FILL.repeat(700);
const said = 'The celadon bowl of Sorvik was broken by Ada Holm.';
const description = `${before}${said} ${FILL.repeat(700)}`.slice(0, 90_000);
beforeAll(async () => {
  test = await openService({ SVC_EMBEDDING: 'none' });
  const concepts = [
    { name: 'Harbour log', description },
    { name: 'Celadon', description: `A green glaze. ${'x'.repeat(3900)}` },
  ];
  expect((await test.post('/v1/ingest/structured', { domain: 'quay', source: 'log', concepts })).status).toBe(200);
});
afterAll(() => test?.close());

it('shows of a long description what fits the question, says which part it is, and all of it to who explores the item', async () => {
  const { body } = await test.post('/v1/query', {
    context: 'Who broke the celadon bowl of Sorvik?',
    domains: ['quay'],
  });
  const items = body.items as Array<{ id: string; content: string; metadata: { excerpt?: object } }>;
  const long = items.find(({ content }) => content.startsWith('Harbour log: …'))!;
  expect(long.content).toContain(said);
  expect(long.content.length).toBeLessThan(4100);
  const { start, end, length } = long.metadata.excerpt as { start: number; end: number; length: number };
  expect(long.content).toBe(`Harbour log: …${description.slice(start, end)}…`);
  expect([start > before.length - 100, length]).toEqual([true, description.length]);
  const explored = await test.post('/v1/explore', { node_id: long.id });
  expect(explored.body.node.description).toBe(description);

  const short = items.find(({ content }) => content.startsWith('Celadon: '))!;
  expect([short.content.length > 3900, short.metadata.excerpt]).toEqual([true, undefined]);
});

it('shows the beginning where no word of the question is in the description', async () => {
  const { body } = await test.post('/v1/query', { context: 'Harbour log', domains: ['quay'], top_k: 1 });
  expect(body.items[0].metadata.excerpt).toEqual({ start: 0, end: 4000, length: description.length });
  expect(body.items[0].content).toBe(`Harbour log: ${description.slice(0, 4000)}…`);
});

it('shows a whole part of a description whose words are at its end, and divides no character there', async () => {
  for (const [name, pad] of [
    ['Lamp', ''],
    ['Lantern', 'x'],
  ] as const) {
    const text = `${pad}${`😀${FILL}`.repeat(700)}${'😀'.repeat(2000)} Only the lamp of Brenna is green.`;
    const concepts = [{ name, description: text }];
    const written = await test.post('/v1/ingest/structured', { domain: name, source: name, concepts });
    expect([written.status, written.body.error]).toEqual([200, undefined]);
    const { body } = await test.post('/v1/query', { context: 'lamp of Brenna green', domains: [name] });
    const [item] = body.items as Array<{ content: string; metadata: { excerpt: Excerpt } }>;
    const { start, end, length } = item!.metadata.excerpt;
    expect([end, length]).toEqual([text.length, text.length]);
    expect(end - start).toBeGreaterThanOrEqual(3999);
    expect(item!.content).toBe(`${name}: …${text.slice(start)}`);
    expect(item!.content).not.toMatch(/[\uD800-\uDFFF]/u);
  }
});

it('shows the beginning of a long description of a neighbour, and all of that of the node which is explored', async () => {
  const long = `${'x'.repeat(3999)}😀${'y'.repeat(9000)}`;
  const concepts = ['Mast', 'Sail'].map((name) => ({ name, description: `${long}${name}` }));
  concepts.push({ name: 'Rope', description: 'z'.repeat(4000) });
  const edges = ['Sail', 'Rope'].map((target) => ({ source: 'Mast', target, relation: 'uses' }));
  await test.post('/v1/ingest/structured', { domain: 'rig', source: 'rig', concepts, edges });
  const explore = async (id: string) => (await test.post('/v1/explore', { node_id: id })).body;
  const { node, neighbors } = await explore(conceptId('rig', 'Mast'));
  expect([node.description, node.excerpt]).toEqual([`${long}Mast`, undefined]);
  const [rope, sail] = ['Rope', 'Sail'].map((name) => neighbors.find((one: { name: string }) => one.name === name));
  expect([rope.description, rope.excerpt]).toEqual(['z'.repeat(4000), undefined]);
  expect([sail.description, sail.excerpt]).toEqual([
    `${long.slice(0, 3999)}…`,
    { start: 0, end: 3999, length: long.length + 4 },
  ]);
  expect((await explore(sail.id)).node.description).toBe(`${long}Sail`);
});
