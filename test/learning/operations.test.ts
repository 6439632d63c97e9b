import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Feedback } from '../../src/learning/feedback/feedback.js';
import { Interoception } from '../../src/learning/feedback/interoception.js';
import * as feedbackOperations from '../../src/operations/feedback.js';
import { validatorOf } from '../../src/operations/invoke/validate.js';
import { invoke } from '../../src/operations/invoke.js';
import * as learningOperations from '../../src/operations/learning.js';
import type { Operation } from '../../src/operations/operation.js';
import type { Service } from '../../src/service.js';
import { type LearningFixture, learningFixture } from './fixture.js';

let fixture: LearningFixture;
let service: Service;
beforeEach(async () => {
  fixture = await learningFixture();
  const { learning, store } = fixture;
  const clock = (): number => fixture.now;
  const parts = {
    learning,
    feedback: new Feedback(store, { clock }),
    interoception: new Interoception(store, { clock }),
  };
  service = parts as unknown as Service;
});
afterEach(() => fixture.close());

const operations: Record<string, Operation> = { ...learningOperations, ...feedbackOperations };

async function call(
  name: keyof typeof learningOperations | keyof typeof feedbackOperations,
  input: unknown,
): Promise<unknown> {
  const operation = operations[name]!;
  const answer = await invoke(service, operation, input, { surface: 'internal', authenticated: true });
  const valid = validatorOf(operation.output);
  valid(structuredClone(answer));
  expect(valid.errors ?? []).toEqual([]);
  return answer;
}

describe('learning operations', () => {
  it('answer what their output schemas say, over a whole round', async () => {
    const candidates = [
      { id: 'a', token_cost: 10 },
      { id: 'b', token_cost: 5, metadata: { x: 1 } },
    ];
    const { session_id } = (await call('learningSessionStart', { learner: 'p', session_name: 's' })) as {
      session_id: string;
    };
    const selected = await call('learningSelect', { learner: 'p', candidates, k: 0, token_budget: 12, context: null });
    expect(selected).toMatchObject({ token_budget: 12, used_tokens: expect.any(Number) });
    expect(await call('learningObserve', { learner: 'p', arm_id: 'a', outcome: 'accepted' })).toMatchObject({
      alpha: 2,
      pulls: 1,
    });
    expect(await call('learningObserve', { learner: 'p', arm_id: 'a', outcome: 'accepted', reward: 0 })).toMatchObject({
      alpha: 2,
      beta: 2,
    });
    expect(await call('learningObserve', { learner: 'p', arm_id: 'a', outcome: 'odd' })).toHaveProperty('warning');
    expect(await call('learningPosteriors', { learner: 'p' })).toMatchObject({
      learner: 'p',
      posteriors: { a: { alpha: 2, beta: 3, pulls: 3, credible_interval: { lower: expect.any(Number) } } },
    });
    expect(await call('learningMetrics', { learner: 'p', window: 2 })).toMatchObject({
      total_pulls: 2,
      total_reward: 0,
      window: 2,
    });
    expect(await call('learningSessionEnd', { session_id })).toMatchObject({
      session_id,
      learner: 'p',
      outcomes: { length: 3 },
    });
    expect(await call('learningReset', { learner: 'p' })).toEqual({ learner: 'p', deleted: 1, status: 'reset' });
    expect(await call('interoception', {})).toMatchObject({ enabled: true, edges: [], items: [] });
    expect(await call('interoceptionReset', {})).toMatchObject({ status: 'reset' });
  });

  it.each([
    ['learningObserve', { learner: 'p', arm_id: 'a', reward: 5 }, 'invalid_input', 'reward'],
    ['learningObserve', { learner: 'p', arm_id: 'a', reward: -1 }, 'invalid_input', 'reward'],
    ['learningObserve', { learner: 'p', arm_id: 'a', reward: Number.NaN }, 'invalid_input', 'reward'],
    ['learningObserve', { learner: 'p', arm_id: 'a' }, 'invalid_input', 'outcome'],
    ['learningObserve', { learner: 'p', arm_id: 'a', outcome: '', reward: null }, 'invalid_input', 'outcome'],
    ['learningObserve', { learner: 'p', outcome: 'accepted' }, 'invalid_input', 'arm_id'],
    ['learningObserve', { learner: '../p', arm_id: 'a', reward: 1 }, 'invalid_input', 'learner'],
    ['learningObserve', { learner: 'p', arm_id: 'a', reward: 1, context: [1] }, 'invalid_input', 'context'],
    ['learningSelect', { learner: 'p', candidates: [] }, 'invalid_input', 'candidates'],
    ['learningSelect', { learner: 'p' }, 'invalid_input', 'candidates'],
    ['learningSelect', { learner: 'p', candidates: [{ id: 'a' }, { id: 'a' }] }, 'invalid_input', 'twice'],
    ['learningSelect', { learner: 'p', candidates: [{ id: 'a', token_cost: -1 }] }, 'invalid_input', 'token_cost'],
    ['learningSelect', { learner: 'p', candidates: [{ token_cost: 1 }] }, 'invalid_input', 'id'],
    ['learningSelect', { learner: 'p', candidates: ['a'] }, 'invalid_input', 'candidates'],
    ['learningSelect', { learner: 'p', candidates: [{ id: 'a' }], token_budget: -1 }, 'invalid_input', 'token_budget'],
    ['learningSelect', { learner: 'p', candidates: [{ id: 'a' }], k: 'many' }, 'invalid_input', 'k'],
    ['learningSelect', { learner: 'a\\b', candidates: [{ id: 'a' }] }, 'invalid_input', 'learner'],
    ['learningPosteriors', { learner: '..' }, 'invalid_input', 'learner'],
    ['learningPosteriors', { learner: 'p', arm_ids: 'a' }, 'invalid_input', 'arm_ids'],
    ['learningMetrics', { learner: 'p', window: 0 }, 'invalid_input', 'window'],
    ['learningMetrics', {}, 'invalid_input', 'learner'],
    ['learningSessionStart', { learner: 'p' }, 'invalid_input', 'session_name'],
    ['learningSessionStart', { learner: '/etc', session_name: 's' }, 'invalid_input', 'learner'],
    ['learningSessionEnd', { session_id: 'nope' }, 'session_not_found', 'session'],
    ['learningSessionEnd', { session_id: 'p:11111111-1111-1111-1111-111111111111' }, 'session_not_found', 'session'],
    ['learningSessionEnd', {}, 'invalid_input', 'session_id'],
    ['learningReset', { learner: '../p' }, 'invalid_input', 'learner'],
    ['learningReset', { learner: 'p', arm_ids: [''] }, 'invalid_input', 'arm_ids'],
    ['feedback', { query_id: 'nope', outcomes: { a: 'accepted' } }, 'query_not_found', 'query'],
    ['feedback', { query_id: 'nope', outcomes: { a: 'great' } }, 'invalid_input', 'accepted, partial, rejected'],
    ['feedback', { query_id: 'nope', outcomes: ['a'] }, 'invalid_input', 'outcomes'],
    ['interoception', { limit: 0 }, 'invalid_input', 'limit'],
    ['interoceptionReset', { domain: 'd', source_id: 's' }, 'invalid_input', 'not both'],
  ] as const)('%s refuses %j', async (name, input, code, words) => {
    await expect(call(name, input)).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
    const rows = await fixture.store.db.selectFrom('learner_partition').selectAll().execute();
    expect(rows).toEqual([]);
  });
});
