import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openService, type TestService } from './harness.js';

/**
 * The fixture is the store of release 0.1 after: the sample handbook in `handbook`; in `shop` two concepts, an edge, an
 * edge to a missing endpoint and a rule; in `chat` one message of session `a`; one query. Model `static`.
 */
const FIXTURE = 'test/fixtures/release-0.1/svc.sqlite.gz';

describe('a data directory of release 0.1', () => {
  let directory: string;
  let service: TestService;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'upgrade-'));
    mkdirSync(join(directory, 'data'));
    writeFileSync(join(directory, 'data', 'svc.sqlite'), gunzipSync(readFileSync(FIXTURE)));
    service = await openService({ SVC_DATA_DIR: join(directory, 'data') });
  }, 60_000);
  afterAll(async () => {
    await service.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('opens with everything that was in it', async () => {
    const { body: status } = await service.get('/v1/status');
    expect(status).toMatchObject({ status: 'ok', domain_count: 3, embedding_model: 'static' });
    expect((await service.get('/v1/domains')).body.domains).toEqual([
      { name: 'chat', description: '', concept_count: 1, edge_count: 0, rule_count: 0 },
      { name: 'handbook', description: '', concept_count: 26, edge_count: 11, rule_count: 33 },
      { name: 'shop', description: '', concept_count: 2, edge_count: 1, rule_count: 1 },
    ]);
    const { body: documents } = await service.get('/v1/documents');
    expect(documents.documents.map((one: { label: string; passages: number }) => [one.label, one.passages])).toEqual([
      ['handbook.md', 15],
      ['a', 1],
      ['s1', 0],
    ]);
    expect((await service.get('/v1/stats')).body.activity.queries_served).toBe(1);
  });

  it('answers from text, vectors and graph as before', async () => {
    const question = { context: 'What do we do when Gull Feed is silent?', domains: ['handbook'] };
    const wanted = 'Wait one hour, since buoys often drop out in a storm.';
    const { body: best } = await service.post('/v1/query', question);
    expect(best.items[0].content).toContain(wanted);
    const { body: nearest } = await service.post('/v1/query', { ...question, mode: 'vec', top_k: 5 });
    expect(nearest.items.some(({ content }: { content: string }) => content.includes(wanted))).toBe(true);
    const { body } = await service.post('/v1/rules', { domains: ['shop'] });
    expect(body.rules.map((rule: { text: string }) => rule.text).sort()).toEqual([
      'Always provide Stove when you use Copper kettle.',
      'Never heat the Copper kettle dry.',
    ]);
  });

  it('keeps pending edges, turns of sessions and what makes an ingest idempotent', async () => {
    await service.post('/v1/ingest/structured', {
      domain: 'shop',
      source_id: 's2',
      concepts: [{ name: 'Missing part' }],
    });
    const { body: domains } = await service.get('/v1/domains');
    expect(domains.domains.at(-1)).toMatchObject({ name: 'shop', concept_count: 3, edge_count: 2 });

    const message = {
      domain: 'chat',
      session_id: 'a',
      text: 'Ada bought a copper kettle on Monday.',
      speaker: 'Ada',
      timestamp: '2026-01-05T10:00:00Z',
    };
    expect((await service.post('/v1/ingest/message', message)).body).toMatchObject({ passages: 1 });
    const next = { ...message, text: 'Bob asked for it.', speaker: 'Bob', timestamp: '2026-01-05T10:01:00Z' };
    expect((await service.post('/v1/ingest/message', next)).body).toMatchObject({ passages: 2 });
  });

  it('forgets exactly what a source of the former release asserted', async () => {
    const { body } = await service.get('/v1/documents?domain=handbook');
    expect((await service.delete(`/v1/documents/${body.documents[0].source_id}`)).status).toBe(200);
    const { body: domains } = await service.get('/v1/domains');
    expect(domains.domains.map((one: { name: string }) => one.name)).toEqual(['chat', 'shop']);
  });
});
