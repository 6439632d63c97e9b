import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openService, snapshot, type TestService } from '../service/harness.js';
import { blockedPairs, measure, SETTINGS } from './labelled-pairs.js';

describe('entity resolution on labelled pairs', () => {
  let blocked: Set<string>;
  beforeAll(async () => {
    blocked = await blockedPairs(SETTINGS);
  }, 60_000);

  it.each(['development', 'held-out'] as const)('merges the %s pairs surely, and most of them', (split) => {
    const { precision, recall, wrong } = measure(split, SETTINGS, blocked);
    expect({ split, wrong: precision >= 0.98 ? [] : wrong }).toEqual({ split, wrong: [] });
    expect(recall).toBeGreaterThanOrEqual(0.8);
  });

  it('compares pairs by a bounded part of all pairs', () => {
    const names = new Set([...blocked].flatMap((pair) => pair.split('\0'))).size;
    expect(blocked.size).toBeLessThan((names * (names - 1)) / 2 / 10);
  });

  it('is decided by the settings', async () => {
    const scores = { ...SETTINGS.scores, acronym_together: 0.1, acronym_stated: 0.1, person_together: 0.1 };
    const reset = { ...SETTINGS, scores };
    expect(measure('development', reset, blocked).recall).toBeLessThan(
      measure('development', SETTINGS, blocked).recall,
    );
    const narrow = await blockedPairs({ ...SETTINGS, largest_block: 2, neighbours: 0 });
    expect(narrow.size).toBeLessThan(blocked.size);
    expect(measure('development', SETTINGS, narrow).blocked).toBeLessThan(1);
  });
});

const person = (name: string, description: string) => ({ name, description, properties: { type: 'person' } });

describe('entity resolution of a domain', () => {
  let test: TestService;

  beforeAll(async () => {
    test = await openService();
    await test.post('/v1/ingest/text', {
      domain: 'unions',
      name: 'report',
      text: 'The International Mining Union (IMU) was founded in Helm. The IMU pays for pumps. The Common Market Act (CMA) was passed late. The Country Music Award (CMA) is given in Helm.',
    });
    await test.post('/v1/ingest/structured', {
      domain: 'unions',
      source_id: 'one',
      concepts: [
        { name: 'International Mining Union', description: 'A union of miners.', properties: { type: 'organisation' } },
        { name: 'IMU', properties: { type: 'organisation' } },
        { name: 'Common Market Act', properties: { type: 'work' } },
        { name: 'Country Music Award', properties: { type: 'work' } },
        { name: 'CMA', properties: { type: 'work' } },
        { name: 'Route 16' },
        { name: 'Route 26' },
        person('Ada Gray', 'Ada Gray leads the union of miners in Helm.'),
        person('Ada Miriam Gray', 'Ada Miriam Gray leads the union of miners in Helm since 1911.'),
        person('Bela Gray', 'Bela Gray leads the union of miners in Helm.'),
        { id: 'mercury-planet', name: 'Mercury', description: 'Planet closest to our sun, without moons.' },
        { id: 'mercury-metal', name: 'Mercury', description: 'Liquid silvery chemical element used by thermometers.' },
        { name: 'Jon Doe Committee', properties: { aliases: ['The Doe Panel'] } },
        { name: 'Doe Panel' },
      ],
      edges: [
        { source: 'IMU', target: 'Route 16', relation: 'PAYS' },
        { source: 'Ada Miriam Gray', target: 'IMU', relation: 'LEADS' },
      ],
    });
    await test.post('/v1/ingest/structured', {
      domain: 'others',
      concepts: [{ name: 'I.M.U.', description: 'Something else.', properties: { type: 'organisation' } }],
    });
  }, 60_000);
  afterAll(() => test.close());

  const expected = [
    ['Ada Gray', 'Ada Miriam Gray', 'person'],
    ['Doe Panel', 'Jon Doe Committee', 'alias'],
    ['IMU', 'International Mining Union', 'acronym'],
  ];
  const named = (merges: Array<{ from_name: string; into_name: string; method: string }>) =>
    merges.map(({ from_name, into_name, method }) => [...[from_name, into_name].sort(), method]).sort();

  it('tells what it would merge: no homonyms, no other numbers, no abbreviation of two things', async () => {
    const { body } = await test.post('/v1/entities/resolve', { domain: 'unions', dry_run: true });
    expect(named(body.merges)).toEqual(expected.map(([a, b, method]) => [...[a, b].sort(), method]).sort());
    expect(body.ambiguous).toEqual(['CMA']);
    expect((await test.get('/v1/entities/merges')).body).toEqual({ merges: [], next: null });
  });

  it('merges within the domain, lists the log by page, and undoes exactly', async () => {
    const before = await snapshot(test, 'unions');
    const others = await snapshot(test, 'others');
    const { body } = await test.post('/v1/entities/resolve', { domain: 'unions' });
    expect(body.merges).toHaveLength(3);
    const after = await snapshot(test, 'unions');
    expect(after.nodes.filter((node) => node.kind === 'concept')).toHaveLength(11);
    expect(await snapshot(test, 'others')).toEqual(others);
    const [imu] = (await test.post('/v1/query', { context: 'International Mining Union', domains: ['unions'] })).body
      .items;
    expect(imu.content).toContain('International Mining Union');
    const first = (await test.get('/v1/entities/merges?limit=1&domain=unions')).body;
    expect(first.merges).toHaveLength(1);
    const rest = (await test.get(`/v1/entities/merges?after=${first.next}`)).body;
    const all = [...first.merges, ...rest.merges];
    expect(all).toHaveLength(3);
    const merged = await snapshot(test, 'unions');
    for (const one of all) {
      const { body: shown } = await test.post('/v1/entities/undo', { merge_id: one.merge_id, dry_run: true });
      expect(shown).toEqual({ ...one, status: 'dry_run' });
    }
    expect(await snapshot(test, 'unions')).toEqual(merged);
    const none = await test.post('/v1/entities/undo', { merge_id: 'none', dry_run: true });
    expect(none.body).toMatchObject({ code: 'not_found', details: { member: 'merge_id' } });
    for (const { merge_id } of all) {
      const undone = await test.post('/v1/entities/undo', { merge_id });
      expect(undone.body).toMatchObject({ status: 'undone', undone_at: expect.stringMatching(/^\d{4}-/) });
    }
    expect(await snapshot(test, 'unions')).toEqual(before);
    // A repetition whose first answer was lost is answered alike.
    const again = await test.post('/v1/entities/undo', { merge_id: all[0].merge_id });
    expect([again.status, again.body.merge_id, again.body.undone_at]).toEqual([
      200,
      all[0].merge_id,
      expect.any(String),
    ]);
    expect((await test.post('/v1/entities/undo', { merge_id: 'none' })).status).toBe(404);
  });

  it('does not merge again what somebody undid, unless told to', async () => {
    expect((await test.post('/v1/entities/resolve', { domain: 'unions' })).body.merges).toEqual([]);
    const ids = (await test.get('/v1/entities/merges')).body.merges[0];
    const { status, body } = await test.post('/v1/entities/merge', {
      domain: 'unions',
      from_id: ids.from_id,
      into_id: ids.into_id,
    });
    expect([status, body.method]).toEqual([200, 'manual']);
  });

  it('says what is wrong with bad input', async () => {
    expect((await test.post('/v1/entities/resolve', { domain: 'nowhere' })).status).toBe(404);
    const absent = { domain: 'unions', from_id: 'unions:none', into_id: 'unions:nothing' };
    expect((await test.post('/v1/entities/merge', absent)).status).toBe(404);
  });

  it('refuses to merge concepts of two domains, and changes neither', async () => {
    const idOf = async (domain: string, name: string) =>
      (await test.service.graph.findNodes({ domain, kind: 'concept' })).find((node) => node.name === name)!.id;
    const [here, there] = [await idOf('unions', 'Route 16'), await idOf('others', 'I.M.U.')];
    const before = [await snapshot(test, 'unions'), await snapshot(test, 'others')];
    for (const [from_id, into_id] of [
      [here, there],
      [there, here],
    ]) {
      for (const domain of ['unions', 'others']) {
        const { status, body } = await test.post('/v1/entities/merge', { domain, from_id, into_id });
        const foreign = domain === 'unions' ? there : here;
        expect([status, body.code]).toEqual([404, 'node_not_found']);
        expect(body.error).toBe(`Node ${foreign} is no concept of domain ${domain}.`);
      }
    }
    expect([await snapshot(test, 'unions'), await snapshot(test, 'others')]).toEqual(before);
  });
});
