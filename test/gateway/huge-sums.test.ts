import { expect, it } from '@jest/globals';
import { settings, TRACE } from './green-inputs.js';
import { RUN } from './learning-runs.js';
import { NOON, post, worldsOfEachTest } from './world.js';

const open = worldsOfEachTest();

it('adds up counts whose sum no integer of 64 bits holds', async () => {
  const world = await open({ settings });
  await world.green('/ingest', post(TRACE));
  await world.learning('/ingest', post(RUN));
  const huge = 9_000_000_000_000_000_000;
  for (const column of ['inputTokens', 'outputTokens'] as const) {
    await world.store.db
      .updateTable('green_rollup')
      .set({ [column]: huge })
      .execute();
    await world.store.db
      .updateTable('green_trace')
      .set({ [column]: huge })
      .execute();
  }
  await world.store.db.updateTable('gateway_run').set({ totalTokens: huge }).execute();
  await world.learning('/ingest', post({ ...RUN, traceId: 't2', runId: 'r2', model: 'gpt-4o-mini' }));
  await world.store.db.updateTable('gateway_run').set({ totalTokens: huge }).execute();
  for (const path of ['/summary', `/summary?since=${NOON - 1}&until=${NOON + 1}`, '/intensity', '/timeseries']) {
    expect([path, (await world.green(path)).status]).toEqual([path, 200]);
  }
  expect((await world.green('/summary')).body.totalTokens).toBeGreaterThan(1e19);
  const summary = await world.learning('/summary');
  expect([summary.status, summary.body.totalTokens]).toEqual([200, 2 * huge]);
  expect((await world.call('/metrics')).status).toBe(200);
});
