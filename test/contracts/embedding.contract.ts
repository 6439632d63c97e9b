import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EmbeddingModel } from '../../src/backends/embedding/port.js';

export interface EmbeddingContractOptions {
  /** How far two vectors of one text may differ in a component; default 1e-5. */
  readonly tolerance?: number;
}

const TEXTS = [
  'The Wilhelmina canal joins two towns in North Brabant.',
  'Who directed the film?',
  'Île-de-France, Ærøskøbing and Łódź',
  '北京大学 was founded in 1898 👩‍🔬',
  'مرحبا بالعالم',
  '12,345.67 m²',
  'a',
];

/** What every embedding model promises; `open` gives a fresh one. */
export function embeddingContract(
  name: string,
  open: () => Promise<EmbeddingModel>,
  { tolerance = 1e-5 }: EmbeddingContractOptions = {},
): void {
  describe(`embedding model ${name}`, () => {
    let model: EmbeddingModel;
    beforeAll(async () => {
      model = await open();
      await model.health();
    });
    afterAll(() => model.close());

    const expectUnit = (vector: Float32Array): void => {
      expect(vector).toBeInstanceOf(Float32Array);
      expect(vector).toHaveLength(model.dimension);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
    };
    const expectSame = (a: Float32Array, b: Float32Array): void => {
      expect(a).toHaveLength(b.length);
      expect(Math.max(...a.map((value, d) => Math.abs(value - b[d]!)))).toBeLessThan(tolerance);
    };

    it('has a name and a dimension', () => {
      expect(model.name).not.toBe('');
      expect(model.dimension).toBeGreaterThan(0);
    });

    it('answers an empty list with an empty list', async () => {
      expect(await model.embed([])).toEqual([]);
      expect(await model.embedSpanned([])).toEqual([]);
    });

    it('gives one vector of unit length a text, in any script', async () => {
      const vectors = await model.embed(TEXTS);
      expect(vectors).toHaveLength(TEXTS.length);
      vectors.forEach(expectUnit);
    });

    it('keeps the order of the texts', async () => {
      const forward = await model.embed(TEXTS);
      const backward = await model.embed([...TEXTS].reverse());
      forward.forEach((vector, i) => void expectSame(vector, backward[TEXTS.length - 1 - i]!));
    });

    it('gives a text the same vector whatever stands beside it', async () => {
      const [alone] = await model.embed([TEXTS[0]!]);
      const many = await model.embed([...TEXTS, ...TEXTS.map((text) => text.repeat(20)), TEXTS[0]!]);
      expectSame(many[0]!, alone!);
      expectSame(many.at(-1)!, alone!);
      const [spanned] = await model.embedSpanned([{ text: TEXTS[0]!, spans: [[0, 23]] }]);
      expectSame(spanned!.vector, alone!);
    });

    it('gives the same vectors to calls that run at the same time', async () => {
      const expected = await model.embed(TEXTS);
      const runs = await Promise.all(Array.from({ length: 5 }, () => model.embed(TEXTS)));
      for (const run of runs) run.forEach((vector, i) => void expectSame(vector, expected[i]!));
    });

    it('distinguishes different texts', async () => {
      const [a, b] = await model.embed([TEXTS[0]!, TEXTS[1]!]);
      const cosine = a!.reduce((sum, value, d) => sum + value * b![d]!, 0);
      expect(cosine).toBeLessThan(0.95);
    });

    it('takes empty and blank texts and lone surrogates', async () => {
      const vectors = await model.embed(['', ' \n\t', '\ud800', '\u0000']);
      expect(vectors).toHaveLength(4);
      vectors.forEach(expectUnit);
    });

    it('takes a very long text', async () => {
      const [vector] = await model.embed(['The quick brown fox jumps over the lazy dog. '.repeat(5000)]);
      expectUnit(vector!);
    });

    it('gives one vector a span, beyond the length a model sees too', async () => {
      const sentence = 'Every sentence of a long report is found by its own vector. ';
      const text = sentence.repeat(100);
      const spans = Array.from(
        { length: 100 },
        (_, i) => [i * sentence.length, (i + 1) * sentence.length - 1] as const,
      );
      const [one, none] = await model.embedSpanned([
        { text, spans },
        { text: 'no spans', spans: [] },
      ]);
      expectUnit(one!.vector);
      expect(one!.spans).toHaveLength(100);
      one!.spans.forEach(expectUnit);
      expect(none!.spans).toEqual([]);
    });

    it('takes spans without any word', async () => {
      const [one] = await model.embedSpanned([
        {
          text: 'A word.   ',
          spans: [
            [0, 0],
            [7, 10],
            [0, 7],
          ],
        },
      ]);
      expect(one!.spans).toHaveLength(3);
      one!.spans.forEach(expectUnit);
    });

    it('throws the reason of a signal that was given up before', async () => {
      await expect(model.embed(['x'], AbortSignal.abort(new Error('given up')))).rejects.toThrow('given up');
      await expect(
        model.embedSpanned([{ text: 'x', spans: [] }], AbortSignal.abort(new Error('given up'))),
      ).rejects.toThrow('given up');
    });
  });
}
