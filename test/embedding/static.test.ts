import { describe, expect, it } from '@jest/globals';
import { openStatic } from '../../src/backends/embedding/static/static.js';
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

  it('works again after its thread was closed, and lets the calls that were under way fail', async () => {
    const model = openStatic();
    const texts = Array.from({ length: 500 }, (_, i) => `text ${i} of a list that is long enough for the thread`);
    const before = await model.embed(texts);
    // A call whose texts reach the thread only after the close is answered by the next thread.
    const outcomes: unknown[] = [];
    for (let round = 0; round < 10; round += 1) {
      const running = model.embed(texts).catch((error: SvcError) => error.code);
      await model.close();
      outcomes.push(await running);
      expect(await model.embed(texts)).toEqual(before);
    }
    const failed = outcomes.filter((outcome) => outcome === 'unavailable');
    expect(failed.length).toBeGreaterThan(0);
    for (const outcome of outcomes) if (outcome !== 'unavailable') expect(outcome).toEqual(before);
    await model.close();
  });
});
