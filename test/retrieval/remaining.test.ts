import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../../bench/retrieval/world.js';
import { sharedStatic } from '../../src/backends/embedding/static/shared-static.js';
import { SvcError } from '../../src/core/errors.js';
import { Retrieval } from '../../src/retrieval/retrieval.js';

const FILMS = `# The Silver Harbour

The Silver Harbour is a 1951 drama film about smugglers. It was directed by Imogen Tarrant and shot in Norway.

# Imogen Tarrant

Imogen Tarrant was a Scottish director. She was born in Aberdeen in 1904 and trained as a botanist.
`;
const question = 'Where was the director of The Silver Harbour born?';

let world: World;
beforeAll(async () => {
  world = await openWorld('static');
  await world.ingest.text({ text: FILMS, domain: 'films', format: 'markdown', name: 'films' });
});
afterAll(() => world.close());

describe('while the embedding model does not answer', () => {
  const fails = () => Promise.reject(new SvcError('unavailable', 'The embedding server refuses connections.'));
  const without = () => {
    const embedding = { ...world.parts.embedding!, embed: fails, embedSpanned: fails, health: fails };
    return new Retrieval({ ...world.parts, embedding });
  };
  const asked = { context: question, domains: ['films'], top_k: 3 };

  test('mode graph answers from text and graph with a warning, and mode vec fails', async () => {
    const { items, warnings } = await without().query({ ...asked, mode: 'graph' });
    expect(items.map(({ content }) => content.split(':')[0]).sort()).toEqual(['Imogen Tarrant', 'The Silver Harbour']);
    expect(warnings).toEqual([expect.stringContaining('embedding model')]);
    await expect(without().query({ ...asked, mode: 'vec' })).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('mode graph fails where the graph does not answer either', async () => {
    const graph = Object.assign(Object.create(world.parts.graph), { health: fails });
    const embedding = { ...world.parts.embedding!, embed: fails, embedSpanned: fails, health: fails };
    const retrieval = new Retrieval({ ...world.parts, graph, embedding });
    await expect(retrieval.query({ ...asked, mode: 'graph' })).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('a comparison shows why cosine failed beside what the graph found, and compares nothing', async () => {
    const { vec_only, graph_enhanced, diff, summary } = await without().compare(asked);
    expect(vec_only).toMatchObject({ items: [], failed: 'The embedding server refuses connections.' });
    expect(graph_enhanced).toMatchObject({ warnings: [expect.stringContaining('embedding model')] });
    expect(graph_enhanced.items).toHaveLength(2);
    expect(diff.graph_found_that_cosine_missed).toEqual([]);
    expect(summary).toContain('Cosine failed');
  });
});

describe('a query in mode auto while the embedding model', () => {
  const fails = () => Promise.reject(new SvcError('unavailable', 'The embedding server refuses connections.'));
  const ask = (remembers: (text: string) => boolean, health: () => Promise<void>) => {
    const model = world.parts.embedding!;
    const embed = (texts: readonly string[]) => (texts.every(remembers) ? model.embed(texts) : fails());
    const embedding = { ...model, embed, embedSpanned: fails, health };
    return new Retrieval({ ...world.parts, embedding }).query({ context: question, domains: ['films'], top_k: 3 });
  };

  test('does not answer and the vector of the question is remembered: answers whole, since nothing else is asked of it', async () => {
    const { items, warnings } = await ask((text) => text === question, fails);
    expect(items[0]!.content).toMatch(/^Imogen Tarrant/);
    expect(items.map(({ content }) => content.split(':')[0]).sort()).toEqual(['Imogen Tarrant', 'The Silver Harbour']);
    expect(warnings).toBeUndefined();
  });

  test('remembers the question, fails for all else and says that it is well: answers whole', async () => {
    const { items, warnings } = await ask(
      (text) => text === question,
      async () => undefined,
    );
    expect(items.map(({ content }) => content.split(':')[0]).sort()).toEqual(['Imogen Tarrant', 'The Silver Harbour']);
    expect(warnings).toBeUndefined();
  });

  test('answers others but not this question: answers from text and graph', async () => {
    const { warnings } = await ask(
      () => false,
      async () => undefined,
    );
    expect(warnings).toEqual([expect.stringContaining('embedding model')]);
  });

  test('answers: is asked for the vector of the question alone, though chains rewrite it', async () => {
    const model = world.parts.embedding!;
    const asked: string[] = [];
    const rewritten: string[] = [];
    const noting = (texts: readonly string[], into: string[]) => {
      into.push(...texts);
      return model.embed(texts);
    };
    const embedding = { ...model, embed: (texts: readonly string[]) => noting(texts, asked) };
    const table = () => ({
      ...sharedStatic(),
      embed: (texts: readonly string[]) => noting(texts, rewritten),
    });
    await new Retrieval({ ...world.parts, embedding, table }).query({
      context: question,
      domains: ['films'],
      top_k: 3,
    });
    expect(asked).toEqual([question]);
    expect(rewritten).toContain('Where was Imogen Tarrant born?');
  });
});
