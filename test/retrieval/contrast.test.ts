import { expect, jest, test } from '@jest/globals';
import { packSentences, SentenceQuery } from '../../src/backends/embedding/int8.js';
import { MemoryVectors } from '../../src/backends/vector/memory.js';
import type { RetrievalParts } from '../../src/retrieval/collaborators.js';
import { documentContrasts } from '../../src/retrieval/expand/contrast.js';
import { Evidence } from '../../src/retrieval/expand/evidence.js';
import { longestTurn } from '../support/longest-turn.js';
import { node, question } from './literals.js';

/** Directions: the thing that all speak of, what is asked of it, and other things. */
const [THING, ASKED] = [0, 1];

/** Returns a unit vector of some parts of these directions. */
function unit(parts: Readonly<Record<number, number>>): Float32Array {
  const vector = new Float32Array(32);
  for (const [at, part] of Object.entries(parts)) vector[Number(at)] = part;
  const length = Math.hypot(...vector);
  return vector.map((part) => part / length);
}

function partsOf(packed: ReadonlyMap<string, Uint8Array>, vectors: MemoryVectors): RetrievalParts {
  return {
    vectors,
    indexName: 'i',
    sentences: async () => packed,
    text: { score: async () => new Map() },
    ranker: { direct: { cosine: 1, sentence: 1, text: 0, named: 0 } },
  } as unknown as RetrievalParts;
}

/** Returns the contrasts of items by their sentences; an item of one vector has none and is in the index. */
async function contrastsOf(items: Readonly<Record<string, readonly Float32Array[]>>): Promise<Map<string, number>> {
  const vectors = new MemoryVectors();
  await vectors.connect();
  await vectors.createIndex('i', { dimension: 32 });
  const whole = Object.entries(items).flatMap(([id, [vector, ...others]]) =>
    others.length === 0 ? [{ id, vector: vector! }] : [],
  );
  await vectors.upsert('i', whole);
  const packed = new Map(
    Object.entries(items).flatMap(([id, own]) => (own.length > 1 ? [[id, packSentences(own)] as const] : [])),
  );
  const parts = partsOf(packed, vectors);
  const asked = question({ vector: unit({ [THING]: 1, [ASKED]: 1 }) });
  const evidence = new Evidence(parts, asked, undefined);
  await evidence.gather(Object.keys(items));
  return documentContrasts(
    parts,
    Object.keys(items).map((id) => node(id)),
    { question: asked.vector, evidence },
  );
}

const others = (from: number, count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`other-${i}`, [unit({ [THING]: 2, [from + i]: 1 }), unit({ 31: 1 })]]),
  );

test('what an item says of the thing that all speak of counts more than the thing', async () => {
  const found = await contrastsOf({
    ...others(5, 12),
    right: [unit({ [THING]: 1, [ASKED]: 0.6, 2: 0.6 }), unit({ 3: 1 })],
    // As near to the question as the right item, by the thing alone.
    thing: [unit({ [THING]: 2.3, 4: 0.5 }), unit({ 3: 1 })],
  });
  expect(found.get('right')).toBeGreaterThan(0.5);
  expect(found.get('thing')).toBeLessThan(0.2);
});

test('an item without sentences is compared by its whole text', async () => {
  const found = await contrastsOf({ ...others(5, 12), right: [unit({ [THING]: 1, [ASKED]: 0.6, 2: 0.6 })] });
  expect(found.get('right')).toBeGreaterThan(0.5);
});

test('copies of a sentence do not hide what it says', async () => {
  const right = [unit({ [THING]: 1, [ASKED]: 0.6, 2: 0.6 }), unit({ 3: 1 })];
  const copies = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`copy-${i}`, right]));
  const once = await contrastsOf({ ...others(5, 12), right });
  const often = await contrastsOf({ ...others(5, 12), right, ...copies });
  expect(often.get('right')).toBeCloseTo(once.get('right')!, 5);
});

test('copies of whole texts do not hide what the items behind them have in common, and take few reads', async () => {
  const thing = unit({ [THING]: 2.3, 4: 0.5 });
  const right = [unit({ [THING]: 1, [ASKED]: 0.6, 2: 0.6 })];
  const copies = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`copy-${i}`, [thing]]));
  const whole = Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`other-${i}`, [unit({ [THING]: 2, [5 + i]: 1 })]]),
  );
  const once = await contrastsOf({ ...whole, right, ...copies(1) });
  const reads = jest.spyOn(MemoryVectors.prototype, 'fetch');
  const often = await contrastsOf({ ...whole, right, ...copies(300) });
  expect(reads.mock.calls.length).toBeLessThanOrEqual(4);
  reads.mockRestore();
  expect(often.get('right')).toBeCloseTo(once.get('right')!, 5);
  expect(often.get('copy-299')).toBeCloseTo(once.get('copy-0')!, 5);
});

test('an only item, and items that have nothing to do with the question, keep a finite value', async () => {
  const alone = await contrastsOf({ right: [unit({ [THING]: 1, [ASKED]: 1 }), unit({ 3: 1 })] });
  expect(alone.get('right')).toBeGreaterThan(0.9);
  const unrelated = await contrastsOf({ a: [unit({ 9: 1 }), unit({ 10: 1 })], b: [unit({ 11: 1 })] });
  for (const value of unrelated.values()) expect(value).toBe(0);
});

test('copies of long items are compared while other work goes on', async () => {
  const asked = question({ vector: unit({ [THING]: 1, [ASKED]: 1 }) });
  const own = packSentences(Array.from({ length: 30 }, (_, i) => unit({ [THING]: 1, [2 + (i % 30)]: 1 })));
  const ids = Array.from({ length: 1000 }, (_, i) => `copy-${i}`);
  const vectors = new MemoryVectors();
  await vectors.connect();
  await vectors.createIndex('i', { dimension: 32 });
  const parts = partsOf(new Map(ids.map((id) => [id, own])), vectors);
  const evidence = new Evidence(parts, asked, undefined);
  const { scores } = SentenceQuery.prototype;
  const compared = jest.spyOn(SentenceQuery.prototype, 'scores');
  const longest = await longestTurn(async (step) => {
    compared.mockImplementation(function (this: SentenceQuery, packed) {
      step();
      return scores.call(this, packed);
    });
    await evidence.gather(ids);
    await documentContrasts(
      parts,
      ids.map((id) => node(id)),
      { question: asked.vector, evidence },
    );
  });
  compared.mockRestore();
  expect(longest).toBeGreaterThan(0);
  expect(longest).toBeLessThan(30);
});

test('without an embedding model there is none', async () => {
  const parts = { vectors: new MemoryVectors(), indexName: 'i' } as unknown as RetrievalParts;
  const none = question();
  const evidence = new Evidence(parts, none, undefined);
  expect(await documentContrasts(parts, [node('a')], { question: none.vector, evidence })).toEqual(new Map());
});
