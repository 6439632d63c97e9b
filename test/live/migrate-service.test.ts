import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { seededRandom } from '../../src/core/random.js';
import { svcJson } from '../cli/captured.js';
import { DOCUMENTS, type TestService, withService } from '../service/harness.js';
import { liveUrl } from '../vector/live-engine.js';
import { ownCollections } from './empty-qdrant.js';
import { FreshDatabases } from './fresh-databases.js';

const postgres = liveUrl('PG_URL', 'PostgreSQL');
const qdrant = liveUrl('QDRANT_URL', 'Qdrant');
const METRICS = ['cosine', 'euclidean', 'dotproduct'];
const FILTERS = [
  undefined,
  { colour: 'red' },
  { size: { $gt: 20, $lte: 60 }, $not: { colour: { $in: ['red', 'blue'] } } },
  { $or: [{ 'made.where': { $gte: 'm' } }, { made: { $eq: null } }] },
];
const COLOURS = ['red', 'green', 'blue'];

function rows() {
  const random = seededRandom('migrate');
  const numbers = Array.from({ length: 90 }, (_, i) => i);
  return {
    ids: numbers.map((i) => `row ${i}`),
    vectors: numbers.map(() => Array.from({ length: 8 }, () => random() * 2 - 1)),
    metadata: numbers.map((i) => ({ colour: COLOURS[i % 3], size: i, made: { where: 'abcxyz'[i % 6] } })),
    documents: numbers.map((i) => `Document ${i}`),
  };
}

interface Hit {
  readonly id: string;
  readonly score: number;
}

/** What a service answers: documents in every mode, named indexes of every metric with and without filters. */
async function answers(test: TestService): Promise<Hit[][]> {
  const all: Hit[][] = [];
  for (const context of ['Who designed the Aldra Tower?', 'fishing boats', 'engineer']) {
    for (const mode of ['auto', 'vec', 'graph']) {
      all.push((await test.post('/v1/query', { context, mode, domains: ['reach'] })).body.items);
    }
  }
  const query_vector = rows().vectors[3];
  for (const metric of METRICS) {
    for (const filter of FILTERS) {
      const query = { query_vector, top_k: 25, include_vector: true, ...(filter === undefined ? {} : { filter }) };
      all.push((await test.post(`/v1/vectors/${metric}/query`, query)).body.results);
    }
  }
  return all;
}

function expectSameAnswers(found: Hit[][], wanted: Hit[][]): void {
  found.forEach((hits, i) => {
    expect(hits.length).toBeGreaterThan(0);
    const rounded = (list: Hit[]) => list.map((hit) => ({ ...hit, score: 0 }));
    expect(rounded(hits)).toEqual(rounded(wanted[i]!));
    hits.forEach((hit, k) => {
      expect(Math.abs(hit.score - wanted[i]![k]!.score)).toBeLessThan(1e-5);
    });
  });
}

(postgres === undefined || qdrant === undefined ? describe.skip : describe)('svc migrate vec', () => {
  const databases = new FreshDatabases(postgres ?? '');
  const root = mkdtempSync(join(tmpdir(), 'migrate-service-'));
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });
  afterAll(async () => {
    await databases.dropAll();
    rmSync(root, { recursive: true, force: true });
  });

  const clear = ({ service }: TestService) =>
    service.vectors.listIndexes().then(async (indexes) => {
      for (const { name } of indexes) await service.vectors.deleteIndex(name);
    });

  it.each([
    ['SQLite', ['hnsw', 'qdrant', 'pgvector', 'hnsw']],
    ['PostgreSQL', ['pgvector', 'qdrant', 'pgvector']],
  ])('and a switch of SVC_VEC keep every answer, with the store on %s', async (store, kinds) => {
    const environment: Record<string, string> = {
      SVC_DATA_DIR: join(root, store),
      ...ownCollections(qdrant!),
      DATABASE_URL: await databases.make(),
      SVC_STORE: store === 'SQLite' ? 'sqlite' : 'postgres',
      SVC_EMBEDDING: 'static',
    };
    const serving = (kind: string) => ({ ...environment, SVC_VEC: kind });
    await withService(serving('qdrant'), clear);
    const wanted = await withService(serving(kinds[0]!), async (test) => {
      for (const [name, text] of Object.entries(DOCUMENTS)) {
        await test.post('/v1/ingest/text', { text, domain: 'reach', format: 'markdown', name });
      }
      for (const metric of METRICS) {
        await test.post('/v1/vectors', { index_name: metric, dimension: 8, metric });
        expect((await test.post(`/v1/vectors/${metric}/upsert`, rows())).status).toBe(200);
      }
      return answers(test);
    });
    for (const [i, to] of kinds.slice(1).entries()) {
      const from = kinds[i]!;
      process.env = { ...before, ...serving(from) };
      const dry = await svcJson('migrate', 'vec', '--from', from, '--to', to, '--dry-run');
      expect(dry).toMatchObject({ vectors_read: 273, vectors_written: 0, dry_run: true });
      const done = await svcJson('migrate', 'vec', '--from', from, '--to', to);
      expect(done).toMatchObject({ source_type: from, dest_type: to, vectors_read: 273, unequal: 0 });
      process.env = { ...before };
      await withService(serving(to), async (test) => {
        expect((await test.get('/v1/status')).body).toMatchObject({ status: 'ok', vector_index: to });
        expectSameAnswers(await answers(test), wanted);
      });
      await withService(serving(from), (test) => (from === 'hnsw' ? Promise.resolve() : clear(test)));
    }
  });

  it('brings named indexes from the SQLite file of a directory to PostgreSQL, and back', async () => {
    const environment = { SVC_DATA_DIR: join(root, 'move'), SVC_EMBEDDING: 'static' };
    const shared = { ...environment, ...(await databases.environment()) };
    const query = { query_vector: rows().vectors[5], top_k: 20 };
    const ask = async (test: TestService) => (await test.post('/v1/vectors/cosine/query', query)).body.results;
    const wanted = await withService(environment, async (test) => {
      await test.post('/v1/vectors/cosine/upsert', rows());
      return ask(test);
    });
    await withService(shared, async (test) => {
      const { body } = await test.post('/v1/admin/migrate-vec', { source_type: 'sqlite' });
      expect(body).toMatchObject({ source_type: 'hnsw', dest_type: 'pgvector', vectors_read: 90, unequal: 0 });
      expectSameAnswers([await ask(test)], [wanted]);
      await test.post('/v1/vectors/cosine/delete', { id: wanted[0].id });
      expect((await test.post('/v1/admin/migrate-vec', { from: 'pgvector', to: 'hnsw' })).status).toBe(200);
    });
    await withService(environment, async (test) => {
      expect((await ask(test))[0].id).toBe(wanted[1].id);
    });
  });
});
