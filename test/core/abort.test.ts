import { describe, expect, it } from '@jest/globals';
import { stopIfAborted } from '../../src/core/async/abort.js';

describe('work that may be stopped', () => {
  it('goes on until its signal is aborted, and then fails so that a caller may try again', () => {
    const stop = new AbortController();
    stopIfAborted(undefined, 'never');
    stopIfAborted(stop.signal, 'not yet');
    stop.abort();
    expect(() => stopIfAborted(stop.signal, 'The copy was stopped; start it again.')).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        message: 'The copy was stopped; start it again.',
        retriable: true,
      }),
    );
  });
});
