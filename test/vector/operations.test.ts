import { beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryVectors } from '../../src/backends/vector/memory.js';
import { NamedIndexes } from '../../src/backends/vector/named-indexes.js';
import { SvcError } from '../../src/core/errors.js';
import { invoke } from '../../src/operations/invoke.js';
import type { Operation } from '../../src/operations/operation.js';
import * as vectors from '../../src/operations/vectors/vectors.js';
import type { Service } from '../../src/service.js';

describe('vector operations', () => {
  let backend: MemoryVectors;
  let service: Service;
  const call = (operation: Operation, input: unknown): Promise<unknown> =>
    invoke(service, operation, input, { surface: 'internal', authenticated: true });
  const refused = async (operation: Operation, input: unknown): Promise<SvcError> => {
    const error = await call(operation, input).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SvcError);
    return error as SvcError;
  };

  beforeEach(() => {
    backend = new MemoryVectors();
    // The operations use nothing else of the service.
    service = { vectorIndexes: new NamedIndexes(backend, 'svc_') } as unknown as Service;
  });

  it('answers in the shapes of the specification', async () => {
    const create = { index_name: 'books', dimension: 2 };
    expect(await call(vectors.vectorCreateIndex, create)).toEqual({ status: 'created', index_name: 'books' });
    expect(await call(vectors.vectorCreateIndex, create)).toEqual({ status: 'exists', index_name: 'books' });
    const upsert = {
      index_name: 'books',
      vectors: [
        [1, 0],
        [0, 1],
      ],
      ids: ['a', 'b'],
      metadata: [{ n: 1 }, { n: 2 }],
      documents: ['A', 'B'],
    };
    expect(await call(vectors.vectorUpsert, upsert)).toEqual({ ids: ['a', 'b'] });
    const query = { index_name: 'books', query_vector: [1, 0], top_k: 1 };
    expect(await call(vectors.vectorQuery, query)).toEqual({
      results: [{ id: 'a', score: 1, metadata: { n: 1 }, document: 'A' }],
    });
    expect(await call(vectors.vectorDescribeIndex, { index_name: 'books' })).toEqual({
      dimension: 2,
      count: 2,
      metric: 'cosine',
    });
    const update = { index_name: 'books', filter: { n: 2 }, metadata: { m: 1 } };
    expect(await call(vectors.vectorUpdate, update)).toEqual({ status: 'updated', count: 1 });
    expect(await call(vectors.vectorUpdate, { index_name: 'books', id: 'zz', vector: [1, 1] })).toMatchObject({
      count: 0,
    });
    for (let i = 0; i < 2; i += 1) {
      const deleted = await call(vectors.vectorDelete, { index_name: 'books', id: 'a' });
      expect(deleted).toEqual({ status: 'deleted', id: 'a' });
    }
    const many = { index_name: 'books', ids: ['a', 'b', 'c'] };
    expect(await call(vectors.vectorDeleteMany, many)).toEqual({ status: 'deleted', count: 1 });
    expect(await call(vectors.vectorListIndexes, {})).toEqual({
      indexes: ['books'],
    });
    const dropped = await call(vectors.vectorDeleteIndex, { index_name: 'books' });
    expect(dropped).toEqual({ status: 'deleted', index_name: 'books' });
    const again = call(vectors.vectorDeleteIndex, { index_name: 'books' });
    await expect(again).rejects.toThrow('There is no vector index books; list the indexes to see which there are.');
  });

  it('makes UUIDs where ids are missing, and an index where there is none', async () => {
    const answer = (await call(vectors.vectorUpsert, {
      index_name: 'new',
      vectors: [
        [1, 2, 3],
        [4, 5, 6],
      ],
    })) as {
      ids: string[];
    };
    expect(answer.ids).toHaveLength(2);
    for (const id of answer.ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await backend.describeIndex('new')).toMatchObject({ dimension: 3, metric: 'cosine', count: 2 });
  });

  it('keeps nothing of an upsert that is refused, not even the index', async () => {
    const bad: Array<[unknown, string]> = [
      [{ vectors: [[1, 2], [1]] }, 'invalid_input'],
      [{ vectors: [[1, Number.NaN]] }, 'invalid_input'],
      [{ vectors: [[1, 1e300]] }, 'invalid_input'],
      [{ vectors: [[1, null]] }, 'invalid_input'],
      [{ vectors: [] }, 'invalid_input'],
      [{ vectors: [[1, 2]], ids: ['a', 'b'] }, 'invalid_input'],
      [{ vectors: [[1, 2]], ids: [''] }, 'invalid_input'],
      [{ vectors: [[1, 2]], metadata: [] }, 'invalid_input'],
      [{ vectors: [[1, 2]], documents: ['a', 'b'] }, 'invalid_input'],
      [{ vectors: [[1, 2]], metadata: [{ text: 'x'.repeat(66_000) }] }, 'too_large'],
      [{ vectors: [[1, 2]], index_name: 'no spaces' }, 'invalid_input'],
      [{ vectors: [[1, 2]], index_name: 'svc_concepts' }, 'invalid_input'],
    ];
    for (const [input, code] of bad) {
      expect((await refused(vectors.vectorUpsert, { index_name: 'new', ...(input as object) })).code).toBe(code);
    }
    expect(await backend.listIndexes()).toEqual([]);
  });

  it('says that another dimension is a conflict', async () => {
    await call(vectors.vectorCreateIndex, { index_name: 'a', dimension: 2 });
    const error = await refused(vectors.vectorCreateIndex, { index_name: 'a', dimension: 3 });
    expect(error.code).toBe('conflict');
    expect(error.message).toContain('dimension');
  });

  it('hides the service’s own indexes from every operation', async () => {
    await backend.createIndex('svc_concepts', { dimension: 2 });
    await backend.upsert('svc_concepts', [{ id: 'a', vector: [1, 0] }]);
    const index_name = 'svc_concepts';
    const calls: Array<[Operation, object]> = [
      [vectors.vectorDescribeIndex, {}],
      [vectors.vectorDeleteIndex, {}],
      [vectors.vectorQuery, { query_vector: [1, 0] }],
      [vectors.vectorUpdate, { id: 'a', metadata: {} }],
      [vectors.vectorDelete, { id: 'a' }],
      [vectors.vectorDeleteMany, { ids: ['a'] }],
    ];
    for (const [operation, input] of calls) {
      expect((await refused(operation, { index_name, ...input })).code).toBe('index_not_found');
      expect((await refused(operation, { index_name: 'none', ...input })).code).toBe('index_not_found');
    }
    expect((await refused(vectors.vectorCreateIndex, { index_name, dimension: 2 })).code).toBe('invalid_input');
    expect(await call(vectors.vectorListIndexes, {})).toEqual({ indexes: [] });
    expect((await backend.describeIndex('svc_concepts')).count).toBe(1);
  });

  it('wants exactly one of id and filter, and something to change', async () => {
    await call(vectors.vectorUpsert, { index_name: 'a', vectors: [[1, 2]], ids: ['x'], metadata: [{ n: 1 }] });
    const bad: Array<[Operation, object]> = [
      [vectors.vectorUpdate, { metadata: { a: 1 } }],
      [vectors.vectorUpdate, { id: 'x', filter: { n: 1 }, metadata: { a: 1 } }],
      [vectors.vectorUpdate, { id: 'x' }],
      [vectors.vectorUpdate, { filter: {}, metadata: { a: 1 } }],
      [vectors.vectorUpdate, { id: 'x', vector: [1] }],
      [vectors.vectorDeleteMany, {}],
      [vectors.vectorDeleteMany, { ids: ['x'], filter: { n: 1 } }],
      [vectors.vectorDeleteMany, { filter: {} }],
      [vectors.vectorDeleteMany, { filter: { n: { $like: 1 } } }],
      [vectors.vectorQuery, { query_vector: [1] }],
      [vectors.vectorQuery, { query_vector: [1, 2], top_k: 0 }],
      [vectors.vectorQuery, { query_vector: [1, 2], top_k: 1001 }],
    ];
    for (const [operation, input] of bad) {
      expect((await refused(operation, { index_name: 'a', ...input })).code).toBe('invalid_input');
    }
    expect(
      (await refused(vectors.vectorUpdate, { index_name: 'a', id: 'x', metadata: { t: 'x'.repeat(70_000) } })).code,
    ).toBe('too_large');
    const left = await call(vectors.vectorQuery, { index_name: 'a', query_vector: [1, 2], include_vector: true });
    expect(left).toMatchObject({ results: [{ id: 'x', metadata: { n: 1 }, vector: [1, 2] }] });
  });
});
