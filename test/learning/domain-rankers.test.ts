import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { seededRandom } from '../../src/core/random.js';
import type { FeatureTable, ItemFeatures, LinearModel } from '../../src/learning/feedback/adjustments.js';
import { Feedback } from '../../src/learning/feedback/feedback.js';
import { forgetNodes } from '../../src/learning/feedback/forget-nodes.js';
import { Interoception } from '../../src/learning/feedback/interoception.js';
import { adapt } from '../../src/learning/ranker/adapt.js';
import { DomainRankers } from '../../src/learning/ranker/domain-rankers.js';
import { type Choice, dot } from '../../src/learning/ranker/fit-order.js';
import { packFeatures, unpackFeatures } from '../../src/learning/ranker/query-features.js';
import { logistic } from '../../src/learning/ranker/solve.js';
import { item } from './feedback-fixture.js';
import { START } from './fixture.js';

/** Three features: the base ranks by the first alone; the last is the same for all items of an answer. */
const TABLE: FeatureTable = { key: 77, names: ['a', 'b', 'answer'], signs: [1, 1, 0] };
const BASE: LinearModel = { intercept: -2, weights: [3, 0, 0.5] };

/** Answers whose right items have much of the second feature; `wrong`: share of ratings the other way round. */
function choices(count: number, wrong = 0): Choice[] {
  const random = seededRandom(5);
  return Array.from({ length: count }, () => {
    const answer = random();
    const x = Array.from({ length: 10 }, () => [random(), random(), answer]);
    const gold = x.map(([, b]) => b! > 0.7 !== random() < wrong);
    return { x, gold };
  }).filter(({ gold }) => gold.includes(true) && gold.includes(false));
}

/** Share of the pairs of a right and a wrong item that stand in the right order. */
function inOrder(weights: readonly number[], of: readonly Choice[]): number {
  let pairs = 0;
  let right = 0;
  for (const { x, gold } of of) {
    for (const [i, one] of x.entries()) {
      for (const [j, other] of x.entries()) {
        if (!gold[i] || gold[j]) continue;
        pairs += 1;
        if (dot(weights, one) > dot(weights, other)) right += 1;
      }
    }
  }
  return right / pairs;
}

describe('weights that learn from ratings', () => {
  const seen = choices(40);
  const unseen = choices(120).slice(40);

  it('order answers that nobody rated better', async () => {
    const { weights } = await adapt(BASE, TABLE, seen);
    expect(inOrder(BASE.weights, unseen)).toBeLessThan(0.6);
    expect(inOrder(weights, unseen)).toBeGreaterThan(0.9);
  });

  it('do so with a fifth of the ratings wrong', async () => {
    const { weights } = await adapt(BASE, TABLE, choices(40, 0.2));
    expect(inOrder(weights, unseen)).toBeGreaterThan(0.8);
  });

  it.each([0, 0.2, 0.5])('keep how sure the scores are, with a share of %d wrong', async (wrong) => {
    const rated = choices(40, wrong);
    const adapted = await adapt(BASE, TABLE, rated);
    const mean = ({ intercept, weights }: LinearModel): number => {
      const all = rated.flatMap(({ x }) => x.map((values) => logistic(intercept + dot(weights, values))));
      return all.reduce((sum, p) => sum + p, 0) / all.length;
    };
    const deviation = ({ weights }: LinearModel): number => {
      const apart = rated.flatMap(({ x }) => {
        const scores = x.map((values) => dot(weights, values));
        const middle = scores.reduce((sum, s) => sum + s, 0) / scores.length;
        return scores.map((s) => (s - middle) ** 2);
      });
      return Math.sqrt(apart.reduce((sum, s) => sum + s, 0) / apart.length);
    };
    expect(mean(adapted)).toBeCloseTo(mean(BASE), 6);
    expect(deviation(adapted)).toBeCloseTo(deviation(BASE), 6);
  });

  it('never count evidence the wrong way, and leave what answers share alone', async () => {
    const turned = seen.map(({ x, gold }) => ({ x, gold: gold.map((one) => !one) }));
    const { weights } = await adapt(BASE, TABLE, turned);
    expect(weights[1]).toBe(0);
    expect(weights[2]).toBe(BASE.weights[2]);
  });
});

describe('what items were ranked by', () => {
  it('comes back from the log, place by place', () => {
    const values = fc.array(fc.double({ min: -7.9, max: 7.9, noNaN: true }), { maxLength: 40 });
    const features = fc.option(
      fc.record({
        kind: fc.constantFrom('document' as const, 'message' as const),
        table: fc.integer({ min: -32_768, max: 32_767 }),
        values,
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ features }), { maxLength: 60 }), (items) => {
        const packed = packFeatures(items);
        const back = packed === null ? [] : unpackFeatures(packed);
        const kept = items
          .slice(0, 50)
          .flatMap(({ features: one }, place) => (one === null ? [] : [{ ...one, place }]));
        expect(back.map(({ values: _, ...one }) => one)).toEqual(kept.map(({ values: _, ...one }) => one));
        back.forEach((one, i) => {
          const far = one.values.filter((value, j) => Math.abs(value - kept[i]!.values[j]!) >= 1 / 4096);
          expect(far).toEqual([]);
        });
      }),
    );
  });
});

describe('the weights of a domain', () => {
  let store: Store;
  beforeEach(async () => {
    store = await openSqlite(':memory:');
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
    expect(domains[0]!.changes.map(({ kind, feature }) => `${kind} ${feature}`)).toContain('document b');
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
});
