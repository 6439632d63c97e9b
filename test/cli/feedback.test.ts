import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { svc, svcJson } from './captured.js';
import { cleanUp, temporaryDirectory } from './processes.js';

const before = { ...process.env };
let query_id: string;
let ids: string[];

beforeAll(async () => {
  Object.assign(process.env, { SVC_DATA_DIR: temporaryDirectory(), SVC_EMBEDDING: 'none' });
  for (const text of ['Green tea comes from Japan.', 'Black tea comes from Assam.']) {
    await svcJson('call', 'ingest_text', '--input', JSON.stringify({ text, domain: 'd', name: text }));
  }
  const answer = await svcJson('query', 'where does tea come from');
  query_id = answer.query_id;
  ids = answer.items.map(({ id }: { id: string }) => id);
});
afterAll(async () => {
  process.env = before;
  await cleanUp();
});

describe('svc feedback', () => {
  it('records an outcome for each item, and the same source again replaces', async () => {
    const pairs = [`${ids[0]}=accepted`, `${ids[1]}=rejected`];
    expect(await svcJson('feedback', query_id, ...pairs, '--source', 'me')).toEqual({
      status: 'recorded',
      query_id,
      outcome_count: 2,
      source: 'me',
    });
    const human = await svc('feedback', query_id, `${ids[0]}=partial`, '--source', 'me');
    expect([human.code, human.stdout]).toEqual([0, `Recorded: 1 item of query ${query_id}.\n`]);
    expect((await svcJson('stats')).activity.outcomes).toEqual({ accepted: 0, partial: 1, rejected: 1 });
  });

  it.each([
    [
      ['x=good'],
      "'x=good' is invalid for argument 'item=outcome'. It must be the id of an item, = and accepted, partial or rejected.",
    ],
    [['accepted'], 'is invalid'],
    [[], "missing required argument 'item=outcome'"],
    [['d:none=accepted'], '<item=outcome> names d:none, which that query did not return.'],
    [['rule:d:1=accepted'], '<item=outcome> names rule:d:1, which is a rule; rate the items of the answer.'],
  ])('refuses what cannot be meant: %j', async (pairs, expected) => {
    const { code, stderr } = await svc('feedback', query_id, ...pairs);
    expect([code, stderr]).toEqual([2, expect.stringContaining(expected)]);
  });

  it('fails for an unknown query', async () => {
    const { code, stderr } = await svc('feedback', 'nope', `${ids[0]}=accepted`, '--json');
    expect([code, JSON.parse(stderr).code]).toEqual([1, 'query_not_found']);
  });
});
