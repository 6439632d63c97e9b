import { relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Progress } from '../../src/cli/output/progress.js';
import { ProgressLines } from '../../src/cli/output/progress-lines.js';

const isTTY = process.stderr.isTTY;
let shown = '';

beforeEach(() => {
  shown = '';
  process.stderr.isTTY = true;
  jest.useFakeTimers({ now: 1_000_000 });
  jest.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    shown += String(chunk);
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
  process.stderr.isTTY = isTTY;
});

/** Reports these counts of 100, a second apart, and returns all that the bar showed. */
function bar(counts: readonly number[], message = ''): string {
  const progress = new Progress(false);
  for (const count of counts) {
    jest.advanceTimersByTime(1000);
    progress.update(count, 100, message);
    jest.advanceTimersByTime(200);
  }
  progress.stop();
  return shown;
}

describe('the progress bar', () => {
  it('tells the time left once there is a rate', () => {
    expect(bar([10, 20, 30, 40])).toMatch(/40\/100 \| \d+m?\d*s left \| /);
  });

  it.each([
    ['at the start', [0]],
    ['without a rate', [5, 5, 5]],
  ])('says nothing of it %s', (_, counts) => {
    const text = bar(counts, 'reading');
    expect(text).toContain(`${counts.at(-1)}/100 | reading`);
    expect(text).not.toMatch(/left|NF|LL|NaN/);
  });

  it('moves by parts of a file, and counts whole ones', () => {
    expect(bar([10, 20, 30.5])).toMatch(/ 30% \| 30\/100 \| /);
  });

  it('shows no control of a name', () => {
    expect(bar([10], 'a\u001b]0;title\u0007\nb')).toContain('a\\x1b]0;title\\x07\\nb');
  });
});

describe('lines about files that take long', () => {
  const lines = (silent: boolean) => {
    const told = new ProgressLines(silent);
    for (let second = 0; second < 17; second += 1) {
      const step = second < 7 ? {} : { step: `${second} of 17 passages embedded`, done: second, total: 34 };
      told.update([{ path: '/notes/large.md', ...step }, { path: `/notes/${second}.md` }]);
      jest.advanceTimersByTime(1000);
    }
    return shown;
  };

  it('come every five seconds for each file that takes so long', () => {
    const path = relative('.', '/notes/large.md');
    expect(lines(false).split('\n')).toEqual([
      `working   ${path}  being read`,
      `working   ${path}  10 of 17 passages embedded (29 %)`,
      `working   ${path}  15 of 17 passages embedded (44 %)`,
      '',
    ]);
  });

  it('do not come where JSON or a bar is shown', () => {
    expect(lines(true)).toBe('');
  });
});
