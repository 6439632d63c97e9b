import { expect, test } from '@jest/globals';
import type { SpannedText } from '../../src/backends/embedding/port.js';
import { sharedStatic } from '../../src/backends/embedding/static/shared-static.js';
import type { GraphNode } from '../../src/core/model.js';
import { TableQuery, tableVectors } from '../../src/retrieval/chains/table-vectors.js';
import { node } from './literals.js';

/** Returns the parts over these nodes, and the texts that the table was asked for. */
function over(nodes: readonly GraphNode[]) {
  const texts: SpannedText[] = [];
  const byId = new Map(nodes.map((one) => [one.id, one]));
  const parts = {
    graph: { getNodes: async (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? []) },
    table: () => ({
      ...sharedStatic(),
      embedSpanned: (given: readonly SpannedText[]) => {
        texts.push(...given);
        return sharedStatic().embedSpanned(given);
      },
    }),
  } as unknown as Parameters<typeof tableVectors>[0];
  return { parts, texts };
}

function passage(id: string, sentences: readonly string[]): GraphNode {
  const text = sentences.join(' ');
  let at = 0;
  const spans = sentences.map((sentence) => {
    const start = text.indexOf(sentence, at);
    at = start + sentence.length;
    return [start, at] as const;
  });
  return {
    ...node(id),
    kind: 'passage',
    name: 'Ferry',
    description: text,
    passage: { sentences: spans, about: [], order: 0, mentions: [] },
  } as unknown as GraphNode;
}

test('an item is summed once, and the sentence that is asked for matches best', async () => {
  const { parts, texts } = over([passage('d:a', ['The ferry leaves at noon.', 'Dogs travel free of charge.'])]);
  const vectors = await tableVectors(parts, ['d:a', 'd:gone']);
  expect([...vectors.keys()]).toEqual(['d:a']);
  const query = new TableQuery((await sharedStatic().embed(['Do dogs travel free?']))[0]!);
  const [ferry, dogs] = query.sentencesOf(vectors.get('d:a')!);
  expect(dogs).toBeGreaterThan(ferry!);
  expect(query.similarity(vectors.get('d:a')!)).toBeGreaterThan(dogs!);
  expect(await tableVectors(parts, ['d:a'])).toEqual(vectors);
  expect(texts.map(({ text }) => text)).toEqual(['Ferry\nThe ferry leaves at noon. Dogs travel free of charge.']);
});

test('an item of very many sentences is not kept, and no more than its beginning is summed', async () => {
  const { parts, texts } = over([
    passage(
      'd:long',
      Array.from({ length: 2000 }, (_, i) => `Stop ${i} is by the sea.`),
    ),
  ]);
  const once = await tableVectors(parts, ['d:long']);
  expect(await tableVectors(parts, ['d:long'])).toEqual(once);
  expect(texts).toHaveLength(2);
  expect(texts[0]!.text).toHaveLength(8192);
  const last = texts[0]!.spans.at(-1)!;
  expect(texts[0]!.text.slice(...last)).toMatch(/^Stop \d+ is by the sea\.$/);
});
