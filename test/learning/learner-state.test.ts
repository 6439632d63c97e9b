import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openSqlite } from '../../src/backends/store/engine/sqlite.js';
import { Learning } from '../../src/learning/learning.js';
import { type LearningFixture, learningFixture } from './fixture.js';

let fixture: LearningFixture;
beforeEach(async () => {
  fixture = await learningFixture();
});
afterEach(() => fixture.close());

const learner = (name = 'prompts') => fixture.learning.learner(name);

describe('state', () => {
  it('survives a restart and moves to its own file with state_dir', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'learner-'));
    const own = join(directory, 'own');
    const options = { clock: () => 0, openStore: openSqlite, learners: { moved: { state_dir: own } } };
    for (const pulls of [1, 2]) {
      const store = await openSqlite(join(directory, 'main.db'));
      const learning = new Learning(store, options);
      expect(await learning.observe({ learner: 'moved', arm_id: 'a', reward: 1 })).toMatchObject({ pulls });
      expect(await learning.observe({ learner: 'main', arm_id: 'a', reward: 1 })).toMatchObject({ pulls });
      expect(await learning.summary()).toMatchObject({ learners: 2, total_observations: 2 * pulls });
      expect(await store.db.selectFrom('learner_arm').select('learner').distinct().execute()).toEqual([
        { learner: 'main' },
      ]);
      await learning.close();
      await store.close();
    }
    await rm(directory, { recursive: true });
  });

  it('is seen by another replica at once', async () => {
    const other = new Learning(fixture.store, { clock: () => fixture.now, seed: 2, openStore: openSqlite });
    const mine = await learner();
    const theirs = await other.learner('prompts');
    await mine.observe({ arm_id: 'a', reward: 1 });
    expect((await theirs.posteriors()).a).toMatchObject({ pulls: 1 });
    await theirs.observe({ arm_id: 'a', reward: 1 });
    expect((await mine.posteriors()).a).toMatchObject({ pulls: 2 });
    await theirs.reset(['a']);
    expect(await mine.posteriors()).toEqual({});
    await Promise.all(
      Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? mine : theirs).observe({ arm_id: 'b', reward: 1 })),
    );
    expect((await mine.posteriors()).b).toMatchObject({ pulls: 200, alpha: 201 });
    await other.close();
  });

  it.each(['../up', '', '.hidden', 'x'.repeat(129), 'a\0'])('refuses the learner name %j', async (name) => {
    expect(() => fixture.learning.learner(name)).toThrow(/learner must/);
  });

  it('refuses settings out of range, naming the member', () => {
    expect(() => fixture.learning.configure({ name: 'x', baseline_rate: 2 })).toThrow(/baseline_rate/);
    expect(() => fixture.learning.configure({ name: 'x', max_arms: 0 })).toThrow(/max_arms/);
  });
});
