import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Kysely } from 'kysely';
import { WriteQueue } from '../../src/backends/store/engine/write-queue.js';

/** A connection that only records its calls; the disk completes when the test says so. */
function recorder() {
  const steps: string[] = [];
  const disk: Array<{ done: () => void; fail: (error: Error) => void }> = [];
  const errors: unknown[] = [];
  const broken = { undo: 0 };
  const queue = new WriteQueue(
    {
      room: async () => {},
      begin: () => void steps.push('begin'),
      commit: () => void steps.push('commit'),
      rollback: () => void steps.push('rollback'),
      savepoint: () => {},
      release: () => {},
      undo: () => {
        if (broken.undo > 0) {
          broken.undo -= 1;
          throw new Error('no such savepoint');
        }
        steps.push('undo');
      },
      synced: () => new Promise<void>((done, fail) => void disk.push({ done, fail })),
    },
    {} as Kysely<never>,
    (error) => errors.push(error),
  );
  const write = (name: string, durable?: boolean): Promise<string> =>
    queue.run(async () => {
      steps.push(name);
      return name;
    }, durable);
  return { steps, disk, queue, write, errors, broken };
}

const ticks = async (): Promise<void> => {
  for (let i = 0; i < 20; i += 1) await new Promise((done) => setImmediate(done));
};

// Which writes share a commit depends on the clock: here it stands still.
beforeEach(() => void jest.spyOn(performance, 'now').mockReturnValue(0));
afterEach(() => void jest.restoreAllMocks());

describe('the queue of writes', () => {
  test('acknowledges a durable write when the disk has it, another one at its commit', async () => {
    const { steps, disk, write } = recorder();
    const resolved: string[] = [];
    const durable = write('durable').then((name) => resolved.push(name));
    const quick = write('quick', false).then((name) => resolved.push(name));
    await quick;
    await ticks();
    expect(steps).toEqual(['begin', 'durable', 'quick', 'commit']);
    expect(resolved).toEqual(['quick']);
    disk[0]!.done();
    await durable;
    expect(resolved).toEqual(['quick', 'durable']);
  });

  test('keeps writing while the disk is busy', async () => {
    const { steps, disk, write } = recorder();
    const first = write('first');
    await ticks();
    const second = write('second');
    await ticks();
    expect(steps).toEqual(['begin', 'first', 'commit', 'begin', 'second', 'commit']);
    expect(disk).toHaveLength(2);
    for (const { done } of disk) done();
    expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  });

  test('is drained only when the disk has everything', async () => {
    const { disk, queue, write } = recorder();
    const written = write('one');
    let drained = false;
    const end = (async () => {
      await ticks();
      await queue.drained();
      drained = true;
    })();
    await ticks();
    await ticks();
    expect(drained).toBe(false);
    disk[0]!.done();
    await Promise.all([written, end]);
    expect(drained).toBe(true);
  });

  test('fails a write that the disk did not keep, and takes no more', async () => {
    const { steps, disk, write } = recorder();
    const lost = write('lost');
    await ticks();
    disk[0]!.fail(new Error('The disk failed.'));
    await expect(lost).rejects.toThrow('The disk failed.');
    await expect(write('later')).rejects.toThrow('The disk failed.');
    expect(steps).not.toContain('later');
  });

  test('undoes only the write that fails', async () => {
    const { steps, disk, queue, write } = recorder();
    const good = write('good');
    const bad = queue.run(() => Promise.reject(new Error('no')));
    const refused = expect(bad).rejects.toThrow('no');
    await ticks();
    disk[0]!.done();
    expect(await good).toBe('good');
    await refused;
    expect(steps).toEqual(['begin', 'good', 'undo', 'commit']);
  });

  test('runs the others again where a write that fails cannot be undone alone', async () => {
    const { steps, disk, queue, write, broken } = recorder();
    broken.undo = 1;
    const good = write('good');
    const bad = queue.run(() => Promise.reject(new Error('no')));
    const refused = expect(bad).rejects.toThrow('no');
    const after = write('after', false);
    await refused;
    expect(await after).toBe('after');
    await ticks();
    disk[0]!.done();
    expect(await good).toBe('good');
    expect(steps).toEqual(['begin', 'good', 'rollback', 'begin', 'good', 'after', 'commit']);
    expect(await write('later', false)).toBe('later');
  });

  test('keeps every write of a group where what follows a commit in memory throws, and reports that', async () => {
    const { disk, queue, write, errors } = recorder();
    const first = queue.run(async (scope) => {
      scope.afterCommit(() => {
        throw new Error('the cache broke');
      });
      return 'first';
    });
    const second = write('second');
    const quick = write('quick', false);
    expect(await quick).toBe('quick');
    await ticks();
    disk[0]!.done();
    expect(await Promise.all([first, second])).toEqual(['first', 'second']);
    expect(errors).toEqual([new Error('the cache broke')]);
    expect(await write('later', false)).toBe('later');
  });
});
