import { describe, expect, test } from '@jest/globals';
import { locator } from '../../bench/retrieval/data.js';

const hopper = 'Grace Hopper was a computer scientist and an officer of the Navy of the United States.';
const pearson = 'The Drew Pearson Show was an American television programme that was broadcast on two networks.';

describe('the place of a returned passage among those of a set', () => {
  const place = locator([
    { title: 'Grace Hopper', text: hopper },
    { title: 'The Drew Pearson Show', text: pearson },
  ]);

  test('is that of its text, also under the title of another passage or none', () => {
    for (const title of ['Grace Hopper', 'The Drew Pearson Show', '', 'Page 3']) {
      expect(place(title, hopper)).toBe(0);
      expect(place(title, pearson)).toBe(1);
    }
  });

  test('is that of its title where the text was changed or is short, and none where neither tells', () => {
    expect(place('Grace Hopper', 'She served in the Navy.')).toBe(0);
    expect(place('Page 3', 'She served in the Navy.')).toBe(-1);
    expect(place('Grace Hopper', '')).toBe(-1);
  });
});
