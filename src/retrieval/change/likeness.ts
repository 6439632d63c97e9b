import { dot } from '../dot.js';

/** Without a model the words alone tell: their share counts twice. */
export const WORDS_ALONE = 2;

/** Content words of a text with their rarity among all texts that are compared, and the sum of these. */
export interface Content {
  readonly stems: ReadonlyMap<string, number>;
  readonly all: number;
}

/** Returns the contents of texts, each of which has these stems. */
export function contentsOf(texts: ReadonlyArray<ReadonlySet<string>>): Content[] {
  const holders = new Map<string, number>();
  for (const stems of texts) for (const stem of stems) holders.set(stem, (holders.get(stem) ?? 0) + 1);
  return texts.map((own) => {
    const stems = new Map([...own].map((stem) => [stem, Math.log(1 + texts.length / holders.get(stem)!)]));
    return { stems, all: [...stems.values()].reduce((sum, rarity) => sum + rarity, 0) };
  });
}

/** Returns the rarity of the words that two texts share. */
export function shared(a: Content, b: Content): number {
  let sum = 0;
  for (const [stem, rarity] of a.stems) if (b.stems.has(stem)) sum += rarity;
  return sum;
}

/** Returns a function that tells how much nearer one of these vectors is to another than to all others on average, 0..1. */
export function nearerThanUsual(vectors: readonly Float32Array[]): (a: Float32Array, b: Float32Array) => number {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (let i = 0; i < sum.length; i += 1) sum[i]! += vector[i]!;
  return (a, b) => {
    const usual = (dot(a, sum) - 1) / Math.max(1, vectors.length - 1);
    return Math.max(0, (dot(a, b) - usual) / Math.max(1e-6, 1 - usual));
  };
}
