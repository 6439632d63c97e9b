import { describe, expect, it } from 'vitest';
import { openStatic } from '../../src/backends/embedding/static.js';
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
});
