import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import type { Store } from '../../src/backends/store/scope.js';
import { Jobs } from '../../src/jobs.js';
import { Feedback } from '../../src/learning/feedback/feedback.js';
import { waitFor } from '../support/wait-for.js';

const RECORD = { query_id: 'q1', text: 'what', domains: [], mode: 'auto', vector: null, model: null };

describe('the query log', () => {
  it('lets an answer wait for no write, and feedback find the query all the same', async () => {
    const store = await openSqlite(':memory:');
    const feedback = new Feedback(store, { clock: Date.now });
    let release = (): void => undefined;
    let begun = (): void => undefined;
    const started = new Promise<void>((resolve) => (begun = resolve));
    const long = store.write(() => {
      begun();
      return new Promise<void>((resolve) => (release = resolve));
    });
    await started;
    await feedback.recordQuery({ ...RECORD, items: [{ id: 'd:a', score: 1, domain: 'd' }] });
    const rated = feedback.record({ query_id: 'q1', outcomes: { 'd:a': 'accepted' } });
    release();
    await long;
    await expect(rated).resolves.toMatchObject({ status: 'recorded' });
    expect(await feedback.activity()).toMatchObject({ queries_served: 1, feedback_given: 1 });
    await feedback.close();
    await store.close();
  });
});

describe('the query log of SQLite', () => {
  afterEach(() => void jest.useRealTimers());

  it('gathers queries into one write, which whoever asks for them does not wait for', async () => {
    const opened = await openSqlite(':memory:');
    // The time for which queries gather never ends: only whoever asks ends it.
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
    let writes = 0;
    const store: Store = {
      ...opened,
      write: (work, options) => {
        writes += 1;
        return opened.write(work, options);
      },
    };
    const feedback = new Feedback(store, { clock: Date.now });
    for (const query_id of ['q1', 'q2', 'q3']) {
      await feedback.recordQuery({ ...RECORD, query_id, items: [{ id: 'd:a', score: 1, domain: 'd' }] });
      // Each comes in a turn of its own, as the answers of requests do.
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await feedback.activity()).toMatchObject({ queries_served: 3 });
    expect(writes).toBe(1);
    await feedback.close();
    await opened.close();
  });
});

describe('a write', () => {
  it('is kept, and others go on, when what follows it in memory throws', async () => {
    const store = await openSqlite(':memory:');
    const kept = store.write(async ({ db, afterCommit }) => {
      afterCommit(() => {
        throw new Error('a cache failed');
      });
      await db.insertInto('counter').values({ name: 'one', value: 1 }).execute();
      return 'kept';
    });
    const other = store.write(async () => 'other');
    await expect(kept).resolves.toBe('kept');
    await expect(other).resolves.toBe('other');
    await expect(store.write(async () => 'later')).resolves.toBe('later');
    await store.close();
  });
});

describe('a periodic job', () => {
  it('never runs beside itself, however long it takes', async () => {
    const store = await openSqlite(':memory:');
    const jobs = new Jobs(store, { clock: Date.now, onError: (_, error) => expect(error).toBeUndefined() });
    let [running, most, runs] = [0, 0, 0];
    const run = async (): Promise<void> => {
      running += 1;
      runs += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 60));
      running -= 1;
    };
    jobs.start([{ name: 'slow', every: 10, run }]);
    await waitFor(() => expect(runs).toBeGreaterThan(3));
    await jobs.stop();
    expect(most).toBe(1);
    await store.close();
  });
});
