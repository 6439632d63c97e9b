import { expect, it } from '@jest/globals';
import { reachText, type TestService, withService } from './harness.js';

const ask = (test: TestService, context: string, key?: string) =>
  test.send('/v1/query', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ context, domains: ['reach'], top_k: 3 }),
  });

it('recent queries come newest first, with what was returned and how it was rated', async () => {
  await withService({}, async (test) => {
    await test.post('/v1/ingest/text', reachText('tower'));
    await ask(test, 'Who designed the tower?');
    const { body } = await ask(test, 'When is the lamp lit?');
    await test.post('/v1/feedback', {
      query_id: body.query_id,
      outcomes: { [body.items[0].id]: 'accepted' },
      source: 'tester',
    });
    const { queries, total } = (await test.get('/v1/queries?limit=1')).body;
    expect(total).toBe(2);
    expect(queries).toMatchObject([
      {
        query_id: body.query_id,
        query: 'When is the lamp lit?',
        domains: ['reach'],
        mode: 'auto',
        items: [{ id: body.items[0].id, name: 'Aldra Tower', ratings: [{ source: 'tester', outcome: 'accepted' }] }],
      },
    ]);
    expect((await test.get('/v1/queries?limit=1&offset=1')).body.queries[0]).toMatchObject({
      query: 'Who designed the tower?',
      items: [{ ratings: [] }],
    });
    const { documents } = (await test.get('/v1/documents')).body;
    await test.delete(`/v1/documents/${documents[0].source_id}`);
    expect((await test.get('/v1/queries?limit=1')).body.queries[0].items[0].name).toBeNull();
  });
});

it('recent queries of a caller with a key are its own', async () => {
  await withService({ SVC_API_KEYS: 'one-key,other-key' }, async (test) => {
    const get = (key: string) => test.send('/v1/queries', { headers: { authorization: `Bearer ${key}` } });
    const text = { ...reachText('tower') };
    await test.send('/v1/ingest/text', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer one-key' },
      body: JSON.stringify(text),
    });
    await ask(test, 'Who designed the tower?', 'one-key');
    expect((await get('one-key')).body).toMatchObject({ total: 1, queries: [{ query: 'Who designed the tower?' }] });
    expect((await get('other-key')).body).toEqual({ queries: [], total: 0 });
    expect((await test.get('/v1/queries')).status).toBe(401);
  });
});

it('questions that asked a removed domain alone go with it, those on their way too, and others stay', async () => {
  await withService({}, async (test) => {
    await test.post('/v1/ingest/text', reachText('tower'));
    await test.post('/v1/ingest/text', { ...reachText('tower'), domain: 'other' });
    const { body } = await ask(test, 'What is the passport number of Mira Voss?');
    await test.post('/v1/feedback', { query_id: body.query_id, outcomes: { [body.items[0].id]: 'accepted' } });
    await test.post('/v1/query', { context: 'Who designed the tower of both?', domains: ['reach', 'other'] });
    await test.post('/v1/query', { context: 'Who designed the other tower?', domains: ['other'] });
    await ask(test, 'Where does Mira Voss live?');
    expect((await test.delete('/v1/domains/reach')).status).toBe(200);
    const { queries, total } = (await test.get('/v1/queries')).body;
    expect(queries.map((entry: { query: string }) => entry.query)).toEqual([
      'Who designed the other tower?',
      'Who designed the tower of both?',
    ]);
    expect(total).toBe(2);
    expect((await test.get('/v1/stats')).body.activity).toMatchObject({ queries_served: 4, feedback_given: 1 });
    const late = await test.post('/v1/feedback', {
      query_id: body.query_id,
      outcomes: { [body.items[0].id]: 'accepted' },
    });
    expect(late).toMatchObject({ status: 404, body: { code: 'query_not_found' } });
  });
});
