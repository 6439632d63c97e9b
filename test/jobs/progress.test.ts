import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Manifest } from '../../src/core/model.js';
import { type FileProgress, ProgressNotes } from '../../src/ingest/jobs/progress-notes.js';
import { LoadProgress } from '../../src/ingest/write/load-progress.js';

beforeEach(() => {
  jest.useFakeTimers({ now: 1_000_000 });
  jest.advanceTimersByTime(10_000);
});
afterEach(() => {
  jest.useRealTimers();
});

/** So many of each kind; what they are does not count. */
function counted(passages: number, concepts = 0): Pick<Manifest, 'passages' | 'concepts' | 'edges' | 'rules'> {
  return { passages: Array(passages), concepts: Array(concepts), edges: [], rules: [] } as never;
}

describe('progress of a load', () => {
  it('is one count over embedding and writing that only grows, with the passages beside it', () => {
    const seen: unknown[][] = [];
    const progress = new LoadProgress(counted(400, 100), { progress: (...report) => seen.push(report) });
    progress.expectSteps();
    progress.embedded(256, 500, 256);
    progress.embedded(500, 500, 400);
    for (const step of [counted(0, 100), counted(200), counted(200)]) {
      jest.advanceTimersByTime(300);
      progress.wrote(step);
    }
    const parsed = 400;
    expect(seen).toEqual([
      [256, 1000, '256 of 400 passages embedded', { parsed, embedded: 256, written: 0 }],
      [500, 1000, '400 of 400 passages embedded', { parsed, embedded: 400, written: 0 }],
      [600, 1000, '0 of 400 passages written', { parsed, embedded: 400, written: 0 }],
      [800, 1000, '200 of 400 passages written', { parsed, embedded: 400, written: 200 }],
      [1000, 1000, '400 of 400 passages written', { parsed, embedded: 400, written: 400 }],
    ]);
  });

  it('is not told of each of many small steps', () => {
    let reports = 0;
    const progress = new LoadProgress(counted(1000), {
      progress: () => {
        reports += 1;
      },
    });
    progress.expectSteps();
    for (let i = 0; i < 100; i += 1) {
      jest.advanceTimersByTime(10);
      progress.wrote(counted(10));
    }
    expect(reports).toBeLessThanOrEqual(4);
    expect(reports).toBeGreaterThan(1);
  });
});

describe('notes of progress', () => {
  it('come twice a second at most, one at a time, and one that fails is made up for by the next', async () => {
    const noted: FileProgress[] = [];
    const notes = new ProgressNotes(async (progress) => {
      noted.push(progress);
      if (noted.length === 1) throw new Error('The store is busy.');
    });
    for (let done = 0; done < 100; done += 1) {
      notes.report(done, 100, 'embedded');
      jest.advanceTimersByTime(20);
      await notes.settled();
    }
    expect(noted.map(({ done }) => done)).toEqual([0, 25, 50, 75]);
    expect(noted[0]).toEqual({ step: 'embedded', done: 0, total: 100, passages: null });
    let end = (): void => undefined;
    const slow = new ProgressNotes(() => {
      noted.push({ step: 'slow', done: 0, total: null, passages: null });
      return new Promise((resolve) => {
        end = resolve;
      });
    });
    slow.report(1, undefined, 'slow');
    jest.advanceTimersByTime(5000);
    slow.report(2, undefined, 'slow');
    expect(noted).toHaveLength(5);
    end();
    await slow.settled();
  });
});
