import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EmbeddingServer } from '../embedding/embedding-server.js';
import { DOCUMENTS, openService, reachText, snapshot } from '../service/harness.js';
import { post, type ServerProcess, startProcess } from '../service/process.js';
import { otherModel, serveOtherModel } from '../service/reindex.suite.js';
import { describeLive, liveUrl } from '../vector/live-engine.js';
import { FreshDatabases } from './fresh-databases.js';

const part = (i: number) => ({
  domain: 'plant',
  source_id: `batch-${i}`,
  concepts: [
    { name: `Part ${i}`, description: `Part number ${i}` },
    // No two as sure: of equals the newest shows, and here which one that is is unknown.
    { name: 'Shared', description: `The part that all need, says ${i % 4}`, confidence: i / 100 },
  ],
  edges: [
    { source: `Part ${i}`, target: 'Shared', relation: 'requires' },
    { source: `Part ${i}`, target: `Part ${(i + 1) % 40}`, relation: 'part_of' },
  ],
  rules: [{ text: `Check Part ${i} weekly.` }],
});

const reachOf = (items: ReadonlyArray<{ id: string }>) =>
  items
    .map(({ id }) => id)
    .filter((id) => id.startsWith('reach:'))
    .sort();

describeLive('two replicas', liveUrl('PG_URL', 'PostgreSQL'), (server) => {
  describe('two processes on one PostgreSQL', () => {
    const databases = new FreshDatabases(server);
    const root = mkdtempSync(join(tmpdir(), 'replicas-'));
    let environment: Record<string, string>;
    let model: EmbeddingServer;
    let one: ServerProcess;
    let two: ServerProcess;
    const both = (env: Record<string, string>) =>
      Promise.all([startProcess(join(root, 'one'), env), startProcess(join(root, 'two'), env)]);
    beforeAll(async () => {
      environment = await databases.environment();
      model = await serveOtherModel();
      [one, two] = await both(environment);
    });
    afterAll(async () => {
      await Promise.all([one?.stop(), two?.stop(), model?.close()]);
      await databases.dropAll();
      rmSync(root, { recursive: true, force: true });
    });

    const call = async (at: ServerProcess, path: string, body: object) => {
      const answer = await post(at.url, path, body);
      expect([path, answer?.status, answer?.body.error]).toEqual([path, 200, undefined]);
      // biome-ignore lint/suspicious/noExplicitAny: answers of every route pass through here
      return answer!.body as Record<string, any>;
    };
    const ask = async (at: ServerProcess, context: string, mode = 'auto') =>
      (await call(at, '/v1/query', { context, mode })).items as Array<{ id: string; content: string; score: number }>;

    it('each see what the other wrote, on the next request', async () => {
      const seen: unknown[] = [];
      for (const [i, key] of (['tower', 'island', 'voss'] as const).entries()) {
        const [writer, reader] = i % 2 === 0 ? [one, two] : [two, one];
        const { source_id } = await call(writer, '/v1/ingest/text', reachText(key));
        seen.push(source_id);
        for (const mode of ['vec', 'auto']) {
          const title = DOCUMENTS[key].split('\n')[0]!.slice(2);
          expect((await ask(reader, title, mode)).some(({ content }) => content.startsWith(`${title}:`))).toBe(true);
        }
      }
      const question = 'Where was the designer of the Aldra Tower born?';
      expect(await ask(two, question)).toEqual(await ask(one, question));
      await fetch(`${two.url}/v1/documents/${seen[2]}`, { method: 'DELETE' });
      expect((await ask(one, 'Mira Voss')).some(({ content }) => content.startsWith('Mira Voss:'))).toBe(false);
      await call(one, '/v1/vectors/colours/upsert', { vectors: [[1, 0]], ids: ['red'] });
      expect((await call(two, '/v1/vectors/colours/query', { query_vector: [1, 0] })).results).toHaveLength(1);
      const { query_id } = await call(one, '/v1/query', { context: 'lighthouse' });
      const [item] = await ask(one, 'lighthouse');
      await call(two, '/v1/feedback', { query_id, outcomes: { [item!.id]: 'accepted' } });
    });

    it('lose no update when both write at once', async () => {
      const numbers = Array.from({ length: 40 }, (_, i) => i);
      await Promise.all(numbers.map((i) => call(i % 2 === 0 ? one : two, '/v1/ingest/structured', part(i))));
      // Each batch once more, from the other side, with one fewer: what both assert together must come out.
      await Promise.all(
        numbers.map((i) => call(i % 2 === 0 ? two : one, '/v1/ingest/structured', { ...part(i), rules: [] })),
      );
      const together = await openService(environment);
      const alone = await openService();
      for (const i of numbers) await alone.post('/v1/ingest/structured', { ...part(i), rules: [] });
      const [found, wanted] = [await snapshot(together, 'plant'), await snapshot(alone, 'plant')];
      await together.close();
      await alone.close();
      expect(found).toEqual(wanted);
      expect(found.vectors).toHaveLength(41);
      const question = { context: 'Which part do all need?', domains: ['plant'], top_k: 5 };
      const answers = await Promise.all([one, two].map((at) => call(at, '/v1/query', question)));
      expect(answers[0]?.items).toEqual(answers[1]?.items);
    });

    it('count each of 1,000 parallel observations', async () => {
      const observe = (i: number) =>
        call(i % 2 === 0 ? one : two, '/v1/learning/observe', {
          learner: 'p',
          arm_id: 'a',
          outcome: i % 3 === 0 ? 'accepted' : 'rejected',
        });
      await Promise.all(Array.from({ length: 1000 }, (_, i) => observe(i)));
      for (const { url } of [one, two]) {
        const answer = (await (await fetch(`${url}/v1/learning/p/posteriors`)).json()) as { posteriors: { a: object } };
        expect(answer.posteriors.a).toMatchObject({ pulls: 1000, alpha: 335, beta: 667 });
      }
    });

    it('both go over to another model with the swap that one of them makes', async () => {
      await Promise.all([one.stop(), two.stop()]);
      const next = { ...environment, ...otherModel(model.url) };
      [one, two] = await both(next);
      const before = await ask(two, 'lighthouse on the island', 'vec');
      let running = true;
      const served = (async () => {
        for (let n = 0; ; n += 1) {
          expect((await ask(two, 'lighthouse on the island', 'vec')).length).toBeGreaterThan(0);
          if (!running) return n;
        }
      })();
      const writes = Promise.all(
        Array.from({ length: 10 }, (_, i) => call(i % 2 === 0 ? one : two, '/v1/ingest/structured', part(50 + i))),
      );
      const [{ embedding_model }] = await Promise.all([call(one, '/v1/admin/reindex', {}), writes]);
      running = false;
      expect(await served).toBeGreaterThan(0);
      expect(embedding_model).toBe('openai-other');
      const status = await (await fetch(`${two.url}/v1/status`)).json();
      expect(status).toMatchObject({ status: 'ok', embedding_model: 'openai-other' });
      expect(reachOf(await ask(two, 'lighthouse on the island', 'vec'))).toEqual(reachOf(before));
      const found = await ask(two, 'Part number 55', 'vec');
      expect(found.some(({ content }) => content.startsWith('Part 55:'))).toBe(true);
    });
  });
});
