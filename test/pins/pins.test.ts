import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { API_PAGE, withTables } from '../../scripts/api-tables.js';
import { pinned, pinnedText } from '../../scripts/pinned.js';

const folder = 'schemas/pinned';

describe('what leaves the process', () => {
  it.each(Object.entries(pinned()))('is as %s pins it (if this is meant: npm run pins)', (file, value) => {
    expect(pinnedText(value)).toBe(readFileSync(`${folder}/${file}`, 'utf8'));
  });

  it('is as the tables of docs/api.md say (if this is meant: npm run pins)', () => {
    const page = readFileSync(API_PAGE, 'utf8');
    expect(withTables(page)).toBe(page);
  });

  it('has no pin of something that no longer exists', () => {
    expect(Object.keys(pinned())).toEqual(expect.arrayContaining(readdirSync(folder)));
  });
});
