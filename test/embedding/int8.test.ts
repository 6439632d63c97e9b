import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { packSentences, SentenceQuery, unpackSentences } from '../../src/backends/embedding/int8.js';
import { seededRandom } from '../../src/core/random.js';

function unitVector(random: () => number, dimension: number): Float32Array {
  const vector = Float32Array.from({ length: dimension }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, d) => sum + value * b[d]!, 0);
}

describe('packed sentence vectors', () => {
  it('scores every vector within 0.01 of its exact cosine, whatever the dimension', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 0, max: 9 }),
        (seed, dimension, count) => {
          const random = seededRandom(seed);
          const vectors = Array.from({ length: count }, () => unitVector(random, dimension));
          const query = unitVector(random, dimension);
          const packed = packSentences(vectors);
          const scores = new SentenceQuery(query).scores(packed);
          expect(new SentenceQuery(query).best(packed)).toBe(count === 0 ? undefined : Math.max(...scores));
          expect(scores).toHaveLength(count);
          vectors.forEach((vector, v) => void expect(Math.abs(scores[v]! - cosine(vector, query))).toBeLessThan(0.01));
        },
      ),
    );
  });

  it('comes back at unit length, in order', () => {
    const random = seededRandom(1);
    const vectors = Array.from({ length: 5 }, () => unitVector(random, 384));
    const back = unpackSentences(packSentences(vectors), 384);
    expect(back).toHaveLength(5);
    back.forEach((vector, v) => {
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      expect(cosine(vector, vectors[v]!)).toBeGreaterThan(0.9999);
    });
  });

  it('takes dimension plus four bytes a vector', () => {
    const random = seededRandom(2);
    expect(packSentences([unitVector(random, 384), unitVector(random, 384)])).toHaveLength(2 * 388);
    expect(packSentences([])).toHaveLength(0);
  });

  it('reads a blob that lies at an odd place of a larger buffer', () => {
    const vector = unitVector(seededRandom(3), 256);
    const blob = packSentences([vector]);
    const larger = new Uint8Array(blob.length + 3);
    larger.set(blob, 3);
    expect(new SentenceQuery(vector).scores(larger.subarray(3))[0]).toBeCloseTo(1, 3);
  });

  it('gives no score for a blob of another dimension', () => {
    const blob = packSentences([unitVector(seededRandom(4), 256)]);
    const query = new SentenceQuery(unitVector(seededRandom(5), 384));
    expect(query.scores(blob)).toHaveLength(0);
    expect(query.best(blob)).toBeUndefined();
  });
});
