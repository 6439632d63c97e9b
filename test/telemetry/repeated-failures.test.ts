import { expect, it } from '@jest/globals';
import { SvcError } from '../../src/core/errors.js';
import { RepeatedFailures } from '../../src/telemetry/repeated-failures.js';

const lost = () => new SvcError('unavailable', 'The file of the store was removed.');

function logging() {
  const [lines, time] = [[] as string[], { now: 0 }];
  const log = {
    error: ({ job, err }: { job: string; err: { message: string } }) => lines.push(`failed ${job}: ${err.message}`),
    info: ({ job }: { job: string }) => lines.push(`again ${job}`),
  };
  const failures = new RepeatedFailures(log as never, () => time.now);
  return { failures, lines, time };
}

it('a failure of many jobs is logged once, again after ten minutes, and when it is over', () => {
  const { failures, lines, time } = logging();
  for (; time.now < 600_000; time.now += 5000) {
    for (const job of ['outbox', 'promotion']) failures.failed(job, lost(), 'failed');
    failures.noted('ingest', lost(), 'failed');
  }
  expect(lines).toEqual(['failed outbox: The file of the store was removed.']);
  failures.failed('promotion', lost(), 'failed');
  expect(lines).toHaveLength(2);
  failures.worked('outbox');
  expect(lines).toHaveLength(2);
  failures.worked('promotion');
  failures.worked('promotion');
  expect(lines.slice(2)).toEqual(['again promotion']);
  failures.failed('outbox', lost(), 'failed');
  expect(lines.slice(3)).toEqual(['failed outbox: The file of the store was removed.']);
});

it('another failure is logged at once, and so is an unknown one of another job in the same words', () => {
  const { failures, lines } = logging();
  failures.failed('outbox', lost(), 'failed');
  failures.failed('outbox', new SvcError('unavailable', 'The disk is full.'), 'failed');
  failures.failed('outbox', new TypeError('x is undefined'), 'failed');
  failures.failed('rankers', new TypeError('x is undefined'), 'failed');
  expect(lines).toHaveLength(4);
});
