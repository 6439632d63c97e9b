import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Store } from '../../src/backends/store/scope.js';
import { Ingest } from '../../src/ingest/ingest.js';
import { type EachEnvironment, openService, type TestService } from './harness.js';

/** Messages of a session keep their places, whoever writes or forgets beside them. */
export function sessionsSuite(name: string, environment: EachEnvironment): void {
  describe(`sessions on ${name}`, () => {
    let test: TestService;
    let sessions = 0;
    beforeAll(async () => {
      test = await openService(environment);
    });
    afterAll(() => test.close());

    const fresh = () => {
      sessions += 1;
      const session = { session_id: `s${sessions}`, role: 'user', domain: `chat${sessions}` };
      return (text: string, message_id?: string) => ({
        ...session,
        text,
        ...(message_id === undefined ? {} : { message_id }),
      });
    };
    const say = async (message: object) => {
      const { status, body } = await test.post('/v1/ingest/message', message);
      expect([status, body.error]).toEqual([200, undefined]);
      return body;
    };
    const textsOf = async (source: string) => {
      const passages = await test.service.graph.sourcePassages(source);
      return passages.map((passage) => passage.text).sort();
    };
    /** Ingests a message; between taking its turn and writing it `meanwhile` happens. */
    const interrupted = async (message: ReturnType<ReturnType<typeof fresh>>, meanwhile: () => Promise<unknown>) => {
      const { ports } = test.service.ingest;
      let writes = 0;
      const write: Store['write'] = async (...given) => {
        const result = await ports.store.write(...given);
        writes += 1;
        if (writes === 1) await meanwhile();
        return result;
      };
      const store: Store = new Proxy(ports.store, {
        get: (target, member) => (member === 'write' ? write : Reflect.get(target, member, target)),
      });
      const ingest = new Ingest({ ...ports, store }, { roots: [], maxBytes: 1000 });
      return ingest.message(message);
    };

    for (const [kind, id] of [
      ['with ids', (i: number) => `m${i}`],
      ['without ids', () => undefined],
    ] as const) {
      it(`keep all of six messages at once, ${kind}`, async () => {
        const message = fresh();
        const texts = Array.from({ length: 6 }, (_, i) => `Number ${i} is on the line.`);
        const answers = await Promise.all(texts.map((text, i) => say(message(text, id(i)))));
        expect(await textsOf(answers[0]!.source_id)).toEqual(texts);
        const nodes = await test.service.graph.findNodes({ domain: message('').domain, kind: 'passage' });
        expect(nodes.map((node) => node.passage?.message?.turn).sort()).toEqual([0, 1, 2, 3, 4, 5]);
      });

      it(`keep a message while their session is forgotten and continued, ${kind}`, async () => {
        const message = fresh();
        const { source_id } = await say(message('Zero.', id(0)));
        const late = await interrupted(message('One.', id(1)), async () => {
          await test.delete(`/v1/documents/${source_id}`);
          await say(message('Two.', id(2)));
          await say(message('Three.', id(3)));
        });
        expect(late.source_id).toBe(source_id);
        expect(await textsOf(source_id)).toEqual(['One.', 'Three.', 'Two.']);
        await say(message('Four.', id(4)));
        expect(await textsOf(source_id)).toEqual(['Four.', 'One.', 'Three.', 'Two.']);
      });

      it(`keep a message while their domain is forgotten, and the ones after it, ${kind}`, async () => {
        const message = fresh();
        const { source_id, domain } = await say(message('Zero.', id(0)));
        await interrupted(message('One.', id(1)), () => test.delete(`/v1/domains/${domain}`));
        expect(await textsOf(source_id)).toEqual(['One.']);
        await say(message('Two.', id(2)));
        await say(message('Three.', id(3)));
        expect(await textsOf(source_id)).toEqual(['One.', 'Three.', 'Two.']);
      });
    }

    it('hold the new text of an edited message and nothing of the old one', async () => {
      const message = fresh();
      const sentence = (word: string, i: number) =>
        `The ${word} number ${i} stands in the long corridor by the window.`;
      const long = (word: string) => Array.from({ length: 120 }, (_, i) => sentence(word, i)).join(' ');
      await say(message('Before.', 'm0'));
      const first = await say(message(long('Cabinet'), 'm1'));
      expect(first.chunks).toBeGreaterThan(6);
      await say(message('After.', 'm2'));
      const old = (await test.service.graph.sourcePassages(first.source_id)).map((passage) => passage.id);
      const { chunks } = await say(message('The armchair is red.', 'm1'));
      expect(chunks).toBe(1);
      expect(await textsOf(first.source_id)).toEqual(['After.', 'Before.', 'The armchair is red.']);
      const now = await test.service.graph.sourcePassages(first.source_id);
      const left = now.map((passage) => passage.id);
      expect(old).toHaveLength(first.chunks + 2);
      const { text, vectors, store } = test.service.ingest.ports;
      const { indexName } = await test.service.concepts.current();
      const { domain } = message('');
      expect(await text.count(domain)).toBe(3);
      const { hits } = await text.search('cabinet corridor armchair', { domains: [domain], topK: 100 });
      expect(hits.map((hit) => hit.id)).toEqual([now.find((passage) => passage.text.startsWith('The armchair'))?.id]);
      const entries = await vectors.get(indexName, old);
      expect(entries.map((entry) => entry.id).sort()).toEqual([...left].sort());
      const rows = await store.db.selectFrom('sentence_vector').select('id').where('id', 'in', old).execute();
      expect(rows.map((row) => row.id).sort()).toEqual([...left].sort());
      const again = await say(message(long('Wardrobe'), 'm1'));
      expect(again.passages).toBe(again.chunks + 2);
    });

    it('answer counts of what exists now', async () => {
      const message = fresh();
      await say(message('Ada Lovelace met Charles Babbage in London.', 'm0'));
      const second = await say(message('Grace Hopper wrote to Howard Aiken at Harvard.', 'm1'));
      const { body } = await test.get(`/v1/documents?domain=${second.domain}`);
      expect(body.documents).toMatchObject([{ concepts: second.concepts, passages: 2 }]);
      const again = await say(message('Grace Hopper wrote to Howard Aiken at Harvard.', 'm1'));
      expect(again).toMatchObject({ unchanged: true, concepts: second.concepts, passages: 2 });
    });
  });
}
