import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pinned, pinnedText } from '../../scripts/pinned.js';

const folder = 'schemas/pinned';

describe('what leaves the process', () => {
  it.each(Object.entries(pinned()))('is as %s pins it (if this is meant: npm run pins)', (file, value) => {
    expect(pinnedText(value)).toBe(readFileSync(`${folder}/${file}`, 'utf8'));
  });

  it('has no pin of something that is gone', () => {
    expect(Object.keys(pinned())).toEqual(expect.arrayContaining(readdirSync(folder)));
  });
});
