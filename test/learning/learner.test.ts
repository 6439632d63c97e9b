import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type LearningFixture, learningFixture } from './fixture.js';

let fixture: LearningFixture;
beforeEach(async () => {
  fixture = await learningFixture();
});
afterEach(() => fixture.close());

const learner = (name = 'prompts') => fixture.learning.learner(name);

describe('observe', () => {
  it('adds reward to alpha and the rest to beta', async () => {
    const arm = await (await learner()).observe({ arm_id: 'a', outcome: 'accepted' });
    expect(arm).toEqual({ arm_id: 'a', alpha: 2, beta: 1, mean: 2 / 3, pulls: 1 });
    expect(await (await learner()).observe({ arm_id: 'a', reward: 0.25 })).toMatchObject({ alpha: 2.25, beta: 1.75 });
  });

  it('loses none of 1,000 parallel observations, and answers each its own state', async () => {
    const prompts = await learner();
    const results = await Promise.all(
      Array.from({ length: 1000 }, (_, i) =>
        prompts.observe({ arm_id: 'a', outcome: i % 2 === 0 ? 'accepted' : 'rejected' }),
      ),
    );
    expect(new Set(results.map((result) => result.pulls)).size).toBe(1000);
    const { a } = await prompts.posteriors();
    expect(a).toMatchObject({ pulls: 1000, alpha: 501, beta: 501, total_reward: 500 });
  });

  it('keeps contexts apart', async () => {
    const prompts = await learner();
    await prompts.observe({ arm_id: 'a', outcome: 'accepted' }, { user: 1 });
    await prompts.observe({ arm_id: 'a', outcome: 'rejected', context: { user: 2 } });
    expect((await prompts.posteriors({ user: 1 })).a).toMatchObject({ alpha: 2, beta: 1 });
    expect((await prompts.posteriors({ user: 2 })).a).toMatchObject({ alpha: 1, beta: 2 });
    expect(await prompts.posteriors()).toEqual({});
  });

  it('refuses an arm beyond max_arms with conflict, and keeps the known ones', async () => {
    const prompts = await fixture.learning.configure({ name: 'small', max_arms: 2 });
    await prompts.batchObserve([
      { arm_id: 'a', reward: 1 },
      { arm_id: 'b', reward: 1 },
    ]);
    const settled = await Promise.allSettled(['c', 'a', 'd'].map((arm_id) => prompts.observe({ arm_id, reward: 1 })));
    expect(settled.map((result) => result.status)).toEqual(['rejected', 'fulfilled', 'rejected']);
    expect(settled[0]).toMatchObject({ reason: { code: 'conflict', message: expect.stringContaining('max_arms') } });
    expect(Object.keys(await prompts.posteriors())).toEqual(['a', 'b']);
    expect((await prompts.posteriors()).a).toMatchObject({ pulls: 2 });
  });

  it('records all of a batch or none', async () => {
    const prompts = await learner();
    await expect(
      prompts.batchObserve([
        { arm_id: 'a', reward: 1 },
        { arm_id: 'b', reward: 7 },
      ]),
    ).rejects.toThrow(/reward/);
    expect(await prompts.posteriors()).toEqual({});
  });

  it('records a batch over the contexts of its outcomes, in the order given', async () => {
    const small = await fixture.learning.configure({ name: 'small', max_arms: 1 });
    const observed = await small.batchObserve([
      { arm_id: 'a', reward: 1, context: { user: 1 } },
      { arm_id: 'a', reward: 0 },
      { arm_id: 'a', reward: 0, context: { user: 1 } },
    ]);
    expect(observed.map(({ alpha, beta }) => [alpha, beta])).toEqual([
      [2, 1],
      [1, 2],
      [2, 2],
    ]);
    const tooMany = [
      { arm_id: 'a', reward: 1 },
      { arm_id: 'b', reward: 1, context: { user: 1 } },
    ];
    await expect(small.batchObserve(tooMany)).rejects.toMatchObject({ code: 'conflict' });
    expect((await small.posteriors()).a).toMatchObject({ pulls: 1 });
    await small.batchObserve([{ arm_id: 'a', reward: 1, context: { user: 9 } }], { user: 1 });
    expect((await small.posteriors({ user: 1 })).a).toMatchObject({ pulls: 3 });
  });

  it('maps custom outcomes of the settings', async () => {
    const other = await learningFixture({ outcomes: { shipped: 0.75 } });
    const result = await (await other.learning.learner('x')).observe({ arm_id: 'a', outcome: 'shipped' });
    expect(result).toMatchObject({ alpha: 1.75, beta: 1.25 });
    expect(await other.learning.observe({ learner: 'x', arm_id: 'a', outcome: 'lost' })).toHaveProperty('warning');
    await other.close();
  });
});

describe('select', () => {
  it('gives the same selections under the same seed', async () => {
    const pick = async (): Promise<string[]> => {
      const same = await learningFixture({ seed: 'x' });
      const prompts = await same.learning.learner('p');
      const ids: string[] = [];
      for (let i = 0; i < 20; i += 1) {
        const { selected_arms } = await prompts.select([{ id: 'a' }, { id: 'b' }, { id: 'c' }], null, 2);
        ids.push(selected_arms.map((arm) => arm.id).join());
      }
      await same.close();
      return ids;
    };
    expect(await pick()).toEqual(await pick());
  });

  it('answers whole candidates, every score, and says why one never fits', async () => {
    const prompts = await learner();
    const result = await prompts.select(
      [
        { id: 'a', metadata: { kind: 'tool' }, token_cost: 5 },
        { id: 'b', token_cost: 50 },
      ],
      {},
      { k: 0, token_budget: 10 },
    );
    expect(result.selected_arms).toEqual([{ id: 'a', metadata: { kind: 'tool' }, token_cost: 5 }]);
    expect(result.excluded_arms).toEqual([{ id: 'b', metadata: {}, token_cost: 50, reason: expect.any(String) }]);
    expect(Object.keys(result.scores)).toEqual(['a', 'b']);
    expect(result).toMatchObject({ token_budget: 10, used_tokens: 5 });
  });

  it('makes no arm state', async () => {
    const prompts = await learner();
    await prompts.select([{ id: 'a' }]);
    expect(await prompts.posteriors()).toEqual({});
  });

  it('boosts seed arms in every context', async () => {
    const prompts = await fixture.learning.configure({ name: 'seeded', seed_arms: ['s'], seed_boost: 4 });
    expect((await prompts.posteriors(null, ['s', 'x'])).s).toMatchObject({ alpha: 4, beta: 1, pulls: 0 });
    expect(await prompts.observe({ arm_id: 's', outcome: 'rejected' }, { u: 1 })).toMatchObject({ alpha: 4, beta: 2 });
    await prompts.reset();
    expect(await prompts.observe({ arm_id: 's', outcome: 'accepted' }, { u: 1 })).toMatchObject({ alpha: 5, beta: 1 });
  });

  it('takes the larger of the two min_pulls', async () => {
    const prompts = await fixture.learning.configure({ name: 'eager', min_pulls: 2, baseline_rate: 0 });
    await prompts.batchObserve(Array.from({ length: 50 }, () => ({ arm_id: 'known', outcome: 'accepted' })));
    await prompts.observe({ arm_id: 'new', outcome: 'rejected' });
    const { selected_arms } = await prompts.select([{ id: 'known' }, { id: 'new' }]);
    expect(selected_arms[0]).toMatchObject({ id: 'new' });
  });

  it.each([
    ['no candidates', [], {}],
    ['an id twice', [{ id: 'a' }, { id: 'a' }], {}],
    ['a negative cost', [{ id: 'a', token_cost: -1 }], {}],
    ['an empty id', [{ id: '' }], {}],
    ['a cost that is no integer', [{ id: 'a', token_cost: 1.5 }], {}],
    ['a budget below 0', [{ id: 'a' }], { token_budget: -5 }],
    ['a k that is no number', [{ id: 'a' }], { k: Number.NaN }],
  ])('refuses %s', async (_, candidates, options) => {
    await expect((await learner()).select(candidates, null, options)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('top arms, decay, credit', () => {
  it('ranks by posterior mean', async () => {
    const prompts = await learner();
    await prompts.batchObserve([
      { arm_id: 'low', reward: 0 },
      { arm_id: 'high', reward: 1 },
      { arm_id: 'mid', reward: 0.5 },
    ]);
    expect((await prompts.topArms(null, 2)).map((arm) => arm.arm_id)).toEqual(['high', 'mid']);
  });

  it('decays toward the prior', async () => {
    const prompts = await fixture.learning.configure({ name: 'd', seed_arms: ['s'], seed_boost: 3 });
    await prompts.batchObserve([...Array(8)].map(() => ({ arm_id: 's', outcome: 'accepted' })));
    expect(await prompts.decayArm('s', 0.5)).toMatchObject({ alpha: 7, beta: 1, pulls: 8 });
    expect(await prompts.decayArm('s', 0)).toMatchObject({ alpha: 3, beta: 1 });
    expect(await prompts.decayArm('unknown', 0.5)).toMatchObject({ alpha: 1, beta: 1, pulls: 0 });
    expect(await prompts.posteriors()).not.toHaveProperty('unknown');
    await expect(prompts.decayArm('s', 1.5)).rejects.toThrow(/decay_factor/);
  });

  it('applies credit deltas, floors them and counts a pull', async () => {
    const prompts = await learner();
    const changed = await prompts.applyCreditDeltas({ a: { alpha: 0.5 }, b: { alpha: -9, beta: 0.25 } });
    expect(changed.a).toMatchObject({ alpha: 1.5, beta: 1, pulls: 1, total_reward: 0 });
    expect(changed.b).toMatchObject({ alpha: 0.01, beta: 1.25, pulls: 1 });
    expect((await prompts.applyCreditDeltas({ b: { beta: -7 } })).b).toMatchObject({
      alpha: 0.01,
      beta: 0.01,
      pulls: 2,
    });
    await expect(prompts.applyCreditDeltas({ a: { alpha: Number.NaN } })).rejects.toThrow(/finite/);
  });

  it.each([
    ['a number', { s: 0.5 }, 'deltas.s'],
    ['a pair', { s: [0.5, 0.2] }, 'deltas.s'],
    ['nothing', { s: {} }, 'deltas.s'],
    ['null', { s: null }, 'deltas.s'],
    ['another member', { s: { alhpa: 0.5 } }, 'deltas.s'],
    ['a text', { a: { alpha: 1 }, s: { alpha: '0.5' } }, 'deltas.s'],
    ['a list', [{ alpha: 1 }], 'deltas'],
    ['a map', new Map([['s', { alpha: 1 }]]), 'deltas'],
  ])('refuses a credit delta that is %s, and counts no pull', async (_case, deltas, member) => {
    const prompts = await learner(`refused ${_case}`);
    await expect(prompts.applyCreditDeltas(deltas as never)).rejects.toMatchObject({
      code: 'invalid_input',
      details: { member },
    });
    expect(await prompts.posteriors()).toEqual({});
  });

  it('keeps alpha and beta finite and at least 0.01 whatever is done', async () => {
    const delta = fc.double({ min: -50, max: 50, noNaN: true });
    const step = fc.oneof(
      fc.record({
        op: fc.constant('observe' as const),
        arm: fc.constantFrom('a', 'b'),
        reward: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      fc.record({
        op: fc.constant('decay' as const),
        arm: fc.constantFrom('a', 'b'),
        factor: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      fc.record({ op: fc.constant('credit' as const), arm: fc.constantFrom('a', 'b'), alpha: delta, beta: delta }),
      fc.record({ op: fc.constant('reset' as const), arm: fc.constantFrom('a', 'b') }),
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        run += 1;
        const prompts = await learner(`any-${run}`);
        for (const next of steps) {
          if (next.op === 'observe') await prompts.observe({ arm_id: next.arm, reward: next.reward });
          else if (next.op === 'decay') await prompts.decayArm(next.arm, next.factor);
          else if (next.op === 'credit') await prompts.applyCreditDeltas({ [next.arm]: next });
          else await prompts.reset([next.arm]);
          for (const arm of Object.values(await prompts.posteriors(null, ['a', 'b']))) {
            expect(arm.alpha).toBeGreaterThanOrEqual(0.01);
            expect(arm.beta).toBeGreaterThanOrEqual(0.01);
            expect(Number.isFinite(arm.alpha + arm.beta)).toBe(true);
            expect(arm.credible_interval.lower).toBeLessThanOrEqual(arm.credible_interval.upper);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('reset', () => {
  const filled = async () => {
    const prompts = await learner();
    for (const context of [undefined, { u: 1 }, { u: 2 }]) {
      await prompts.batchObserve(
        ['a', 'b', 'c'].map((arm_id) => ({ arm_id, reward: 1 })),
        context,
      );
    }
    const left = async () =>
      Promise.all(
        [undefined, { u: 1 }, { u: 2 }].map(async (context) => Object.keys(await prompts.posteriors(context)).join('')),
      );
    return { prompts, left };
  };

  it.each([
    ['everything', undefined, undefined, 9, ['', '', '']],
    ['one context', undefined, { u: 1 }, 3, ['abc', '', 'abc']],
    ['the default context', undefined, {}, 3, ['', 'abc', 'abc']],
    ['arms of the default context', ['a', 'x'], undefined, 1, ['bc', 'abc', 'abc']],
    ['arms of a context', ['a', 'b'], { u: 2 }, 2, ['abc', 'abc', 'c']],
    ['no arms', [], undefined, 0, ['abc', 'abc', 'abc']],
  ])('deletes %s', async (_, armIds, context, deleted, expected) => {
    const { prompts, left } = await filled();
    expect(await prompts.reset(armIds, context)).toEqual({ learner: 'prompts', deleted, status: 'reset' });
    expect(await left()).toEqual(expected);
  });

  it('makes room under max_arms and clears the metrics', async () => {
    const small = await fixture.learning.configure({ name: 'small', max_arms: 1, baseline_rate: 1 });
    await small.select([{ id: 'a' }, { id: 'b' }]);
    await small.observe({ arm_id: 'a', reward: 1 });
    await expect(small.observe({ arm_id: 'b', reward: 1 })).rejects.toMatchObject({ code: 'conflict' });
    await small.reset();
    expect(await small.observe({ arm_id: 'b', reward: 0 })).toMatchObject({ pulls: 1 });
    expect(await small.metrics({ window: 10 })).toMatchObject({ total_pulls: 1, total_reward: 0, explore_ratio: 0 });
  });
});
