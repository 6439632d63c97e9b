import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EachEnvironment, openService, type TestService } from './harness.js';

type Case = [what: string, path: string, body: unknown, status: number, says?: RegExp];

const deep = (levels: number): object => {
  let filter: object = { colour: 'red' };
  for (let i = 0; i < levels; i += 1) filter = { $not: filter };
  return filter;
};
const big = { text: 'x'.repeat(64 * 1024) };
const two = {
  ids: ['n1', 'n2'],
  vectors: [
    [1, 0, 0],
    [0, 1, 0],
  ],
} as const;

const CASES: readonly Case[] = [
  ['another dimension to store', '/bad/upsert', { vectors: [[1, 2]] }, 400, /dimension/],
  [
    'one vector of another dimension among good ones',
    '/bad/upsert',
    {
      vectors: [
        [1, 2, 3],
        [1, 2],
      ],
    },
    400,
    /dimension/,
  ],
  [
    'two dimensions for a new index',
    '/new/upsert',
    {
      vectors: [
        [1, 2, 3],
        [1, 2],
      ],
    },
    400,
    /dimension/,
  ],
  ['another dimension to search with', '/bad/query', { query_vector: [1, 2, 3, 4] }, 400, /dimension/],
  ['another dimension to change to', '/bad/update', { id: 'a', vector: [1] }, 400, /dimension/],
  ['a component that is null', '/bad/upsert', { vectors: [[1, null, 3]] }, 400],
  ['a component that is text', '/bad/upsert', { vectors: [[1, 'NaN', 3]] }, 400],
  ['no vectors', '/bad/upsert', { vectors: [] }, 400, /vectors/],
  ['an empty vector', '/new/upsert', { vectors: [[]] }, 400, /vectors/],
  ['fewer ids than vectors', '/bad/upsert', { ...two, ids: ['n1'] }, 400, /ids/],
  ['more metadata than vectors', '/bad/upsert', { ...two, metadata: [{}, {}, {}] }, 400, /metadata/],
  ['fewer documents than vectors', '/bad/upsert', { ...two, documents: ['x'] }, 400, /documents/],
  ['metadata that is no object', '/bad/upsert', { ...two, metadata: [1, 2] }, 400, /metadata/],
  ['metadata of an entry over 64 KiB', '/bad/upsert', { ...two, metadata: [{ ok: 1 }, big] }, 413, /65536/],
  ['metadata over 64 KiB for a new index', '/new/upsert', { ...two, metadata: [{}, big] }, 413, /65536/],
  ['metadata over 64 KiB to merge', '/bad/update', { id: 'a', metadata: big }, 413, /65536/],
  ['an empty id', '/bad/upsert', { ...two, ids: ['', 'n2'] }, 400, /ids/],
  ['a name with a slash', '', { index_name: 'a/b', dimension: 3 }, 400, /index_name/],
  ['a reserved name', '', { index_name: 'svc_mine', dimension: 3 }, 400, /reserved/],
  ['a reserved name to store into', '/svc_concepts_static_256/upsert', { vectors: [[1]] }, 400, /reserved/],
  ['an unknown metric', '', { index_name: 'new', dimension: 3, metric: 'taxi' }, 400, /metric/],
  ['no dimension', '', { index_name: 'new' }, 400, /dimension/],
  ['another dimension for an index that exists', '', { index_name: 'bad', dimension: 4 }, 409, /dimension/],
  ['an unknown index to search', '/none/query', { query_vector: [1] }, 404],
  ['an unknown index to change', '/none/update', { id: 'a', metadata: {} }, 404],
  ['an unknown index to delete from', '/none/delete', { id: 'a' }, 404],
  ['an unknown index to delete many from', '/none/delete-many', { ids: ['a'] }, 404],
  ['neither id nor filter', '/bad/update', { metadata: { x: 1 } }, 400, /id.*filter/],
  ['both id and filter', '/bad/update', { id: 'a', filter: { colour: 'red' }, metadata: {} }, 400, /id.*filter/],
  ['nothing to change', '/bad/update', { id: 'a' }, 400, /vector/],
  ['neither ids nor filter', '/bad/delete-many', {}, 400, /ids.*filter/],
  ['both ids and filter', '/bad/delete-many', { ids: ['a'], filter: { colour: 'red' } }, 400, /ids.*filter/],
  ['an empty filter to delete by', '/bad/delete-many', { filter: {} }, 400, /filter/],
  ['an unknown operator', '/bad/query', { query_vector: [1, 0, 0], filter: { colour: { $like: 'r' } } }, 400, /\$like/],
  ['an unknown operator to delete by', '/bad/delete-many', { filter: { $nor: [] } }, 400, /\$nor/],
  ['a filter 1,000 levels deep', '/bad/query', { query_vector: [1, 0, 0], filter: deep(1000) }, 400, /nested|deep/],
  ['a filter 1,000 levels deep to delete by', '/bad/delete-many', { filter: deep(1000) }, 400, /nested|deep/],
  ['a filter that is a list', '/bad/query', { query_vector: [1, 0, 0], filter: [] }, 400, /filter/],
  ['top_k 0', '/bad/query', { query_vector: [1, 0, 0], top_k: 0 }, 400, /top_k/],
];

/** Bad input of the vector operations: a clear error each, and nothing written, created or deleted. */
export function vectorBadInputSuite(name: string, environment: EachEnvironment): void {
  describe(`bad input of the vector operations on ${name}`, () => {
    let test: TestService;
    let before: unknown;
    const state = async () => {
      const { vectors } = test.service;
      const indexes = await vectors.listIndexes();
      return { indexes, entries: await vectors.scan('bad', { limit: 100 }) };
    };
    beforeAll(async () => {
      test = await openService(environment);
      await test.post('/v1/vectors', { index_name: 'bad', dimension: 3 });
      const stored = {
        ids: ['a', 'b'],
        vectors: [
          [1, 0, 0],
          [0, 1, 0],
        ],
        metadata: [{ colour: 'red' }, { colour: 'blue' }],
      };
      expect((await test.post('/v1/vectors/bad/upsert', stored)).status).toBe(200);
      before = await state();
    });
    afterAll(async () => {
      await test.delete('/v1/vectors/bad');
      for (const { name: index } of await test.service.vectors.listIndexes())
        await test.service.vectors.deleteIndex(index);
      await test.close();
    });

    it.each(CASES)('refuses %s', async (...given: Case) => {
      const [, path, body, status, says = /./] = given;
      const answer = await test.post(`/v1/vectors${path}`, body);
      expect([answer.status, answer.body.error]).toEqual([status, expect.stringMatching(says)]);
      expect(answer.body.error).not.toMatch(/\n\s+at /);
      expect(await state()).toEqual(before);
    });

    it.each([
      ['NaN', 400],
      ['1e999', 400],
      ['-1e999', 400],
      ['4e38', 400],
    ])('refuses a component of %s', async (number, status) => {
      const headers = { 'content-type': 'application/json' };
      const body = `{"vectors": [[1, ${number}, 3]], "ids": ["n1"]}`;
      expect((await test.send('/v1/vectors/bad/upsert', { method: 'POST', headers, body })).status).toBe(status);
      expect(await state()).toEqual(before);
    });

    it('answers 404 for an index that is not there', async () => {
      for (const answer of [await test.get('/v1/vectors/none'), await test.delete('/v1/vectors/none')]) {
        expect(answer).toMatchObject({ status: 404, body: { code: 'index_not_found' } });
      }
      expect(await test.delete('/v1/vectors/svc_concepts_static_256')).toMatchObject({ status: 404 });
      expect(await state()).toEqual(before);
    });
  });
}
