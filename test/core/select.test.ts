import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '../../src/core/random.js';
import { kthLargest } from '../../src/core/select.js';

describe('the k-th largest', () => {
  it('equals the k-th of the sorted list, with ties, whatever the order', () => {
    const random = seededRandom('select');
    for (let round = 0; round < 300; round += 1) {
      const length = 1 + Math.floor(random() * 60);
      const spread = 1 + Math.floor(random() * 40);
      const values = Float64Array.from({ length }, () => Math.floor(random() * spread) / 7);
      const sorted = [...values].sort((a, b) => b - a);
      const k = 1 + Math.floor(random() * length);
      expect(kthLargest(values.slice(), k)).toBe(sorted[k - 1]);
    }
  });
});
