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

it('plans no ingest into another domain', async () => {
  const source_path = test.file('plan.txt', 'The Amber Lamp requires a Copper Wick.');
  const key: Key = { areas: ['files'] };
  expect(await act('ingest_plan', { source_path, domain: 'others' }, key)).toMatchObject({ code: 'forbidden' });
  expect(await act('ingest_plan', { source_path, domain: 'own' }, key)).toMatchObject({ domain: 'own' });
});

describe('lists without a domain', () => {
  const both: Key = { domains: ['own', 'others'] };
  beforeAll(async () => {
    for (const domain of ['own', 'others']) {
      const concepts = ['One', 'Two', 'Three', 'Four'].map((name) => ({ name }));
      await act('ingest_structured', { domain, concepts }, both);
      const ids = (await test.service.graph.findNodes({ domain, kind: 'concept' }))
        .filter(({ name }) => concepts.some((concept) => concept.name === name))
        .map(({ id }) => id);
      await act('edit', { domain, type: 'add_concept', name: 'By Hand' }, both);
      const merged = await act('entities_merge', { domain, from_id: ids[0], into_id: ids[1] }, both);
      expect(merged.merge_id).toBeDefined();
    }
  });

  it.each(['edits', 'documents', 'entities_merges'] as const)(
    '%s answers as for the domain of the key',
    async (name) => {
      const { length } = Object.values(await act(name, {})).find(Array.isArray)!;
      expect(length).toBeGreaterThan(0);
      for (const limit of [1, length]) {
        expect(await act(name, { limit })).toEqual(await act(name, { limit, domain: 'own' }));
      }
      const none = await act(name, {}, { domains: ['new-*'] });
      expect(none).toEqual(
        name === 'edits' ? { edits: [], total: 0 } : { [name.replace('entities_', '')]: [], next: null },
      );
      const all = Object.values(await act(name, {}, { domains: null })).find(Array.isArray)!;
      expect(all.length).toBeGreaterThan(length);
    },
  );

  it('a merge that one shows is undone by a key of its domain only', async () => {
    const { edits } = await act('edits', { domain: 'others' }, both);
    const merge = edits.find(({ type }: { type: string }) => type === 'merge');
    expect(await act('edit_undo', { edit_id: merge.edit_id })).toMatchObject({ code: 'not_found' });
    expect(await act('edit_undo', { edit_id: merge.edit_id }, both)).toMatchObject({ state: 'undone' });
  });
});

describe('jobs', () => {
  const both: Key = { domains: ['own', 'others'], areas: ['files'] };
  const ofJob = ['job', 'job_files', 'job_retry', 'job_cancel'] as const;
  const made: Record<'paths' | 'uploads' | 'others' | 'bobs' | 'bobsOthers', string> = {} as never;
  beforeAll(async () => {
    const path = test.file('job.txt', 'The Amber Lamp requires a Copper Wick.');
    const uploads = [{ temporary_path: path, file_name: 'job.txt' }];
    const add = async (input: object, key: Key = both) => (await act('job_ingest', input, key)).job_id as string;
    made.paths = await add({ domain: 'own', paths: [path] });
    made.bobsOthers = await add({ domain: 'others', uploads }, { ...both, id: 'bob' });
    made.uploads = await add({ domain: 'own', uploads });
    made.others = await add({ domain: 'others', uploads });
    made.bobs = await add({ domain: 'own', uploads }, { ...both, id: 'bob' });
  });
  const listed = async (input: object, key?: Key) => {
    const { jobs, next } = await act('jobs', { limit: 10, ...input }, key);
    return { ids: jobs.map(({ job_id }: { job_id: string }) => job_id), next };
  };

  it.each(ofJob)('%s is held to the domains that the key has now, and to its owner', async (name) => {
    const codeOf = async (job_id: string, key?: Key) => (await act(name, { job_id }, key)).code;
    for (const areas of [[], ['jobs']] as const) {
      const refused = await act(name, { job_id: made.bobsOthers }, { areas });
      expect(refused.code).toBe('forbidden');
      expect(refused.message).not.toContain('others');
      expect(await codeOf(made.others, { areas })).toBe('forbidden');
    }
    expect(await codeOf(made.bobs)).toBe('forbidden');
    expect(await codeOf(made.bobs, { areas: ['jobs'] })).not.toBe('forbidden');
    expect(await codeOf(made.uploads)).not.toBe('forbidden');
    expect(await codeOf(made.others, { domains: null })).not.toBe('forbidden');
  });

  it('reads files of the server again only with the area files', async () => {
    expect(await act('job_retry', { job_id: made.paths })).toMatchObject({ code: 'forbidden' });
    expect((await act('job_retry', { job_id: made.paths }, { areas: ['files'] })).code).not.toBe('forbidden');
  });

  it('are listed as far as they are of the key and its domains, a cursor included', async () => {
    expect(await listed({})).toEqual({ ids: [made.uploads, made.paths], next: null });
    expect(await listed({ limit: 2 })).toEqual({ ids: [made.uploads, made.paths], next: null });
    expect(await listed({ limit: 1 })).toEqual({ ids: [made.uploads], next: made.uploads });
    expect((await listed({}, { areas: ['jobs'] })).ids).toEqual([made.bobs, made.uploads, made.paths]);
    expect(await listed({}, { domains: ['new-*'], areas: ['jobs'] })).toEqual({ ids: [], next: null });
    expect((await listed({}, { domains: null })).ids).toHaveLength(5);
    expect(await act('jobs', { domain: 'others' })).toMatchObject({ code: 'forbidden' });
  });
});
