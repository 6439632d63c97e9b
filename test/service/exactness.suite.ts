import { describe, expect, it } from '@jest/globals';
import { type DOCUMENTS, type EachEnvironment, reachText, snapshot, type TestService, withService } from './harness.js';

const QUESTIONS = [
  'Where was the designer of the Aldra Tower born?',
  'fishing boats',
  'Northern Reach island harbour',
  'engineer',
];

/** Order, parallelism and forgetting leave no trace. */
export function exactnessSuite(name: string, environment: EachEnvironment): void {
  const ingest = (test: TestService, key: keyof typeof DOCUMENTS) => test.post('/v1/ingest/text', reachText(key));
  const answers = async (test: TestService) => {
    const all: unknown[] = [];
    for (const context of QUESTIONS) {
      const { body } = await test.post('/v1/query', { context, domains: ['reach'], mode: 'graph' });
      all.push(body.items);
    }
    return all;
  };
  describe(`exactness on ${name}`, () => {
    it('forgets a document as if it had never come: ids, counts, links, answers', async () => {
      const alone = await withService(environment, async (test) => {
        await ingest(test, 'island');
        await ingest(test, 'voss');
        return { graph: await snapshot(test, 'reach'), answers: await answers(test) };
      });
      const forgotten = await withService(environment, async (test) => {
        await ingest(test, 'island');
        const { body } = await ingest(test, 'tower');
        await ingest(test, 'voss');
        await test.delete(`/v1/documents/${body.source_id}`);
        return { graph: await snapshot(test, 'reach'), answers: await answers(test) };
      });
      expect(forgotten).toEqual(alone);
    });

    it('ends in the same graph whatever the order of the documents', async () => {
      const inOrder = (keys: ReadonlyArray<keyof typeof DOCUMENTS>) =>
        withService(environment, async (test) => {
          for (const key of keys) await ingest(test, key);
          return { graph: await snapshot(test, 'reach'), answers: await answers(test) };
        });
      expect(await inOrder(['voss', 'island', 'tower'])).toEqual(await inOrder(['tower', 'island', 'voss']));
    });

    it('keeps all of fifty parallel ingests into one domain, as if they had come one by one', async () => {
      const batch = (i: number) => ({
        domain: 'plant',
        source_id: `batch-${i}`,
        concepts: [
          { name: `Part ${i}`, description: `Part number ${i}`, confidence: 0.5 + (i % 5) / 10 },
          { name: 'Shared', description: 'The part that all need', confidence: (i % 10) / 10 },
        ],
        edges: [
          { source: `Part ${i}`, target: 'Shared', relation: 'requires', confidence: 0.9 },
          { source: `Part ${i}`, target: `Part ${(i + 1) % 50}`, relation: 'part_of' },
        ],
        rules: [{ text: `Check Part ${i} weekly.` }],
      });
      const numbers = Array.from({ length: 50 }, (_, i) => i);
      const parallel = await withService(environment, async (test) => {
        const all = await Promise.all(numbers.map((i) => test.post('/v1/ingest/structured', batch(i))));
        expect(all.every((answer) => answer.status === 200)).toBe(true);
        return snapshot(test, 'plant');
      });
      const serial = await withService(environment, async (test) => {
        for (const i of numbers) await test.post('/v1/ingest/structured', batch(i));
        return snapshot(test, 'plant');
      });
      // All say the same of what they share, so which write came last shows nowhere.
      expect(parallel).toEqual(serial);
      expect(parallel.edges).toHaveLength(100);
    });
  });
}
