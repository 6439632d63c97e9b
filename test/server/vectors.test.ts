import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../mcp/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.close());

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${world.a}/v1/vectors${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('the vector operations over HTTP', () => {
  it('do what the tools do, with the index named in the path', async () => {
    const create = { index_name: 'colours', dimension: 2 };
    expect((await call('POST', '', create)).body).toEqual({ status: 'created', index_name: 'colours' });
    expect((await call('POST', '', create)).body.status).toBe('exists');
    expect(await call('POST', '', { ...create, dimension: 3 })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    const vectors = {
      vectors: [
        [1, 0],
        [0, 1],
      ],
      ids: ['red', 'blue'],
      metadata: [{ warm: true }, { warm: false }],
    };
    expect((await call('POST', '/colours/upsert', vectors)).body).toEqual({ ids: ['red', 'blue'] });
    expect((await call('GET', '')).body.indexes).toEqual(['colours']);
    expect((await call('GET', '/colours')).body).toEqual({ dimension: 2, count: 2, metric: 'cosine' });
    const other = await call('POST', '', { index_name: 'colours', dimension: 2, metric: 'euclidean' });
    expect([other.status, other.body.code]).toEqual([409, 'conflict']);
    const found = await call('POST', '/colours/query', { query_vector: [1, 1], filter: { warm: false } });
    expect(found.body.results).toMatchObject([{ id: 'blue' }]);
    const change = { filter: { warm: true }, metadata: { hot: 1 } };
    expect((await call('POST', '/colours/update', change)).body).toEqual({ status: 'updated', count: 1 });
    expect((await call('POST', '/colours/delete', { id: 'red' })).body).toEqual({ status: 'deleted', id: 'red' });
    expect((await call('POST', '/colours/delete-many', { ids: ['blue', 'none'] })).body.count).toBe(1);
    expect((await call('POST', '/colours/delete-many', {})).status).toBe(400);
    expect((await call('DELETE', '/colours')).body).toEqual({ status: 'deleted', index_name: 'colours' });
    expect(await call('GET', '/colours')).toMatchObject({ status: 404, body: { code: 'index_not_found' } });
  });
});
