import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { variantB } from '../../src/server/routes/variant-b.js';
import { startWorld, type World } from '../mcp/world.js';

type Json = Record<string, unknown>;

let world: World;
let nodeId = '';
let queryId = '';
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.close());

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${world.b}${path}`, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

async function upload(fields: Record<string, string>, file?: { name: string; content: string }) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (file !== undefined) form.set('file', new Blob([file.content]), file.name);
  const response = await fetch(`${world.b}/api/v1/ingest`, { method: 'POST', body: form });
  return { status: response.status, body: (await response.json()) as Json };
}

const spools = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`svc-upload-${process.pid}-`));
const keys = (value: unknown) => Object.keys(value as object);

describe('variant B', () => {
  it('ingests concepts, edges with relation_type, and rules', async () => {
    const { status, body } = await call('POST', '/api/v1/ingest/structured', {
      domain: 'shop, food',
      concepts: [],
    });
    expect([status, body.code]).toEqual([400, 'invalid_input']);
    const answer = await call('POST', '/api/v1/ingest/structured', {
      domain: 'shop/food',
      concepts: [{ name: 'Tea', description: 'Leaves in water' }, { name: 'Water' }],
      edges: [{ source: 'Tea', target: 'Water', relation_type: 'REQUIRES' }],
      rules: [{ text: 'Never boil green Tea.' }, { text: 'Rinse the pot.', category: 'a,b' }],
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { domain: 'shop/food', concepts: 2, edges: 1, rules: 2, warnings: [] },
    });
  });

  it('ingests text in either format', async () => {
    const text = '# Brewing\n\nOolong steeps for three minutes.';
    for (const format of ['text', 'markdown']) {
      const { status, body } = await call('POST', '/api/v1/ingest/text', {
        text,
        domain: 'notes',
        format,
        name: format,
      });
      expect([status, body.source]).toEqual([200, format]);
    }
    expect((await call('POST', '/api/v1/ingest/text', { text, domain: 'notes', format: 'pdf' })).status).toBe(400);
  });

  it('ingests an upload; source_type wins over the extension; nothing stays on disk', async () => {
    const before = spools();
    const file = { name: 'brewing.md', content: '# Times\n\nSencha steeps for one minute.' };
    const answer = await upload({ domain: 'files' }, file);
    expect(answer).toMatchObject({ status: 200, body: { domain: 'files', source: 'brewing.md' } });
    expect((await upload({ domain: 'files', source_type: 'text' }, { ...file, name: 'no-extension' })).status).toBe(
      200,
    );
    expect((await upload({ domain: 'files', source_type: 'pdf' }, file)).status).toBeGreaterThanOrEqual(400);
    expect((await upload({ domain: 'files', source_type: 'tape' }, file)).body.code).toBe('invalid_input');
    expect((await upload({ domain: 'files' }, { ...file, name: 'x.xyz' })).body.code).toBe('unsupported_media');
    expect((await upload({ domain: 'files' })).body).toMatchObject({
      code: 'invalid_input',
      details: { member: 'file' },
    });
    expect((await upload({}, file)).body).toMatchObject({ code: 'invalid_input', details: { member: 'domain' } });
    expect(spools()).toEqual(before);
  });

  it('takes a field of an upload that is empty for absent, as browsers send them', async () => {
    const file = { name: 'matcha.md', content: '# Matcha\n\nMatcha is whisked.' };
    const answer = await upload({ domain: 'files', source_type: '', name: '' }, file);
    expect(answer).toMatchObject({ status: 200, body: { domain: 'files', source: 'matcha.md' } });
    expect((await upload({ domain: '' }, file)).body).toMatchObject({
      code: 'invalid_input',
      details: { member: 'domain' },
    });
  });

  it('keeps the name of an upload in what it answers, as it was given', async () => {
    expect((await upload({ domain: 'files' }, { name: 'MEETING.TXT', content: 'Budget was agreed.' })).status).toBe(
      200,
    );
    const { body } = await call('POST', '/api/v1/query', { context: 'budget', domains: ['files'], top_k: 1 });
    expect((body.items as Json[])[0]!.content).toContain('MEETING.TXT');
  });

  it.each([
    ['of an unknown type', 415, { domain: 'files' }, { name: 'x.xyz', content: 'Words.' }],
    ['that is empty', 400, { domain: 'files' }, { name: 'empty.txt', content: '' }],
    ['of text that is said to be PDF', 415, { domain: 'files', source_type: 'pdf' }, { name: 'a.md', content: '# A' }],
    ['of bytes that are no text', 415, { domain: 'files' }, { name: 'a.txt', content: '\0\u0001\0\u0002'.repeat(99) }],
  ])('names the form field when it refuses an upload %s', async (_, status, fields, file) => {
    const { body, ...answer } = await upload(fields, file);
    expect([answer.status, (body.details as Json).member]).toEqual([status, 'file']);
    expect(body.error).not.toContain('source_path');
  });

  it('answers a question with a QueryResult, by default 20 items from anywhere', async () => {
    const { status, body } = await call('POST', '/api/v1/query', { context: 'Tea and Water' });
    expect(status).toBe(200);
    expect(keys(body)).toEqual(['query_id', 'items', 'rules']);
    const [item] = body.items as Json[];
    expect(keys(item)).toEqual(expect.arrayContaining(['id', 'content', 'score', 'domain', 'node_id', 'metadata']));
    nodeId = String(item!.node_id);
    queryId = String(body.query_id);
    expect(
      (await call('POST', '/api/v1/query', { context: 'Tea', mode: 'vec', domains: [], top_k: null })).status,
    ).toBe(200);
  });

  it('records feedback under the source http', async () => {
    const { body } = await call('POST', '/api/v1/feedback', { query_id: queryId, outcomes: { [nodeId]: 'partial' } });
    expect(body).toMatchObject({ status: 'recorded', query_id: queryId, outcome_count: 1, source: 'http' });
    const named = { query_id: queryId, outcomes: { [nodeId]: 'accepted' }, source: 'me' };
    expect((await call('POST', '/api/v1/feedback', named)).body.source).toBe('me');
    const unknown = { query_id: 'none', outcomes: { a: 'accepted' } };
    expect(await call('POST', '/api/v1/feedback', unknown)).toMatchObject({
      status: 404,
      body: { code: 'query_not_found' },
    });
  });

  it('explores a node whose id is percent-encoded once; 404 where there is none', async () => {
    const path = `/api/v1/explore/${encodeURIComponent(nodeId)}`;
    const { status, body } = await call('GET', `${path}?depth=9`);
    expect([status, (body.node as Json).id]).toEqual([200, nodeId]);
    expect(keys(body)).toEqual(['node', 'edges', 'neighbors', 'rules']);
    expect(await call('GET', '/api/v1/explore/shop%2Ffood%3Anothing')).toMatchObject({
      status: 404,
      body: { code: 'node_not_found' },
    });
    expect((await call('GET', `${path}?depth=two`)).status).toBe(400);
  });

  it.each([
    ['repeated', 'domains=shop%2Ffood&domains=notes&categories=general&categories=a%2Cb', 2],
    ['with commas', 'domains=shop%2Ffood,notes&categories=general,security', 1],
    ['as one value', 'domains=shop%2Ffood&categories=general', 1],
    ['not at all', 'include_derived=false', 2],
  ])('takes lists in the query string %s', async (_name, query, rules) => {
    const { status, body } = await call('GET', `/api/v1/rules?${query}`);
    expect([status, body.projection]).toEqual([200, 'rules']);
    expect((body.rules as Json[]).filter(({ metadata }) => (metadata as Json).derivation === 'explicit')).toHaveLength(
      rules,
    );
  });

  it('filters rules by confidence and concept', async () => {
    expect((await call('GET', '/api/v1/rules?min_confidence=1.1')).status).toBe(400);
    const of = await call('GET', `/api/v1/rules?concept_ids=${encodeURIComponent(nodeId)}&min_confidence=0.2`);
    expect((of.body.rules as Json[]).length).toBeGreaterThan(0);
  });

  it('lists domains as a bare list', async () => {
    const { body } = await call('GET', '/api/v1/domains');
    expect(Array.isArray(body)).toBe(true);
    const shop = (body as unknown as Json[]).find((one) => one.name === 'shop/food');
    expect(shop).toMatchObject({ description: expect.any(String), concept_count: 2, edge_count: 1, rule_count: 2 });
  });

  it('tells status with the health of each part', async () => {
    const { body } = await call('GET', '/api/v1/status');
    expect(body).toMatchObject({
      status: 'ok',
      backend: 'embedded',
      vector_index: 'hnsw',
      vector_search: true,
      graph_algorithms: true,
      domain_count: 3,
      health: { graph: 'ok', vector: 'ok', text: 'ok', store: 'ok' },
    });
  });

  it('migrates vectors from a kind, named either way, and answers two members', async () => {
    const { status, body } = await call('POST', '/api/v1/migrate/vec', {
      from: 'pgvector',
      to: 'hnsw',
      batch_size: 10,
    });
    // There is no PostgreSQL here: the answer says so, and what to set.
    expect([status, body.code]).toEqual([400, 'invalid_input']);
    expect((await call('POST', '/api/v1/migrate/vec', { from: 'cards', to: 'hnsw' })).body.code).toBe('invalid_input');
    const onto = await call('POST', '/api/v1/migrate/vec', { from: 'hnsw', to: 'hnsw' });
    expect(onto).toMatchObject({ status: 400, body: { code: 'invalid_input', details: { member: 'from' } } });
    const none = await call('POST', '/api/v1/migrate/vec', { to: 'hnsw' });
    expect(none.body.error).toBe('Send exactly one of source_type, source and from; 0 were given.');
    const { reply } = variantB.find((row) => row.path === '/api/v1/migrate/vec')!;
    const done = {
      source_type: 'hnsw',
      dest_type: 'qdrant',
      batches: 1,
      vectors_read: 4,
      vectors_written: 3,
      duration_seconds: 0.5,
    };
    expect(reply!(done, {})).toEqual({ migrated: 3, duration_seconds: 0.5 });
  });

  it('answers JSON to what does not exist', async () => {
    expect(await call('GET', '/api/v1/nowhere')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await call('GET', '/api/v1/query')).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(await call('GET', '/v1/domains')).toMatchObject({ status: 404 });
    expect(await call('GET', '/api/v1/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});
