import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EachEnvironment, openService, type TestService } from './harness.js';

const QUESTION = 'When does the Skarn ferry leave the harbour?';
const WRONG = 'The Skarn ferry leaves the harbour at nine in the evening.';
const RIGHT = 'The Skarn ferry leaves the harbour at seven in the morning.';

/** A rating of a text counts while that text is there. */
export function ratingsSuite(name: string, environment: EachEnvironment): void {
  describe(`ratings of texts on ${name}`, () => {
    let test: TestService;
    let domains = 0;
    beforeAll(async () => {
      test = await openService(environment);
    });
    afterAll(() => test.close());

    const fresh = () => {
      domains += 1;
      return `d${domains}`;
    };
    const post = async (path: string, given: object) => {
      const { status, body } = await test.post(path, given);
      expect([status, body.error]).toEqual([200, undefined]);
      return body;
    };
    const ingest = (domain: string, text: string) => post('/v1/ingest/text', { domain, text, name: 'ferry' });
    const ask = async (domain: string) => {
      const { query_id, items } = await post('/v1/query', { context: QUESTION, domains: [domain] });
      const found = items.filter(({ content }: { content: string }) =>
        [WRONG, RIGHT].some((text) => content === `ferry: ${text}`),
      );
      expect(found).toHaveLength(1);
      return { query_id, id: found[0].id as string, score: found[0].score as number };
    };
    const rate = async (domain: string, outcome: string, times: number) => {
      for (let time = 0; time < times; time += 1) {
        const { query_id, id } = await ask(domain);
        await post('/v1/feedback', { query_id, outcomes: { [id]: outcome } });
      }
    };
    /** What a domain with this text alone answers when nothing was rated. */
    const unrated = async (text: string) => {
      const domain = fresh();
      await ingest(domain, text);
      return (await ask(domain)).score;
    };

    it('do not count for the text that takes its place, and count again with the old one', async () => {
      const domain = fresh();
      await ingest(domain, WRONG);
      const first = await ask(domain);
      await rate(domain, 'rejected', 3);
      const rejected = await ask(domain);
      expect(rejected.score).toBeLessThan(first.score);
      await ingest(domain, RIGHT);
      const corrected = await ask(domain);
      expect(corrected.id).toBe(first.id);
      expect(corrected.score).toBeCloseTo(await unrated(RIGHT), 6);
      await ingest(domain, WRONG);
      expect((await ask(domain)).score).toBeCloseTo(rejected.score, 6);
    });

    it('are of the text that the query returned, however late they come', async () => {
      const domain = fresh();
      await ingest(domain, WRONG);
      const old = await ask(domain);
      await ingest(domain, RIGHT);
      await post('/v1/feedback', { query_id: old.query_id, outcomes: { [old.id]: 'rejected' } });
      const before = await unrated(RIGHT);
      expect((await ask(domain)).score).toBeCloseTo(before, 6);
      await rate(domain, 'accepted', 1);
      const accepted = (await ask(domain)).score;
      expect(accepted).toBeGreaterThan(before);
      await post('/v1/feedback', { query_id: old.query_id, outcomes: { [old.id]: 'rejected' }, source: 'late' });
      expect((await ask(domain)).score).toBeCloseTo(accepted, 6);
    });

    for (const [what, forget] of [
      ['source', (_: string, source: string) => test.delete(`/v1/documents/${source}`)],
      ['domain', (domain: string) => test.delete(`/v1/domains/${domain}`)],
    ] as const) {
      it(`are forgotten with their ${what}`, async () => {
        const domain = fresh();
        const { source_id } = await ingest(domain, WRONG);
        await rate(domain, 'rejected', 3);
        expect((await forget(domain, source_id)).status).toBe(200);
        await ingest(domain, WRONG);
        expect((await ask(domain)).score).toBeCloseTo(await unrated(WRONG), 6);
        await rate(domain, 'accepted', 1);
        const { db } = test.service.store;
        const ratings = await db.selectFrom('feedback').select('outcome').where('domain', '=', domain).execute();
        expect(ratings.map((row) => row.outcome)).toEqual(['accepted']);
      });
    }

    const reopenWithCredit = async () => {
      await test.close();
      test = await openService(async () => ({
        ...(typeof environment === 'function' ? await environment() : environment),
        SVC_CREDIT: 'on',
      }));
    };

    it('leave no factors, pairs or credit of nodes that were forgotten', async () => {
      await reopenWithCredit();
      const [kept, removed] = [fresh(), fresh()];
      for (const domain of [kept, removed]) {
        await post('/v1/ingest/structured', {
          domain,
          concepts: [
            { name: 'Ferry', description: WRONG },
            { name: 'Harbour', description: 'The harbour of Skarn is where the ferry lands and leaves.' },
          ],
          edges: [{ source: 'Ferry', target: 'Harbour', relation: 'REQUIRES' }],
        });
        const { query_id, items } = await post('/v1/query', { context: QUESTION, domains: [domain] });
        expect(items.length).toBeGreaterThan(1);
        const outcomes = Object.fromEntries(items.map(({ id }: { id: string }) => [id, 'accepted']));
        await post('/v1/feedback', { query_id, outcomes });
        const [first_id = '', second_id = ''] = Object.keys(outcomes).sort();
        const { store } = test.service;
        await store.write(({ db }) => {
          const pair = { first_id, second_id, domain, sightings: 1, similarity: 0.8, promoted_at: null, updated_at: 1 };
          return db.insertInto('pair_buffer').values(pair).execute();
        });
      }
      const rows = async (domain: string) => {
        const { db } = test.service.store;
        const of = async (table: 'feedback' | 'feedback_edge' | 'edge_factor' | 'item_prior' | 'pair_buffer') =>
          (await db.selectFrom(table).select('domain').where('domain', '=', domain).execute()).length;
        const arms = await db.selectFrom('learner_arm').select('arm_id').where('learner', '=', 'credit').execute();
        const tables = ['feedback', 'feedback_edge', 'edge_factor', 'item_prior', 'pair_buffer'] as const;
        const counts = [];
        for (const table of tables) counts.push(await of(table));
        return [...counts, arms.filter(({ arm_id }) => arm_id.startsWith(`${domain}:`)).length];
      };
      const before = await rows(kept);
      expect(Math.min(...before)).toBeGreaterThan(0);
      expect(await rows(removed)).toEqual(before);
      expect((await test.delete(`/v1/domains/${removed}`)).status).toBe(200);
      expect(await rows(removed)).toEqual([0, 0, 0, 0, 0, 0]);
      expect(await rows(kept)).toEqual(before);
    });

    it.each(['the document is forgotten', 'interoception is reset'])(
      'give nothing to other concepts once %s',
      async (what) => {
        await reopenWithCredit();
        const harbour = { name: 'Harbour', description: 'The harbour of Skarn is where boats land and leave.' };
        const edges = [{ source: 'Harbour', target: 'Ferry', relation: 'REQUIRES' }];
        const ask = async (domain: string) => {
          const { query_id, items } = await post('/v1/query', { context: QUESTION, domains: [domain] });
          const at = (name: string) =>
            items.find(({ content }: { content: string }) => content.startsWith(`${name}: `));
          return { query_id, ferry: at('Ferry'), harbour: at('Harbour') };
        };
        const [rated, alone] = [fresh(), fresh()];
        for (const domain of [rated, alone]) await post('/v1/ingest/structured', { domain, concepts: [harbour] });
        const ferry = { domain: rated, concepts: [{ name: 'Ferry', description: RIGHT }], edges };
        const { source_id } = await post('/v1/ingest/structured', ferry);
        const before = await ask(rated);
        const given = await post('/v1/feedback', {
          query_id: before.query_id,
          outcomes: { [before.ferry.id]: 'accepted' },
        });
        expect(given.credit).toMatchObject({ direct_count: 1, ancestor_count: 1 });
        expect((await ask(rated)).harbour.score).toBeGreaterThan(before.harbour.score);
        if (what === 'interoception is reset') {
          expect(await post('/v1/interoception/reset', {})).toMatchObject({ feedback: 1 });
          expect((await ask(rated)).harbour.score).toBeCloseTo(before.harbour.score, 6);
        }
        expect((await test.delete(`/v1/documents/${source_id}`)).status).toBe(200);
        expect((await ask(rated)).harbour.score).toBeCloseTo((await ask(alone)).harbour.score, 6);
      },
    );
  });
}
