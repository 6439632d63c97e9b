import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeShop, startWorld, type World } from '../mcp/world.js';
import {
  ArmState,
  DerivedRuleItem,
  DomainInfo,
  EdgeItem,
  Interoception,
  NodeItem,
  QueryItem,
  record,
  records,
} from './records.js';

type Json = Record<string, unknown>;

/** A client of variant A as others write it: a base address, a session, records of the members it knows. */
class VariantAClient {
  constructor(private readonly base: string) {}

  get(path: string): Promise<Json> {
    return this.send('GET', path);
  }
  post(path: string, body: Json): Promise<Json> {
    return this.send('POST', path, body);
  }
  delete(path: string): Promise<Json> {
    return this.send('DELETE', path);
  }

  private async send(method: string, path: string, body?: Json): Promise<Json> {
    const answer = await fetch(`${this.base}/v1${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as Json;
  }
}

let world: World;
let client: VariantAClient;
beforeAll(async () => {
  world = await startWorld();
  client = new VariantAClient(world.a);
  await client.post('/ingest/structured', {
    domain: 'orchard',
    concepts: [
      { name: 'Apple', description: 'A fruit that keeps through winter' },
      { name: 'Cellar', description: 'A cool room below the house' },
    ],
    edges: [{ source: 'Apple', target: 'Cellar', relation: 'REQUIRES' }],
    rules: [{ text: 'Never wash an Apple before it is stored.', category: 'storage' }],
  });
});
afterAll(() => world?.close());

describe('a client of variant A', () => {
  it('reads health, status, domains and statistics', async () => {
    expect(await client.get('/health')).toEqual({ status: 'ok' });
    const status = await client.get('/status');
    expect(typeof status.domain_count).toBe('number');
    record(Interoception, status.interoception);
    const { domains } = await client.get('/domains');
    expect(records(DomainInfo, domains)).toMatchObject([{ name: 'orchard', concept_count: 2, edge_count: 1 }]);
    expect(Object.keys(await client.get('/stats')).sort()).toEqual(['activity', 'health', 'knowledge', 'learning']);
  });

  it('ingests a file, a text and messages, and asks', async () => {
    const file = join(world.directory, 'cider.md');
    writeFileSync(file, '# Cider\n\nCider is pressed from Apples in October.\n');
    const [ofFile, ofText] = [
      await client.post('/ingest', { source_path: file, domain: 'orchard' }),
      await client.post('/ingest/text', { text: 'Pears ripen off the tree.', domain: 'orchard', name: 'pears' }),
    ];
    expect([ofFile.domain, ofText.source]).toEqual(['orchard', 'pears']);
    const message = { text: 'I like pears.', session_id: 's1', role: 'user' };
    expect(await client.post('/ingest/message', message)).toMatchObject({ domain: 'default', session_id: 's1' });

    const answer = await client.post('/query', { context: 'What is cider pressed from?', domains: ['orchard'] });
    const items = records<{ id: string; content: string; metadata: Json }>(QueryItem, answer.items);
    expect(items[0]!.content).toContain('Cider is pressed from Apples');
    for (const { metadata } of items) {
      for (const name of ['vec_score', 'ppr_score', 'kg_coverage']) expect(typeof metadata[name]).toBe('number');
    }
    const outcomes = { [items[0]!.id]: 'accepted', [items[1]!.id]: 'rejected' };
    expect(await client.post('/feedback', { query_id: answer.query_id, outcomes })).toMatchObject({
      status: 'recorded',
      outcome_count: 2,
    });
    const explored = await client.post('/explore', { node_id: items[0]!.id, depth: 2 });
    record(NodeItem, explored.node);
    records(EdgeItem, explored.edges);
    records(NodeItem, explored.neighbors);
  });

  it('lists rules', async () => {
    const answer = await client.post('/rules', { domains: ['orchard'], categories: [], min_confidence: 0.1 });
    const rules = records<{ text: string }>(DerivedRuleItem, answer.rules);
    expect(rules.map(({ text }) => text)).toContain('Never wash an Apple before it is stored.');
    expect([answer.domain_count, answer.projection]).toEqual([1, 'rules']);
  });

  it('selects, observes and resets arms', async () => {
    const selected = await client.post('/learning/select', {
      learner: 'prompts',
      candidates: [
        { id: 'short', token_cost: 10 },
        { id: 'long', token_cost: 90 },
      ],
      k: 2,
      token_budget: 50,
    });
    expect((selected.selected_arms as Json[]).map(({ id }) => id)).toEqual(['short']);
    await client.post('/learning/observe', { learner: 'prompts', arm_id: 'short', outcome: 'accepted' });
    const { posteriors } = await client.get('/learning/prompts/posteriors');
    const arm = record<{ alpha: number; mean: number }>(ArmState, (posteriors as Json).short);
    expect([arm.alpha, arm.mean]).toEqual([2, 2 / 3]);
    expect(await client.get('/learning/prompts/metrics')).toMatchObject({ learner: 'prompts', total_pulls: 1 });
    expect(await client.post('/learning/reset', { learner: 'prompts' })).toMatchObject({ deleted: 1 });
  });

  it('connects, syncs and disconnects a database', async () => {
    const connected = await client.post('/sources/connect', {
      source_id: 'shop',
      connection_string: makeShop(world.directory),
      schemas: ['main'],
    });
    expect(connected).toEqual({ status: 'connected', source_id: 'shop', tables: 2, table_names: expect.any(Array) });
    expect(await client.post('/sources/shop/sync', {})).toMatchObject({ tables_synced: 2, errors: [] });
    expect(await client.get('/sources')).toEqual({ sources: [{ source_id: 'shop', tables: 2 }] });
    expect(await client.delete('/sources/shop')).toEqual({ status: 'disconnected', source_id: 'shop' });
  });
});
