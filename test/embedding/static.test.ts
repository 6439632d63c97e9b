import { describe, expect, it } from '@jest/globals';
import { openStatic } from '../../src/backends/embedding/static/static.js';
import type { TokenBatch } from '../../src/backends/embedding/static/static-sums.js';
import { StaticThread } from '../../src/backends/embedding/static/static-thread.js';
import type { SvcError } from '../../src/core/errors.js';
import { embeddingContract } from '../contracts/embedding.contract.js';

embeddingContract('static', async () => openStatic());

describe('the static model', () => {
  it('finds the passage that answers a question among others', async () => {
    const model = openStatic();
    const passages = [
      'Mary Shelley wrote the novel Frankenstein in 1818.',
      'The Danube flows through ten countries into the Black Sea.',
      'Basalt is a fine-grained volcanic rock rich in magnesium.',
    ];
    const [question, ...vectors] = await model.embed(['Who is the author of Frankenstein?', ...passages]);
    const cosines = vectors.map((vector) => vector.reduce((sum, value, d) => sum + value * question![d]!, 0));
    expect(cosines.indexOf(Math.max(...cosines))).toBe(0);
  });

  it('stops between texts when its signal is given up', async () => {
    const model = openStatic();
    const control = new AbortController();
    const running = model.embed(
      Array.from({ length: 20_000 }, (_, i) => `text ${i} of a long list`),
      control.signal,
    );
    control.abort(new Error('given up'));
    await expect(running).rejects.toThrow('given up');
  });

  it('makes the same vectors of many texts, in its thread, as of each by itself', async () => {
    const model = openStatic();
    const texts = Array.from({ length: 2000 }, (_, i) => {
      const text = i % 7 === 0 ? '' : `Concept ${i} stands beside ${i * 3}. It has ${i % 5} parts.`;
      return {
        text,
        spans:
          i % 2 === 0
            ? []
            : ([
                [0, 20],
                [20, text.length],
              ] as const),
      };
    });
    const together = await model.embedSpanned(texts);
    for (const [i, text] of texts.entries()) {
      if (i % 50 > 3) continue;
      const [alone] = await model.embedSpanned([text]);
      expect(together[i]).toEqual(alone);
    }
    await model.close();
  });

  it('works again after its thread was closed, whenever that was', async () => {
    const model = openStatic();
    const texts = Array.from({ length: 500 }, (_, i) => `text ${i} of a list that is long enough for the thread`);
    const before = await model.embed(texts);
    for (let round = 0; round < 4; round += 1) {
      // Whether the texts reach the thread before the close is up to the event loop.
      const running = model.embed(texts).catch((error: SvcError) => error.code);
      await model.close();
      const outcome = await running;
      if (outcome !== 'unavailable') expect(outcome).toEqual(before);
      expect(await model.embed(texts)).toEqual(before);
    }
    await model.close();
  });
});

describe('the thread of the static model', () => {
  it('lets the calls that are under way fail when it is closed, and starts anew', async () => {
    const dimension = 256;
    const thread = new StaticThread({
      rows: new Int8Array(new SharedArrayBuffer(2 * dimension)).fill(1),
      scales: new Float32Array(new SharedArrayBuffer(8)).fill(1),
      unknown: new Float32Array(dimension),
    });
    const batch = (): TokenBatch => ({
      ids: Int32Array.of(0, 1),
      ends: Int32Array.of(2),
      counts: Int32Array.of(0),
      ranges: new Int32Array(0),
    });
    for (let round = 0; round < 3; round += 1) {
      // A thread that has not started yet has answered nothing.
      const running = thread.sum(batch());
      const failed = expect(running).rejects.toMatchObject({ code: 'unavailable' });
      await thread.close();
      await failed;
      const vectors = await thread.sum(batch());
      expect(vectors).toHaveLength(dimension);
      expect(vectors[0]).toBeCloseTo(1 / Math.sqrt(dimension));
      await thread.close();
    }
  });
});
