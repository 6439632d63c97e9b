import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { openCached, openCachedHttp } from '../../src/backends/embedding/cached.js';
import type { EmbeddingModel, SpannedText } from '../../src/backends/embedding/port.js';
import { openStatic } from '../../src/backends/embedding/static/static.js';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { embeddingContract } from '../contracts/embedding.contract.js';
import { serveEmbeddings } from './embedding-server.js';

embeddingContract('static, cached', async () => openCached(openStatic(), await openSqlite(':memory:')));

/** The static model, and the texts that reached it. */
function watched(): { model: EmbeddingModel; reached: string[] } {
  const model = openStatic();
  const reached: string[] = [];
  return {
    reached,
    model: {
      ...model,
      runsInProcess: false,
      embed: (texts, signal) => {
        reached.push(...texts);
        return model.embed(texts, signal);
      },
      embedSpanned: (texts, signal) => {
        reached.push(...texts.map(({ text }) => text));
        return model.embedSpanned(texts, signal);
      },
    },
  };
}

const PASSAGE: SpannedText = {
  text: 'Title\nOne sentence. Another one.',
  spans: [
    [6, 19],
    [20, 32],
  ],
};

describe('the embedding cache', () => {
  let directory: string;
  let store: Store;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'embedding-'));
    store = await openSqlite(join(directory, 'store.db'));
  });
  afterEach(async () => {
    await store.close();
    rmSync(directory, { recursive: true });
  });
  const rows = async (): Promise<number> => {
    const result = await sql<{ n: number }>`select count(*) as n from embedding_cache`.execute(store.db);
    return Number(result.rows[0]!.n);
  };

  it('embeds a passage once, across restarts, and gives the same vectors again', async () => {
    const first = openCached(watched().model, store);
    const [made] = await first.embedSpanned([PASSAGE]);
    await first.close();
    await store.close();
    store = await openSqlite(join(directory, 'store.db'));
    const { model, reached } = watched();
    const [found] = await openCached(model, store).embedSpanned([PASSAGE]);
    expect(reached).toEqual([]);
    expect(found).toEqual(made);
    expect(found!.spans).toHaveLength(2);
  });

  it('keeps nothing of a model that runs in this process, which is faster than looking up', async () => {
    const { model, reached } = watched();
    const cached = openCached({ ...model, runsInProcess: true }, store);
    const [first] = await cached.embedSpanned([PASSAGE]);
    expect(await cached.embedSpanned([PASSAGE])).toEqual([first]);
    expect(reached).toHaveLength(2);
    await cached.close();
    expect(await rows()).toBe(0);
  });

  it('embeds only what it does not know, each text once, and keeps the order', async () => {
    const { model, reached } = watched();
    const cached = openCached(model, store);
    const unspanned = (text: string): SpannedText => ({ text, spans: [] });
    await cached.embedSpanned([unspanned('a'), unspanned('b')]);
    await cached.close();
    reached.length = 0;
    const vectors = await cached.embedSpanned(['c', 'a', 'c', 'b', 'd'].map(unspanned));
    expect(reached).toEqual(['c', 'd']);
    const expected = await openStatic().embed(['c', 'a', 'c', 'b', 'd']);
    expect(vectors.map(({ vector }) => vector)).toEqual(expected);
  });

  it('takes the same text with other spans for another text', async () => {
    const { model, reached } = watched();
    const cached = openCached(model, store);
    await cached.embedSpanned([PASSAGE]);
    const [other] = await cached.embedSpanned([{ text: PASSAGE.text, spans: [[6, 32]] }]);
    expect(other!.spans).toHaveLength(1);
    expect(reached).toHaveLength(2);
  });

  it('keeps the vectors of two models apart', async () => {
    const small = watched();
    await openCached(small.model, store).embedSpanned([PASSAGE]);
    const large = watched();
    await openCached({ ...large.model, name: 'other' }, store).embedSpanned([PASSAGE]);
    expect(large.reached).toHaveLength(1);
  });

  it('answers a repeated question from memory and writes nothing for it', async () => {
    const { model, reached } = watched();
    const cached = openCached(model, store);
    const [first] = await cached.embed(['Who wrote it?']);
    first!.fill(0);
    const [second, third] = await cached.embed(['Who wrote it?', 'When?']);
    expect(reached).toEqual(['Who wrote it?', 'When?']);
    expect([second, third]).toEqual(await openStatic().embed(['Who wrote it?', 'When?']));
    await cached.close();
    expect(await rows()).toBe(0);
  });

  it('forgets the questions that were asked longest ago', async () => {
    const { model, reached } = watched();
    const cached = openCached(model, store, { questions: 2 });
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await cached.embed([text]);
    expect(reached).toEqual(['a', 'b', 'c', 'b']);
  });

  it('drops the oldest texts beyond its bound', async () => {
    const { model, reached } = watched();
    const cached = openCached(model, store, { rows: 10 });
    for (let start = 0; start < 30; start += 5) {
      await cached.embedSpanned(Array.from({ length: 5 }, (_, i) => ({ text: `text ${start + i}`, spans: [] })));
    }
    await cached.close();
    expect(await rows()).toBe(10);
    reached.length = 0;
    await cached.embedSpanned([
      { text: 'text 0', spans: [] },
      { text: 'text 29', spans: [] },
    ]);
    expect(reached).toEqual(['text 0']);
  });

  it('keeps many texts of one call', async () => {
    const { model, reached } = watched();
    const cached = openCached(model, store);
    const texts = Array.from({ length: 1200 }, (_, i) => ({ text: `text ${i}`, spans: [] }));
    const made = await cached.embedSpanned(texts);
    await cached.close();
    reached.length = 0;
    expect(await cached.embedSpanned(texts)).toEqual(made);
    expect(reached).toEqual([]);
  });

  it('continues without its store for writing, and says so', async () => {
    const logged: string[] = [];
    const refusing: Store = { ...store, write: () => Promise.reject(new Error('disk full')) };
    const cached = openCached(watched().model, refusing, { log: (message) => logged.push(message) });
    expect(await cached.embedSpanned([PASSAGE])).toHaveLength(1);
    await cached.close();
    expect(logged).toEqual(['Embeddings were not cached: disk full']);
  });

  it('passes the failure of a model on and keeps nothing', async () => {
    const failing: EmbeddingModel = { ...openStatic(), embedSpanned: () => Promise.reject(new Error('dead')) };
    const cached = openCached(failing, store);
    await expect(cached.embedSpanned([PASSAGE])).rejects.toThrow('dead');
    await cached.close();
    expect(await rows()).toBe(0);
  });

  it('opens a model behind a server that does not answer, once its dimension is known', async () => {
    const server = await serveEmbeddings(openStatic());
    const http = { kind: 'ollama', url: server.url, model: 'table' } as const;
    const first = await openCachedHttp(http, store);
    const [made] = await first.embedSpanned([PASSAGE]);
    await first.close();
    await server.close();
    const second = await openCachedHttp(http, store);
    expect(second.dimension).toBe(256);
    expect((await second.embedSpanned([PASSAGE]))[0]).toEqual(made);
    await expect(second.embed(['new'])).rejects.toMatchObject({ code: 'unavailable' });
    await second.close();
  });
});
