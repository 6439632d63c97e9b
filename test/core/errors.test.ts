import { describe, expect, it } from '@jest/globals';
import { errorBody, SvcError } from '../../src/core/errors.js';

describe('an error that quotes what a caller sent', () => {
  it('is cut where that is long, and says so', () => {
    const error = new SvcError('invalid_input', `name "${'x'.repeat(2_000_000)}" is too long.`);
    expect(error.message).toMatch(/^name "x+… \(shortened\)$/);
    expect(JSON.stringify(errorBody(error)).length).toBeLessThan(2100);
  });

  it('stays whole where it is not', () => {
    const message = `ids names ${'y'.repeat(1900)} twice.`;
    expect(new SvcError('invalid_input', message).message).toBe(message);
  });
});
