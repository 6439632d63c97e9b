import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Store } from '../../src/backends/store/scope.js';
import { seededRandom } from '../../src/core/random.js';
import type { FeatureTable, ItemFeatures, LinearModel } from '../../src/learning/feedback/adjustments.js';
import { Feedback } from '../../src/learning/feedback/feedback.js';
import { forgetNodes } from '../../src/learning/feedback/forget-nodes.js';
import { Interoception } from '../../src/learning/feedback/interoception.js';
import { INTEROCEPTION } from '../../src/learning/feedback/interoception-settings.js';
import { DomainRankers } from '../../src/learning/ranker/domain-rankers.js';
import type { Choice } from '../../src/learning/ranker/fit-order.js';
import { item } from './feedback-fixture.js';
import { START } from './fixture.js';

/** Three features: the base ranks by the first alone; the last is the same for all items of an answer. */
export const TABLE: FeatureTable = {
  key: 77,
  names: ['a', 'b', 'answer'],
  meanings: ['is an a', 'is a b', 'the best a'],
  signs: [1, 1, 0],
};
export const BASE: LinearModel = { intercept: -2, weights: [3, 0, 0.5] };

/** Answers whose right items have much of the second feature; `wrong`: share of ratings the other way round. */
export function choices(count: number, wrong = 0): Choice[] {
  const random = seededRandom(5);
  return Array.from({ length: count }, () => {
    const answer = random();
    const x = Array.from({ length: 10 }, () => [random(), random(), answer]);
    const gold = x.map(([, b]) => b! > 0.7 !== random() < wrong);
    return { x, gold };
  }).filter(({ gold }) => gold.includes(true) && gold.includes(false));
}

/** Describes the weights that domains learn over stores that `open` makes, each empty. */
export function describeDomainRankers(open: () => Promise<Store>): void {
  let store: Store;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  function replica({ model = 'test', base = BASE, enabled = true } = {}) {
    const clock = () => START;
    const rankers = new DomainRankers(store, {
      clock,
      tables: { document: TABLE, message: { ...TABLE, key: 78 } },
      base: () => ({ model, weights: { document: base, message: base } }),
    });
    const interoception = new Interoception(store, { clock, interoception: { enabled }, rankers });
    const feedback = new Feedback(store, { clock, interoception: { enabled } });
    const current = async () => {
      await interoception.version();
      return interoception.rankers();
    };
    return { rankers, interoception, feedback, current };
  }

  /** Logs answers to `count` questions in a domain and rates all of their items. */
  async function rate(
    { feedback }: ReturnType<typeof replica>,
    count: number,
    more: { domain?: string; model?: string } = {},
  ) {
    const { domain = 'd', model = 'test' } = more;
    for (const [q, { x, gold }] of choices(count).entries()) {
      const query_id = `${domain}-${model}-${q}`;
      await feedback.recordQuery({
        query_id,
        text: `question ${q}`,
        domains: [domain],
        mode: 'auto',
        vector: Float32Array.from([1, 0]),
        model,
        items: x.map((values, i) => {
          const features: ItemFeatures = { kind: 'document', table: TABLE.key, values };
          return item(`${domain}:${q}-${i}`, { domain, features });
        }),
      });
      const outcomes = gold.map((one, i) => [`${domain}:${q}-${i}`, one ? 'accepted' : 'rejected'] as const);
      await feedback.record({ query_id, outcomes: Object.fromEntries(outcomes) });
    }
  }

  it('are fitted to its feedback, for every replica, and for no other domain', async () => {
    const [one, two] = [replica(), replica()];
    await rate(one, 10);
    expect((await two.current()).size).toBe(0);
    expect(await one.rankers.refit()).toBe(1);
    expect(await one.rankers.refit()).toBe(0);
    for (const service of [one, two]) {
      const learned = await service.current();
      expect([...learned.keys()]).toEqual(['d']);
      expect(learned.get('d')!.document!.weights[1]).toBeGreaterThan(0.5);
      expect(learned.get('d')!.message).toBeNull();
    }
    const { domains } = await two.interoception.report();
    expect(domains).toMatchObject([{ domain: 'd', questions: 10 }]);
    expect(domains[0]!.changes.map(({ kind, feature, meaning }) => `${kind} ${feature}: ${meaning}`)).toContain(
      'document b: is a b',
    );
  });

  it('need feedback on five questions at least, of the model that serves', async () => {
    const service = replica();
    await rate(service, 4);
    await rate(service, 10, { domain: 'e', model: 'other' });
    await service.rankers.refit();
    expect((await service.current()).size).toBe(0);
  });

  it('count a question that was rated several times once, by what most ratings say', async () => {
    const service = replica();
    await rate(service, 10);
    await service.rankers.refit();
    const before = (await service.current()).get('d');
    for (const source of ['x', 'y']) {
      const outcomes = { 'd:0-0': 'accepted', 'd:0-1': 'accepted', 'd:0-2': 'accepted' };
      await service.feedback.record({ query_id: 'd-test-0', outcomes, source });
    }
    await service.rankers.refit();
    const after = (await service.current()).get('d');
    expect(after).not.toEqual(before);
    expect((await service.interoception.report()).domains[0]!.questions).toBe(10);
  });

  it('go with the feedback: when it is reset, and when what was rated is forgotten', async () => {
    const service = replica();
    await rate(service, 10);
    await rate(service, 10, { domain: 'e' });
    await service.rankers.refit();
    await service.interoception.reset({ domain: 'e' });
    expect([...(await service.current()).keys()]).toEqual(['d']);
    const whole = (await service.current()).get('d');
    await store.write(({ db }) =>
      forgetNodes(
        db,
        Array.from({ length: 10 }, (_, i) => `d:0-${i}`),
        { settings: INTEROCEPTION, now: 0 },
      ),
    );
    expect((await service.current()).size).toBe(0);
    await service.rankers.refit();
    const rest = (await service.current()).get('d');
    expect(rest).not.toEqual(whole);
    expect((await service.interoception.report()).domains).toMatchObject([{ domain: 'd', questions: 9 }]);
    await service.interoception.reset();
    expect((await service.current()).size).toBe(0);
    expect(await service.rankers.refit()).toBe(0);
  });

  it('do not come back by a fit that was under way while feedback was forgotten', async () => {
    const service = replica();
    await rate(service, 10);
    const fitting = service.rankers.refit();
    await store.write(({ db }) => forgetNodes(db, ['d:0-0'], { settings: INTEROCEPTION, now: 0 }));
    await fitting;
    expect((await service.current()).size).toBe(0);
    expect(await service.rankers.refit()).toBe(1);
    expect((await service.current()).size).toBe(1);
  });

  it('are fitted anew where another release begins from other weights', async () => {
    const old = replica();
    await rate(old, 10);
    await old.rankers.refit();
    const next = replica({ base: { intercept: -1, weights: [1, 1, 0] } });
    expect((await next.current()).size).toBe(0);
    expect(await next.rankers.refit()).toBe(1);
    expect((await next.current()).size).toBe(1);
  });

  it('stay away where feedback is switched off', async () => {
    const service = replica();
    await rate(service, 10);
    await service.rankers.refit();
    expect((await replica({ enabled: false }).current()).size).toBe(0);
  });
}
