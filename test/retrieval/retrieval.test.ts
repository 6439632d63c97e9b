import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { SvcError } from '../../src/core/errors.js';
import type { QueryRecord } from '../../src/learning/feedback/adjustments.js';
import { noAdjustments } from '../../src/retrieval/collaborators.js';
import { mentionId } from '../../src/retrieval/expand/link-ids.js';
import { MODES } from '../../src/retrieval/modes.js';
import { Retrieval } from '../../src/retrieval/retrieval.js';

const FILMS = `# The Silver Harbour

The Silver Harbour is a 1951 drama film about smugglers. It was directed by Imogen Tarrant and shot in Norway.

# Imogen Tarrant

Imogen Tarrant was a Scottish director. She was born in Aberdeen in 1904 and trained as a botanist.

# Copper Lanterns

Copper Lanterns is a novel about miners in Wales, published in 1933 by a small press in Cardiff.

# Botany of the North

Botany of the North is a handbook of mosses and lichens that grow beyond the Arctic circle.

# Smuggling

Smuggling is the secret transport of goods past customs, often by night and by sea.
`;

let world: World;
const question = 'Where was the director of The Silver Harbour born?';

beforeAll(async () => {
  world = await openWorld('static');
  await world.ingest.text({ text: FILMS, domain: 'films', format: 'markdown', name: 'films' });
  await world.ingest.structured({
    domain: 'services',
    concepts: [
      { name: 'Billing', description: 'Charges customers once a month.' },
      { name: 'Ledger', description: 'Keeps every booking for ten years.' },
      { name: 'Clock', description: 'Tells the time to whoever asks.' },
      { name: 'Quarry' },
    ],
    edges: [{ source: 'Billing', target: 'Ledger', relation: 'requires' }],
    rules: [{ text: 'Never change the Ledger by hand.', category: 'safety' }],
  });
  await world.ingest.structured({
    domain: 'unlinked',
    concepts: [{ name: 'Pebble', description: 'A small round stone.' }],
  });
});

afterAll(() => world.close());

/** Returns the two passages that the question needs; both must be there, in either order. */
function evidence<T extends { readonly content: string }>(items: readonly T[]): { film: T; director: T } {
  const of = (name: string): T | undefined => items.find(({ content }) => content.startsWith(`${name}:`));
  const film = of('The Silver Harbour');
  const director = of('Imogen Tarrant');
  if (film === undefined || director === undefined) throw new Error(items.map(({ content }) => content).join('\n'));
  return { film, director };
}

describe('a query', () => {
  test('finds the passage that answers over a link, and says how', async () => {
    const { items } = await world.retrieval.query({ context: question, domains: ['films'], top_k: 5, mode: 'graph' });
    const { film, director } = evidence(items.slice(0, 2));
    expect(film.metadata.why).toMatchObject({ named: ['The Silver Harbour'] });
    expect(director.metadata.why).toMatchObject({
      path: { from: film.id, name: 'The Silver Harbour', via: 'mention' },
    });
    expect(director.metadata.kg_coverage).toBeGreaterThan(0.2);
  });

  test('says of passages and concepts alike which source they come from', async () => {
    await world.ingest.structured({
      domain: 'priced',
      source_id: 'price-list',
      concepts: [{ name: 'Anvil', description: 'A block of iron that costs ninety pounds.' }],
    });
    const { items } = await world.retrieval.query({ context: 'Anvil', domains: ['priced'], top_k: 1 });
    expect(items[0]!.metadata).toMatchObject({
      source: 'price-list',
      source_id: expect.stringMatching(/^[0-9a-f]{20}$/),
    });
    const films = await world.retrieval.query({ context: question, domains: ['films'], top_k: 1 });
    expect(films.items[0]!.metadata.source).toBe('films');
  });

  test('returns items in the shape of the specification, best first, scores in 0..1', async () => {
    const { items, query_id } = await world.retrieval.query({ context: question, top_k: 20 });
    expect(query_id).toMatch(/\S/);
    expect(items.length).toBeGreaterThan(5);
    for (const item of items) {
      expect(item.node_id).toBe(item.id);
      expect(item.id.startsWith(`${item.domain}:`)).toBe(true);
      expect(item.content.startsWith(item.metadata.name as string)).toBe(true);
      expect(Object.keys(item.metadata)).toEqual(
        expect.arrayContaining(['vec_score', 'text_score', 'ppr_score', 'kg_coverage', 'source', 'kind', 'why']),
      );
      for (const name of ['vec_score', 'text_score', 'ppr_score', 'kg_coverage']) {
        expect(item.metadata[name]).toBeGreaterThanOrEqual(0);
        expect(item.metadata[name]).toBeLessThanOrEqual(1);
      }
      expect(item.score).toBeGreaterThanOrEqual(0);
      expect(item.score).toBeLessThanOrEqual(1);
    }
    const scores = items.map((item) => item.score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  test('is answered the same way every time', async () => {
    const ask = async () => (await world.retrieval.query({ context: question, top_k: 20 })).items;
    expect(await ask()).toEqual(await ask());
  });

  test('never returns a bare name found in text', async () => {
    const { items } = await world.retrieval.query({ context: 'Norway Aberdeen Wales', top_k: 50, mode: 'graph' });
    expect(new Set(items.map((item) => item.metadata.kind))).not.toContain('entity');
  });

  test('follows typed edges and brings the rules that touch what it found', async () => {
    const { items, rules } = await world.retrieval.query({
      context: 'What does Billing require?',
      domains: ['services'],
      top_k: 4,
      mode: 'graph',
    });
    const [billing, ledger] = ['Billing: Charges', 'Ledger: Keeps'].map(
      (start) => items.slice(0, 2).find(({ content }) => content.startsWith(start))!,
    );
    expect(ledger!.metadata.why).toMatchObject({ path: { from: billing!.id, via: 'REQUIRES' } });
    expect(rules.map((rule) => rule.derivation)).toEqual(expect.arrayContaining(['explicit', 'derived']));
    const score = new Map(items.map((item) => [item.id, item.score]));
    for (const rule of rules) {
      expect(rule.relevance).toBe(Math.max(...rule.source_concepts.map((id) => score.get(id) ?? 0)));
    }
    const keys = rules.map((rule) => [-rule.relevance, rule.id] as const);
    expect(keys).toEqual([...keys].sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1)));
  });

  test('finds a concept that is only a name; its content is the name', async () => {
    const { items } = await world.retrieval.query({ context: 'Quarry', domains: ['services'], top_k: 1 });
    expect(items[0]!.content).toBe('Quarry');
  });

  test('leaves out what scores below min_confidence', async () => {
    const all = (await world.retrieval.query({ context: question, top_k: 20 })).items;
    const least = all[1]!.score;
    const some = (await world.retrieval.query({ context: question, top_k: 20, min_confidence: least })).items;
    expect(some).toEqual(all.filter((item) => item.score >= least));
    expect(some.length).toBeLessThan(all.length);
  });

  test('names the domain that does not exist', async () => {
    await expect(
      world.retrieval.query({ context: 'x', domains: ['films', 'nowhere'], top_k: 5 }),
    ).rejects.toMatchObject({
      code: 'domain_not_found',
      message: expect.stringContaining('nowhere'),
    });
  });

  test('in mode vec orders by cosine alone', async () => {
    const { items, rules } = await world.retrieval.query({
      context: question,
      domains: ['films'],
      top_k: 5,
      mode: 'vec',
    });
    const cosines = items.map((item) => item.metadata.vec_score as number);
    expect(cosines).toEqual([...cosines].sort((a, b) => b - a));
    expect(items.every((item) => item.metadata.kg_coverage === 0)).toBe(true);
    expect(rules).toEqual([]);
  });

  test('in mode auto uses the graph exactly where there is one', async () => {
    const [films, unlinked] = await Promise.all([
      MODES.auto(world.parts, ['films']),
      MODES.auto(world.parts, ['unlinked']),
    ]);
    expect(films).toBe(await MODES.graph(world.parts, ['films']));
    expect(unlinked).not.toBe(films);
    const { items } = await world.retrieval.query({ context: 'round stone', domains: ['unlinked'], top_k: 5 });
    expect(items).toHaveLength(1);
    expect(items[0]!.metadata.kg_coverage).toBe(0);
  });
});

describe('a query while the embedding model does not answer', () => {
  const dead = {
    name: 'static',
    dimension: 256,
    embed: () => Promise.reject(new SvcError('unavailable', 'The embedding server refuses connections.')),
    embedSpanned: () => Promise.reject(new SvcError('unavailable', 'The embedding server refuses connections.')),
    health: () => Promise.reject(new SvcError('unavailable', 'The embedding server refuses connections.')),
    close: async () => undefined,
  };
  const ask = (mode: 'auto' | 'vec' | 'graph') =>
    new Retrieval({ ...world.parts, embedding: dead }).query({ context: question, domains: ['films'], top_k: 3, mode });

  test.each(['auto', 'graph'] as const)('is answered from text and graph in mode %s, with a warning', async (mode) => {
    const { items, warnings } = await ask(mode);
    evidence(items.slice(0, 2));
    expect(warnings).toEqual([expect.stringContaining('embedding model')]);
  });

  test('fails in mode vec', async () => {
    await expect(ask('vec')).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('has no warnings while it answers', async () => {
    const answer = await world.retrieval.query({ context: question, domains: ['films'], top_k: 3 });
    expect(answer).not.toHaveProperty('warnings');
  });
});

describe('what a query leaves behind', () => {
  test('is one record with items in order and the edges that brought them up', async () => {
    const records: QueryRecord[] = [];
    const retrieval = new Retrieval({
      ...world.parts,
      querylog: { recordQuery: async (record) => void records.push(record) },
    });
    const { query_id, items } = await retrieval.query({ context: question, domains: ['films'], top_k: 3 });
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ query_id, text: question, domains: ['films'], mode: 'auto', model: 'static' });
    expect(records[0]!.items.map((item) => item.id)).toEqual(items.map((item) => item.id));
    expect(records[0]!.vector).toHaveLength(256);
    const { film, director } = evidence(items.slice(0, 2));
    const link = records[0]!.items.find(({ id }) => id === director.id)!.edges![0]!;
    expect(link.id).toBe(`${film.id}|LINKS_TO|${director.id}`);
    expect(link.share).toBeGreaterThan(0.3);
    expect(link.share).toBeLessThanOrEqual(1);
  });

  test('comparing leaves nothing', async () => {
    const records: QueryRecord[] = [];
    const querylog = { recordQuery: async (record: QueryRecord) => void records.push(record) };
    const retrieval = new Retrieval({ ...world.parts, querylog });
    const result = await retrieval.compare({ context: question, domains: ['films'], top_k: 2 });
    expect(result.query).toBe(question);
    expect(result.graph_enhanced.items).toHaveLength(2);
    expect(records).toEqual([]);
  });
});

describe('feedback', () => {
  test('moves items by their prior and paths by their factors', async () => {
    const before = (await world.retrieval.query({ context: question, domains: ['films'], top_k: 5 })).items;
    const last = before.at(-1)!;
    const { film, director } = evidence(before.slice(0, 2));
    const retrieval = new Retrieval({
      ...world.parts,
      adjustments: {
        version: async () => 7,
        edgeFactors: async () =>
          new Map([
            [`${film.id}|LINKS_TO|${director.id}`, 0.5],
            [mentionId('a', 'b'), 2],
          ]),
        itemPriors: async (_, vector, ids) =>
          vector === null ? new Map() : new Map(ids.includes(last.id) ? [[last.id, 9]] : []),
        rankers: async () => new Map(),
      },
    });
    const after = (await retrieval.query({ context: question, domains: ['films'], top_k: 5 })).items;
    expect(after[0]!.id).toBe(last.id);
    const second = after.find((item) => item.id === director.id)!;
    expect(second.score).toBeLessThan(director.score);
    world.parts.graph.setEdgeFactors(new Map());
  });

  test('factors are handed to the graph once a version', async () => {
    let calls = 0;
    const retrieval = new Retrieval({
      ...world.parts,
      adjustments: {
        ...noAdjustments,
        edgeFactors: async () => {
          calls += 1;
          return new Map();
        },
      },
    });
    await retrieval.query({ context: question, top_k: 1 });
    await retrieval.query({ context: question, top_k: 1 });
    expect(calls).toBe(1);
  });
});
