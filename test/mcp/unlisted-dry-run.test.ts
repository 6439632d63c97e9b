import { expect, it } from '@jest/globals';
import { toolWorld } from './tool-world.js';

const tested = toolWorld();

it('a dry run through a tool that does not list dry_run changes nothing', async () => {
  await tested.client.call('svc_learning_observe', { learner: 'kettles', arm_id: 'a', outcome: 'accepted' });
  const reset = async (input: object) =>
    (await tested.client.call('svc_learning_reset', { learner: 'kettles', ...input })).structuredContent;
  const counted = { learner: 'kettles', deleted: 1, status: 'dry_run' };
  expect(await reset({ dry_run: true })).toEqual(counted);
  expect(await reset({ dry_run: true })).toEqual(counted);
  expect(await reset({})).toEqual({ ...counted, status: 'reset' });
});

it('also where entries of a vector index would be deleted', async () => {
  const index_name = 'kettles';
  await tested.client.call('svc_vector_create_index', { index_name, dimension: 1 });
  await tested.client.call('svc_vector_upsert', {
    index_name,
    vectors: [[1], [2]],
    ids: ['a', 'b'],
    metadata: [{ x: 1 }, {}],
  });
  const deleted = async (input: object) =>
    (await tested.client.call('svc_vector_delete_many', { index_name, ...input })).structuredContent;
  for (const selector of [{ filter: { x: 1 } }, { ids: ['b', 'b', 'c'] }]) {
    expect(await deleted({ ...selector, dry_run: true })).toEqual({ status: 'dry_run', count: 1 });
    expect(await deleted(selector)).toEqual({ status: 'deleted', count: 1 });
    expect(await deleted({ ...selector, dry_run: true })).toEqual({ status: 'dry_run', count: 0 });
  }
});
