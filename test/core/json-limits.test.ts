import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonLimits } from '../../src/core/json/json-limits.js';

/** Scans a text in pieces of a size; returns the code of the error, or nothing. */
function scanned(text: string, size = 65_536): string | undefined {
  const limits = new JsonLimits();
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; at += size) limits.scan(bytes.subarray(at, at + size));
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('limits of JSON', () => {
  it.each([
    ['members of one object', `{${Array.from({ length: 10_001 }, (_, i) => `"k${i}":1`).join(',')}}`],
    ['objects and lists', `[${'[],'.repeat(200_000)}[]]`],
    ['elements', `[${'1,'.repeat(2_000_001)}1]`],
    ['names and texts', `[${'"h:1",'.repeat(500_000)}"h:1"]`],
  ])('hold for %s', (_name, text) => {
    expect(scanned(text)).toBe('too_large');
  });

  it('do not count what stands in texts, however it is escaped and wherever a piece ends', () => {
    const character = fc.constantFrom('\\\\', '\\"', '{', '[', ':', ',', 'a', ' '.repeat(40), '\\u0041');
    const text = fc.array(character, { maxLength: 60 }).map((parts) => `"${parts.join('')}"`);
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 80 }), (inner, size) => {
        // A hundred and one levels are nested too deep only where they are counted, which is after the text.
        expect(scanned(`${'['.repeat(101)}${inner}`, size)).toBeUndefined();
        expect(scanned(`${'['.repeat(101)}${inner},[`, size)).toBe('invalid_input');
      }),
      { numRuns: 500 },
    );
  });
});
