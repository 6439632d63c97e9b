import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type LearningFixture, learningFixture, learningServer, START } from './fixture.js';

let at: LearningFixture;
beforeEach(async () => {
  at = await learningFixture({ learners: { tight: { max_arms: 1 } } });
});
afterEach(() => at.close());

const observe = (key: string | undefined, more: Record<string, unknown> = {}) =>
  at.learning.observe({ learner: 'l', arm_id: 'a', reward: 1, idempotency_key: key, ...more });

describe('an observation with an idempotency key', () => {
  it('counts once, and is answered with the arm as it is', async () => {
    expect(await observe('k')).toMatchObject({ alpha: 2, beta: 1, pulls: 1 });
    await observe(undefined, { reward: 0 });
    expect(await observe('k')).toEqual({ arm_id: 'a', alpha: 2, beta: 2, mean: 0.5, pulls: 2 });
    expect((await at.learning.summary()).total_observations).toBe(2);
    expect(await at.learning.metrics({ learner: 'l' })).toMatchObject({ total_pulls: 2, total_reward: 1 });
  });

  it('counts once when twenty come together', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => observe('k')));
    for (const answer of answers) expect(answer).toMatchObject({ alpha: 2, beta: 1, pulls: 1 });
  });

  it('counts apart for another key and for another learner', async () => {
    await Promise.all([observe('k'), observe('l'), observe('k', { learner: 'other' })]);
    const pulls = async (learner: string) => (await at.learning.metrics({ learner })).total_pulls;
    expect([await pulls('l'), await pulls('other')]).toEqual([2, 1]);
  });

  it('is noted once in a session', async () => {
    const { session_id } = await at.learning.sessionStart({ learner: 'l', session_name: 's' });
    await observe('k');
    await observe('k');
    expect((await at.learning.sessionEnd({ session_id })).outcomes).toHaveLength(1);
  });

  it('counts later where it was refused before', async () => {
    const refused = { learner: 'tight', arm_id: 'b' };
    await observe(undefined, { learner: 'tight' });
    await expect(observe('k', refused)).rejects.toMatchObject({ code: 'conflict' });
    await at.learning.reset({ learner: 'tight' });
    expect(await observe('k', refused)).toMatchObject({ arm_id: 'b', pulls: 1 });
  });

  it('stays recorded after a reset, and is forgotten with the retention', async () => {
    await observe('k');
    await at.learning.reset({ learner: 'l' });
    expect(await observe('k')).toMatchObject({ alpha: 1, beta: 1, pulls: 0 });
    at.now = START + 91 * 86_400_000;
    await at.learning.prune();
    expect(await observe('k')).toMatchObject({ alpha: 2, pulls: 1 });
  });

  it('travels over HTTP', async () => {
    const server = await learningServer(at.learning);
    const send = () =>
      fetch(`${server.url}/v1/learning/observe`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ learner: 'l', arm_id: 'a', outcome: 'accepted', idempotency_key: 'k' }),
      }).then((response) => response.json());
    expect(await send()).toMatchObject({ pulls: 1 });
    expect(await send()).toMatchObject({ pulls: 1 });
    await server.close();
  });
});
