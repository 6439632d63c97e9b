import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { conceptId } from '../../src/core/ids.js';
import { openService, type TestService } from '../service/harness.js';

const DOMAIN = 'names';
let test: TestService;
const id = (name: string) => conceptId(DOMAIN, name);
const edit = (body: object) => test.post('/v1/edits', { domain: DOMAIN, ...body });

beforeAll(async () => {
  test = await openService();
  await test.post('/v1/ingest/structured', {
    domain: DOMAIN,
    concepts: ['Alpha', 'Beta', 'Gamma'].map((name) => ({ name, description: `The letter ${name}.` })),
    edges: [{ source: 'Alpha', target: 'Beta', relation: 'requires' }],
  });
  expect((await edit({ type: 'change_concept', id: id('Alpha'), name: 'Omega' })).status).toBe(200);
});
afterAll(() => test.close());

describe('a concept that was given another name', () => {
  it('is found by it, and by the former one', async () => {
    for (const source of ['Omega', 'omega', 'Alpha', id('Alpha')]) {
      const made = await edit({ type: 'add_edge', source, relation: 'uses', target: 'Gamma' });
      expect(made.status).toBe(200);
      expect((await edit({ type: 'remove_edge', source, relation: 'uses', target: 'Gamma' })).status).toBe(200);
    }
  });

  it('keeps others from having it', async () => {
    const taken = { status: 409, body: { details: { member: 'name' } } };
    expect(await edit({ type: 'change_concept', id: 'Beta', name: 'Omega' })).toMatchObject(taken);
    expect(await edit({ type: 'add_concept', name: ' omega ' })).toMatchObject(taken);
  });

  it('gives its former name free for another, which then has it', async () => {
    expect((await edit({ type: 'change_concept', id: 'Gamma', name: 'Alpha' })).status).toBe(200);
    expect((await edit({ type: 'add_edge', source: 'Alpha', relation: 'uses', target: 'Beta' })).status).toBe(200);
    const { body } = await test.post('/v1/explore', { node_id: id('Gamma') });
    expect(JSON.stringify(body)).toContain('USES');
    expect((await edit({ type: 'remove_edge', source: 'Omega', relation: 'requires', target: 'Beta' })).status).toBe(
      200,
    );
  });
});

it('a name of a text stays one where a concept leaves it that an edit gave the name of another one', async () => {
  const domain = 'left names';
  const entities = async () => {
    const nodes = await test.service.graph.findNodes({ domain, limit: 100 });
    return nodes.flatMap(({ kind, name }) => (kind === 'entity' ? [name] : [])).sort();
  };
  const text = 'The miners know that Crane is late. Nobody keeps Water Engine in the Guild.';
  await test.post('/v1/ingest/text', { domain, name: 'tale', text });
  const before = await entities();
  expect(before).toContain('Guild');
  const batch = { domain, source_id: 'batch', concepts: [{ name: 'Guild' }] };
  const { body } = await test.post('/v1/ingest/structured', batch);
  const renamed = { domain, type: 'change_concept', id: conceptId(domain, 'Guild'), name: 'Water Engine' };
  const made = await test.post('/v1/edits', renamed);
  expect(made.status).toBe(200);
  await test.delete(`/v1/documents/${body.source_id}`);
  expect(await entities()).toEqual(before);
  await test.delete(`/v1/edits/${made.body.edit_id}`);
  expect(await entities()).toEqual(before);
});
