import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Area, runFor } from '../../src/core/async/caller-scope.js';
import { operations } from '../../src/operations/index.js';
import { invoke } from '../../src/operations/invoke.js';
import { openService, type TestService } from '../service/harness.js';

let test: TestService;
beforeAll(async () => {
  test = await openService();
  for (const domain of ['own', 'others']) {
    await test.post('/v1/ingest/text', {
      domain,
      name: `${domain} book`,
      text: 'The Amber Lamp requires a Copper Wick.',
    });
  }
}, 60_000);
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => test.close());

interface Key {
  readonly id?: string;
  readonly domains?: readonly string[] | null;
  readonly areas?: readonly Area[];
}

/** Calls an operation as a key that is bound to `own` does, where nothing else is said; an error is answered as its code. */
async function act(
  name: keyof typeof operations,
  input: object,
  { id = 'ada', domains = ['own'], areas = [] }: Key = {},
) {
  const caller = { id, scope: { name: id, domains, access: 'write', areas } } as const;
  const context = { surface: 'internal', authenticated: true } as const;
  const answer = runFor(caller, () => invoke(test.service, operations[name], input, context));
  // biome-ignore lint/suspicious/noExplicitAny: answers of every operation pass through here
  return answer.catch(({ code, message }) => ({ code, message })) as Promise<any>;
}

describe('status', () => {
  const record = {
    kind: 'node',
    id: 'others:zorkmid',
    error: 'zorkmid is too long',
    at: '2029-01-01T00:00:00Z',
  } as const;
  beforeEach(() => {
    const refused = { count: 1, records: [record] };
    const engine = {
      engine: 'vectors',
      state: 'degraded',
      behind: 3,
      error: 'zorkmid fails',
      since: record.at,
    } as const;
    jest.spyOn(test.service.followers, 'status').mockResolvedValue([{ ...engine, refused }]);
  });

  it('quotes no record and no error of an engine to a key without the area admin', async () => {
    const answer = await act('status', {});
    expect(JSON.stringify(answer)).not.toContain('zorkmid');
    const engine = { engine: 'vectors', state: 'degraded', behind: 3, error: null, since: record.at };
    expect(answer).toMatchObject({ status: 'degraded', domain_count: 1, engines: [engine], problems: ['vectors'] });
    expect(answer.engines[0]).not.toHaveProperty('refused');
  });

  it.each<Key>([{ areas: ['admin'] }, { domains: null }])('says all of it to %j', async (key) => {
    const { engines, problems } = await act('status', {}, key);
    expect(engines[0].refused.records).toEqual([record]);
    expect(problems.join()).toContain('others:zorkmid: zorkmid is too long');
  });
});
