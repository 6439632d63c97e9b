import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runFor } from '../../src/core/async/caller-scope.js';
import { operations } from '../../src/operations/index.js';
import { invoke } from '../../src/operations/invoke.js';
import { openService, type TestService } from '../service/harness.js';

let test: TestService;
beforeAll(async () => {
  test = await openService();
  await test.post('/v1/ingest/text', { domain: 'own', name: 'book', text: 'The Amber Lamp requires a Copper Wick.' });
}, 60_000);
afterAll(() => test.close());

/** Calls an operation as the owner of a key does: of all domains where none are given. */
async function act(id: string, name: keyof typeof operations, input: object = {}, domains: string[] | null = ['own']) {
  const caller = { id, scope: { name: id, domains, access: 'write', areas: [] } } as const;
  const context = { surface: 'internal', authenticated: true, caller: id } as const;
  const answer = runFor(caller, () => invoke(test.service, operations[name], input, context));
  // biome-ignore lint/suspicious/noExplicitAny: answers of every operation pass through here
  return answer as Promise<any>;
}

it('a key that is bound to domains is told of its own queries and feedback alone', async () => {
  const outcomes = (rejected: number) => ({ accepted: 0, partial: 0, rejected });
  const none = { queries_served: 0, feedback_given: 0, feedback_rate: 0, outcomes: outcomes(0) };
  const question = { context: 'Amber Lamp' };
  await act('full', 'query', question, null);
  const { query_id, items } = await act('ada', 'query', question);
  await act('ada', 'query', question);
  await act('ada', 'feedback', { query_id, outcomes: { [items[0].id]: 'rejected' } });
  const activityOf = async (id: string, domains?: null) => (await act(id, 'stats', {}, domains)).activity;
  const own = { queries_served: 2, feedback_given: 1, feedback_rate: 0.5, outcomes: outcomes(1) };
  expect(await activityOf('ada')).toEqual(own);
  expect(await activityOf('ad')).toEqual(none);
  expect(await activityOf('bo')).toEqual(none);
  expect(await activityOf('full', null)).toMatchObject({ queries_served: 3, feedback_given: 1 });
});
