import { describe, expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { Jobs } from '../../src/jobs.js';
import { waitFor } from '../support/wait-for.js';
import { withService } from './harness.js';

describe('faults that must not come back', () => {
  it('a job that takes longer than its period does not overlap itself, and its lease lasts until it ends', async () => {
    const store = await openSqlite(':memory:');
    const failures: unknown[] = [];
    const jobs = new Jobs(store, { clock: Date.now, onError: (_, error) => failures.push(error) });
    let running = 0;
    let most = 0;
    let runs = 0;
    const run = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((done) => setTimeout(done, 30));
      expect(await store.db.selectFrom('lease').select('name').execute()).toEqual([{ name: 'job:slow' }]);
      running -= 1;
      runs += 1;
    };
    jobs.start([{ name: 'slow', every: 3, run }]);
    await waitFor(() => expect(runs).toBeGreaterThan(3), { timeout: 20_000 });
    await jobs.stop();
    expect([most, failures]).toEqual([1, []]);
    await store.close();
  });

  it('a job that fails is told apart from one that works again', async () => {
    const store = await openSqlite(':memory:');
    const told: string[] = [];
    const [onError, onDone] = [(job: string) => told.push(`${job} failed`), (job: string) => told.push(`${job} done`)];
    const jobs = new Jobs(store, { clock: Date.now, onError, onDone });
    const run = () => (told.length < 2 ? Promise.reject(new Error('no')) : Promise.resolve());
    jobs.start([{ name: 'one', every: 3, run }]);
    await waitFor(() => expect(told.length).toBeGreaterThan(2), { timeout: 20_000 });
    await jobs.stop();
    expect(told.slice(0, 3)).toEqual(['one failed', 'one failed', 'one done']);
    await store.close();
  });

  it('function words and adverbs at the start of a sentence are no entities', () =>
    withService({}, async (test) => {
      const text =
        'Always check the Aldra Tower. Usually the Aldra Tower hums. However, Mira Voss came. Never leave Mira Voss alone. Always greet Mira Voss.';
      for (const name of ['one', 'two']) {
        await test.post('/v1/ingest/text', { text: `${text} This is ${name}.`, domain: 'd', name });
      }
      const nodes = await test.service.graph.findNodes({ domain: 'd', limit: 1000 });
      const names = nodes.filter((node) => node.kind !== 'passage').map((node) => node.name.toLowerCase());
      expect(names.join(', ')).toMatch(/aldra tower/);
      expect(names.filter((name) => /^(always|usually|however|never)$/.test(name))).toEqual([]);
    }));

  it('hundreds of writes without a question between them are all seen by the next one', () =>
    withService({}, async (test) => {
      const { graph } = test.service;
      await test.post('/v1/ingest/structured', { domain: 'd', concepts: [{ name: 'Hub', description: 'the middle' }] });
      await test.post('/v1/query', { context: 'Hub', domains: ['d'], mode: 'graph' });
      for (let i = 0; i < 300; i += 1) {
        const source = { domain: 'd', kind: 'structured', key: `s${i}`, label: `s${i}` } as const;
        await graph.ingestManifest({
          domain: 'd',
          source,
          content_hash: `${i}`,
          concepts: [{ name: `Spoke ${i}` }],
          edges: [{ source: 'Hub', target: `Spoke ${i}`, relation: 'has' }],
          rules: [],
          passages: [],
          warnings: [],
        });
      }
      const nodes = await graph.findNodes({ domain: 'd', limit: 1000 });
      for (const name of ['Spoke 0', 'Spoke 150', 'Spoke 299']) {
        const spoke = nodes.find((node) => node.name === name);
        expect((await graph.neighbourhood(spoke!.id, 1))?.edges).toHaveLength(1);
      }
    }));
});
