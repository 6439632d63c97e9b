import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS, pruneLearning } from '../../src/learning/learner/retention.js';
import { type LearningFixture, learningFixture, START } from './fixture.js';

let fixture: LearningFixture;
beforeEach(async () => {
  fixture = await learningFixture();
});
afterEach(() => fixture.close());

describe('metrics', () => {
  it('sums over all contexts', async () => {
    const prompts = await fixture.learning.learner('p');
    await prompts.batchObserve([
      { arm_id: 'a', reward: 1 },
      { arm_id: 'b', reward: 0 },
    ]);
    await prompts.observe({ arm_id: 'a', reward: 0.5 }, { u: 1 });
    expect(await prompts.metrics()).toMatchObject({
      learner: 'p',
      total_pulls: 3,
      total_reward: 1.5,
      accuracy: 0.5,
      arm_count: 2,
      explore_ratio: 0,
      arms: { a: { pulls: 2, reward_rate: 0.75 }, b: { pulls: 1, reward_rate: 0 } },
    });
  });

  it('measures the share of baseline selections and the rates of arms', async () => {
    const random = await fixture.learning.configure({ name: 'r', baseline_rate: 1 });
    for (let i = 0; i < 10; i += 1) await random.select([{ id: 'a' }]);
    expect(await random.metrics()).toMatchObject({
      explore_ratio: 1,
      selections: 10,
      arms: { a: { selection_rate: 1, pulls: 0 } },
    });
    const greedy = await fixture.learning.configure({ name: 'g', baseline_rate: 0 });
    await greedy.select([{ id: 'a' }]);
    expect(await greedy.metrics()).toMatchObject({ explore_ratio: 0, selections: 1 });
  });

  it('looks at the last observations with a window', async () => {
    const prompts = await fixture.learning.learner('p');
    for (const reward of [0, 0, 0, 1, 1]) await prompts.observe({ arm_id: 'a', reward });
    expect(await prompts.metrics({ window: 2 })).toMatchObject({
      total_pulls: 2,
      total_reward: 2,
      accuracy: 1,
      window: 2,
      // Selections are counted and not kept one by one, so the figures of arms are of all time.
      arms: { a: { pulls: 5, reward_rate: 0.4 } },
    });
    expect(await prompts.metrics({ window: 50 })).toMatchObject({ total_pulls: 5, accuracy: 0.4 });
    await expect(prompts.metrics({ window: 0 })).rejects.toThrow(/window/);
  });

  it('converges once one arm leads for certain', async () => {
    const prompts = await fixture.learning.learner('p');
    await prompts.batchObserve([
      { arm_id: 'a', reward: 1 },
      { arm_id: 'b', reward: 0 },
    ]);
    const early = (await prompts.metrics()).convergence;
    await prompts.batchObserve(
      [...Array(60)].flatMap(() => [
        { arm_id: 'a', reward: 1 },
        { arm_id: 'b', reward: 0 },
      ]),
    );
    const late = (await prompts.metrics()).convergence;
    expect(early).toBeLessThan(0.95);
    expect(late).toBeGreaterThan(0.99);
  });

  it('is empty for a learner nobody used', async () => {
    const prompts = await fixture.learning.learner('nobody');
    expect(await prompts.metrics()).toMatchObject({
      total_pulls: 0,
      accuracy: 0,
      arm_count: 0,
      convergence: 0,
      arms: {},
    });
    expect(await fixture.learning.summary()).toMatchObject({ learners: 0 });
  });
});

describe('sessions', () => {
  it('return what was selected and observed between start and end', async () => {
    const prompts = await fixture.learning.learner('p');
    await prompts.select([{ id: 'before' }]);
    const { session_id, learner } = await prompts.sessionStart('morning');
    expect(learner).toBe('p');
    fixture.now += 60_000;
    await prompts.select([{ id: 'a' }]);
    await prompts.select([{ id: 'a' }]);
    await prompts.observe({ arm_id: 'a', outcome: 'partial' }, { u: 1 });
    await (await fixture.learning.learner('other')).observe({ arm_id: 'z', reward: 1 });
    const ended = await fixture.learning.sessionEnd({ session_id });
    expect(ended).toEqual({
      session_id,
      learner: 'p',
      session_name: 'morning',
      selected_arms: ['a'],
      outcomes: [{ arm_id: 'a', reward: 0.5, outcome: 'partial', context: { u: 1 } }],
      started_at: new Date(START).toISOString(),
      ended_at: new Date(START + 60_000).toISOString(),
    });
    await prompts.observe({ arm_id: 'after', reward: 1 });
    fixture.now += 60_000;
    expect(await fixture.learning.sessionEnd({ session_id })).toEqual(ended);
  });

  it('answers not found for an unknown session', async () => {
    for (const [session_id, code] of [
      ['nope', 'session_not_found'],
      ['p:00000000-0000-0000-0000-000000000000', 'session_not_found'],
      // The part before the colon is a learner's name, and this is none.
      ['../x:00000000-0000-0000-0000-000000000000', 'invalid_input'],
    ] as const) {
      await expect((async () => fixture.learning.sessionEnd({ session_id }))()).rejects.toMatchObject({ code });
    }
  });
});

describe('retention', () => {
  it('drops old observations and keeps posteriors and totals', async () => {
    const prompts = await fixture.learning.learner('p');
    await prompts.observe({ arm_id: 'a', reward: 1 });
    const { session_id } = await prompts.sessionStart('old');
    fixture.now += 91 * DAY_MS;
    await prompts.observe({ arm_id: 'a', reward: 1 });
    expect(await fixture.learning.prune()).toBe(1);
    expect(await prompts.metrics({ window: 10 })).toMatchObject({ total_pulls: 1 });
    expect(await prompts.metrics()).toMatchObject({ total_pulls: 2 });
    expect(await fixture.learning.summary()).toMatchObject({ total_observations: 2 });
    await expect(fixture.learning.sessionEnd({ session_id })).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it('keeps the newest rows up to the bound', async () => {
    const prompts = await fixture.learning.learner('p');
    await prompts.batchObserve(Array.from({ length: 5000 }, (_, i) => ({ arm_id: 'a', reward: i >= 4990 ? 1 : 0 })));
    expect(await pruneLearning(fixture.store, fixture.now, { maxAgeDays: 90, maxRows: 10 })).toBe(4990);
    expect(await prompts.metrics({ window: 100 })).toMatchObject({ total_pulls: 10, accuracy: 1 });
  });
});
