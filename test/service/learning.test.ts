import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openService, type TestService } from './harness.js';

const folder = mkdtempSync(join(tmpdir(), 'learning-service-'));
let test: TestService;
beforeAll(async () => {
  const file = join(folder, 'settings.yaml');
  writeFileSync(
    file,
    [
      'learning: { outcomes: { shipped: 0.75 }, retention_rows: 4 }',
      'learners:',
      `  own: { state_dir: ${join(folder, 'own')}, seed_arms: [s], seed_boost: 4, baseline_rate: 0, min_pulls: 1, max_arms: 2 }`,
      '',
    ].join('\n'),
  );
  test = await openService({ SVC_CONFIG: file });
});
afterAll(async () => {
  await test.close();
  rmSync(folder, { recursive: true });
});

const observe = (body: object) => test.post('/v1/learning/observe', body);

describe('learning as the configuration says', () => {
  it('takes every field of a learner from the settings', async () => {
    const { body } = await test.get('/v1/learning/own/posteriors?arm_ids=s,other');
    expect(body.posteriors).toMatchObject({ s: { alpha: 4, beta: 1 }, other: { alpha: 1, beta: 1 } });
    expect((await observe({ learner: 'own', arm_id: 's', outcome: 'shipped' })).body).toMatchObject({ alpha: 4.75 });
    expect(existsSync(join(folder, 'own', 'learning.db'))).toBe(true);
    // min_pulls 1: the arm never observed goes first, however good the other one is.
    const chosen = await test.post('/v1/learning/select', { learner: 'own', candidates: [{ id: 's' }, { id: 'new' }] });
    expect(chosen.body).toMatchObject({ selected_arms: [{ id: 'new' }], is_baseline: false });
    expect((await observe({ learner: 'own', arm_id: 'second', reward: 1 })).status).toBe(200);
    expect((await observe({ learner: 'own', arm_id: 'third', reward: 1 })).status).toBe(409);
  });

  it('only counts the arms of a dry run of a reset', async () => {
    for (const arm_id of ['a', 'b']) await observe({ learner: 'planned', arm_id, reward: 1 });
    await observe({ learner: 'planned', arm_id: 'a', reward: 1, context: { task: 'one' } });
    const reset = async (more: object) => (await test.post('/v1/learning/reset', { learner: 'planned', ...more })).body;
    for (const [scope, deleted] of [
      [{}, 3],
      [{ context: { task: 'one' } }, 1],
      [{ arm_ids: ['a', 'c'] }, 1],
      [{ arm_ids: [] }, 0],
    ] as const) {
      expect(await reset({ ...scope, dry_run: true })).toEqual({ learner: 'planned', deleted, status: 'dry_run' });
    }
    expect(await reset({})).toEqual({ learner: 'planned', deleted: 3, status: 'reset' });
  });

  it('keeps no more observations and queries than the settings allow, and what they taught', async () => {
    for (let i = 0; i < 9; i += 1) await observe({ learner: 'kept', arm_id: 'a', reward: 1 });
    await test.post('/v1/ingest/structured', {
      domain: 'd',
      concepts: [{ name: 'Kettle', description: 'Boils water.' }],
    });
    for (let i = 0; i < 6; i += 1) await test.post('/v1/query', { context: `what boils water ${i}` });
    await test.service.learning.prune();
    await test.service.feedback.prune();
    const rows = await test.service.store.db
      .selectFrom('observation')
      .select('id')
      .where('learner', '=', 'kept')
      .execute();
    expect(rows).toHaveLength(4);
    expect(await test.service.store.db.selectFrom('query_log').select('id').execute()).toHaveLength(4);
    expect((await test.get('/v1/learning/kept/posteriors')).body.posteriors.a).toMatchObject({ pulls: 9, alpha: 10 });
    expect((await test.get('/v1/stats')).body.activity.queries_served).toBe(6);
  });
});

describe('feedback on the concepts of one ingest source', () => {
  it('is shown with its reasons and taken back with that source alone', async () => {
    const sources = [];
    for (const name of ['Lantern', 'Candle']) {
      const concepts = [{ name, description: 'Gives light in the dark.' }];
      const { body } = await test.post('/v1/ingest/structured', { domain: 'light', concepts });
      sources.push(body.source_id);
    }
    const question = { context: 'what gives light in the dark', domains: ['light'] };
    const first = await test.post('/v1/query', question);
    const scores = (answer: typeof first) =>
      Object.fromEntries(
        answer.body.items.map((item: { content: string; score: number }) => [item.content, item.score]),
      );
    const outcomes = Object.fromEntries(first.body.items.map((item: { id: string }) => [item.id, 'rejected']));
    await test.post('/v1/feedback', { query_id: first.body.query_id, outcomes });
    const report = (await test.get('/v1/interoception')).body;
    expect(report).toMatchObject({ enabled: true, backend: 'sqlite' });
    expect(report.items).toHaveLength(2);
    expect(report.items[0]).toMatchObject({ why: [{ query: question.context, outcome: 'rejected' }] });
    expect((await test.get('/v1/status')).body.interoception).toMatchObject({ buffer: {}, backend: 'sqlite' });
    const lowered = scores(await test.post('/v1/query', question));
    for (const [scope, feedback] of [
      [{ source_id: sources[0] }, 1],
      [{ domain: 'light' }, 2],
      [{}, 2],
    ] as const) {
      const planned = await test.post('/v1/interoception/reset', { ...scope, dry_run: true });
      expect(planned.body).toEqual({ status: 'dry_run', feedback });
    }
    const reset = await test.post('/v1/interoception/reset', { source_id: sources[0] });
    expect(reset.body).toMatchObject({ status: 'reset', feedback: 1, items: 1 });
    const after = scores(await test.post('/v1/query', question));
    expect(after['Lantern: Gives light in the dark.']).toBe(scores(first)['Lantern: Gives light in the dark.']);
    expect(after['Candle: Gives light in the dark.']).toBe(lowered['Candle: Gives light in the dark.']);
    expect(after['Candle: Gives light in the dark.']).toBeLessThan(scores(first)['Candle: Gives light in the dark.']);
  });
});

describe('a reset of interoception', () => {
  it('is refused for a domain or source that does not exist, and changes nothing', async () => {
    const { db } = test.service.store;
    const counters = () => db.selectFrom('counter').selectAll().where('name', 'like', 'interoception:%').execute();
    const before = await counters();
    const domain = await test.post('/v1/interoception/reset', { domain: 'nowhere' });
    expect(domain).toMatchObject({ status: 404, body: { code: 'domain_not_found', details: { member: 'domain' } } });
    const source = await test.post('/v1/interoception/reset', { source_id: 'none' });
    expect(source).toMatchObject({ status: 404, body: { code: 'source_not_found', details: { member: 'source_id' } } });
    expect(await counters()).toEqual(before);
  });

  it('takes a domain that was forgotten as long as feedback on it is left', async () => {
    const concepts = [{ name: 'Sextant', description: 'Measures the height of a star.' }];
    await test.post('/v1/ingest/structured', { domain: 'stars', concepts });
    await test.post('/v1/ingest/structured', { domain: 'moons', concepts: [{ name: 'Titan' }] });
    // A question of this domain alone goes with it.
    const domains = ['stars', 'moons'];
    const { query_id, items } = (await test.post('/v1/query', { context: 'height of a star', domains })).body;
    await test.delete('/v1/domains/stars');
    const outcomes = { [items[0].id]: 'rejected' };
    expect((await test.post('/v1/feedback', { query_id, outcomes })).status).toBe(200);
    const reset = () => test.post('/v1/interoception/reset', { domain: 'stars' });
    expect(await reset()).toMatchObject({ status: 200, body: { feedback: 1 } });
    expect((await reset()).status).toBe(404);
  });
});
