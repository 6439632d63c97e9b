import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sharedStatic } from '../../src/backends/embedding/static/shared-static.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { PostingsTextIndex } from '../../src/backends/text/postings.js';
import { MemoryVectors } from '../../src/backends/vector/memory.js';
import { openDomainRankers } from '../../src/compose/learning.js';
import { configFile } from '../../src/config/files.js';
import { Ingest } from '../../src/ingest/ingest.js';
import { Credit } from '../../src/learning/credit/credit.js';
import { Feedback } from '../../src/learning/feedback/feedback.js';
import { Interoception } from '../../src/learning/feedback/interoception.js';
import { Retrieval } from '../../src/retrieval/retrieval.js';
import { modelRanker, parseRanker } from '../../src/retrieval/score/ranker.js';
import { ReferenceGraph } from '../contracts/graph/reference/reference-graph.js';

const CONCEPTS = [
  { id: 'cache', name: 'Cache', description: 'Keeps answers of the storage layer for a minute.' },
  { id: 'index', name: 'Index', description: 'Keeps answers of the storage layer sorted.' },
  { id: 'log', name: 'Log', description: 'Keeps writes of the storage layer in order.' },
];

let store: Store;
let graph: ReferenceGraph;
let text: PostingsTextIndex;
beforeEach(async () => {
  store = await openSqlite(':memory:');
  graph = new ReferenceGraph();
  text = new PostingsTextIndex(store);
  const vectors = new MemoryVectors();
  await Promise.all([graph.connect(), text.connect(), vectors.connect()]);
  const ports = { store, graph, text, vectors, embedding: null, indexName: 'none', clock: Date.now };
  await new Ingest(ports, { roots: [], maxBytes: 1e6 }).structured({
    domain: 'd',
    concepts: CONCEPTS,
    edges: [
      { source: 'Index', target: 'Log', relation: 'REQUIRES' },
      { source: 'Cache', target: 'Index', relation: 'SIMILAR_TO' },
    ],
    rules: [],
  });
});
afterEach(() => store.close());

/** A replica of the service: its own caches over the shared store. */
function replica({ enabled = true, credit = 0 } = {}) {
  const feedback = new Feedback(store, {
    clock: Date.now,
    interoception: { enabled },
    credit: credit > 0 ? new Credit(graph) : null,
  });
  const ranker = parseRanker(configFile('ranker.yaml'));
  const rankers = openDomainRankers(store, { clock: Date.now, model: () => null, ranker });
  const interoception = new Interoception(store, {
    clock: Date.now,
    interoception: { enabled },
    creditWeight: credit,
    rankers,
  });
  const retrieval = new Retrieval({
    graph,
    text,
    vectors: new MemoryVectors(),
    indexName: 'none',
    embedding: null,
    sentences: async () => new Map(),
    table: sharedStatic,
    adjustments: interoception,
    querylog: feedback,
    ranker,
  });
  const ask = (context: string) => retrieval.query({ context, domains: ['d'], top_k: 10 });
  return { feedback, interoception, rankers, ranker, ask };
}

const QUESTION = 'what keeps answers of the storage layer';

describe('feedback in ranking', () => {
  it('teaches a domain how to rank, from what the log kept of each answer', async () => {
    const { ask, feedback, interoception, rankers, ranker } = replica();
    for (const word of ['answers', 'writes', 'order', 'minute', 'sorted', 'layer']) {
      const { query_id, items } = await ask(`what keeps ${word} of the storage layer`);
      const outcomes = items.map(({ id }, place) => [id, place === items.length - 1 ? 'accepted' : 'rejected']);
      await feedback.record({ query_id, outcomes: Object.fromEntries(outcomes) });
    }
    expect(await rankers.refit()).toBe(1);
    await interoception.version();
    const learned = (await interoception.rankers()).get('d')!.document!;
    const { document } = modelRanker(ranker, null);
    expect(learned.weights).toHaveLength(document.weights.length);
    expect(learned.weights).not.toEqual(document.weights);
  });

  it('changes the very next answer, in every replica', async () => {
    const [one, two] = [replica(), replica()];
    const first = await one.ask(QUESTION);
    const last = first.items[first.items.length - 1]!;
    const before = (await two.ask(QUESTION)).items.find((item) => item.id === last.id)!.score;
    await one.feedback.record({ query_id: first.query_id, outcomes: { [last.id]: 'accepted' } });
    for (const service of [one, two]) {
      const item = (await service.ask(QUESTION)).items.find(({ id }) => id === last.id)!;
      expect(item.score).toBeGreaterThan(before);
    }
  });

  it('brings an accepted item to the front when it is repeated, and back after a reset', async () => {
    const service = replica();
    const first = await service.ask(QUESTION);
    const order = first.items.map((item) => item.id);
    expect(order.length).toBeGreaterThan(1);
    const last = order[order.length - 1]!;
    for (let round = 0; round < 10; round += 1) {
      const { query_id, items } = await service.ask(QUESTION);
      const outcomes = items.map(({ id }) => [id, id === last ? 'accepted' : 'rejected'] as const);
      await service.feedback.record({ query_id, outcomes: Object.fromEntries(outcomes) });
    }
    expect((await service.ask(QUESTION)).items[0]!.id).toBe(last);
    await service.interoception.reset();
    const again = await service.ask(QUESTION);
    expect(again.items.map((item) => [item.id, item.score])).toEqual(first.items.map((item) => [item.id, item.score]));
  });

  it('leaves an unrelated question alone', async () => {
    const service = replica();
    const other = 'writes in order';
    const before = await service.ask(other);
    const { query_id, items } = await service.ask(QUESTION);
    await service.feedback.record({ query_id, outcomes: { [items[0]!.id]: 'rejected' } });
    const priors = await service.interoception.itemPriors(
      other,
      null,
      before.items.map((item) => item.id),
    );
    expect(priors.size).toBe(0);
  });

  it('has no effect when interoception is off', async () => {
    const service = replica({ enabled: false });
    const first = await service.ask(QUESTION);
    await service.feedback.record({ query_id: first.query_id, outcomes: { [first.items[0]!.id]: 'rejected' } });
    const again = await service.ask(QUESTION);
    expect(again.items.map((item) => item.score)).toEqual(first.items.map((item) => item.score));
  });

  it('lifts the causes of what was accepted, with credit on', async () => {
    const service = replica({ enabled: false, credit: 0.2 });
    const { query_id, items } = await service.ask('writes in order log');
    const log = items.find((item) => item.content.startsWith('Log'))!;
    const score = async () =>
      (await service.ask(QUESTION)).items.find((item) => item.content.startsWith('Index'))!.score;
    const before = await score();
    const answer = await service.feedback.record({ query_id, outcomes: { [log.id]: 'accepted' } });
    expect(answer.credit).toEqual({ concept_count: 2, direct_count: 1, ancestor_count: 1 });
    expect(await score()).toBeGreaterThan(before);
  });
});
