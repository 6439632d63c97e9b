import { describe, expect, it } from '@jest/globals';
import { openMinilm } from '../../src/backends/embedding/minilm/minilm.js';
import { rankedOtherwise, readRankingCheck } from '../../src/backends/embedding/minilm/minilm-check.js';
import { embeddingContract } from '../contracts/embedding.contract.js';

embeddingContract('minilm', async () => openMinilm());

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, d) => sum + value * b[d]!, 0);
}

describe('the MiniLM model', () => {
  it('ranks the passages of the check as where it was measured, and says nothing', async () => {
    const logged: string[] = [];
    const model = openMinilm({ log: (line) => logged.push(line) });
    expect(await rankedOtherwise(readRankingCheck(), (texts) => model.embed(texts))).toEqual([]);
    expect(logged).toEqual([]);
    await model.close();
  });

  it('is checked by ranking: small differences of a processor pass, other answers do not', async () => {
    const model = openMinilm();
    const check = readRankingCheck();
    const moved = (by: number) => async (texts: readonly string[]) =>
      (await model.embed(texts)).map((vector, i) => vector.map((value, d) => value + by * Math.sin(7 * i + 13 * d)));
    expect(await rankedOtherwise(check, moved(0.005))).toEqual([]);
    expect((await rankedOtherwise(check, moved(0.2))).length).toBeGreaterThan(3);
    await model.close();
  });

  it('makes of a span a vector near the sentence on its own', async () => {
    const model = openMinilm();
    const sentences = ['Basalt is a volcanic rock.', 'The Danube ends in the Black Sea.'];
    const text = sentences.join(' ');
    const [spanned] = await model.embedSpanned([
      {
        text,
        spans: [
          [0, 26],
          [27, text.length],
        ],
      },
    ]);
    const apart = await model.embed(sentences);
    for (const i of [0, 1]) {
      expect(cosine(spanned!.spans[i]!, apart[i]!)).toBeGreaterThan(cosine(spanned!.spans[i]!, apart[1 - i]!) + 0.2);
    }
    await model.close();
  });

  it('lets a question overtake bulk work', async () => {
    const model = openMinilm({ threads: 1 });
    await model.health();
    const order: string[] = [];
    const texts = Array.from({ length: 60 }, (_, i) => ({ text: `Passage ${i} `.repeat(30), spans: [] }));
    const bulk = model.embedSpanned(texts).then(() => order.push('bulk'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const question = model.embed(['Who wrote it?']).then(() => order.push('question'));
    await Promise.all([bulk, question]);
    expect(order).toEqual(['question', 'bulk']);
    await model.close();
  });

  it('gives up bulk work when its signal is, and continues with other calls', async () => {
    const model = openMinilm({ threads: 1 });
    await model.health();
    const control = new AbortController();
    const texts = Array.from({ length: 500 }, (_, i) => ({ text: `Passage ${i} `.repeat(50), spans: [] }));
    const bulk = model.embedSpanned(texts, control.signal);
    setTimeout(() => control.abort(new Error('given up')), 20);
    await expect(bulk).rejects.toThrow('given up');
    expect(await model.embed(['still here'])).toHaveLength(1);
    await model.close();
  });

  it('refuses texts after it was closed, and those that were waiting', async () => {
    const model = openMinilm({ threads: 1 });
    await model.health();
    const waiting = model.embedSpanned(Array.from({ length: 50 }, () => ({ text: 'word '.repeat(200), spans: [] })));
    const refused = expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await model.close();
    await refused;
    await expect(model.embed(['x'])).rejects.toMatchObject({ code: 'unavailable' });
  });
});
