import { readModelFile } from '../model-files.js';

/** Sentence pairs and the cosines they had where the model was measured. */
export type CheckPairs = ReadonlyArray<{ readonly pair: readonly [string, string]; readonly cosine: number }>;

export function readCheckPairs(): CheckPairs {
  return JSON.parse(readModelFile('minilm/check.json').toString('utf8')) as CheckPairs;
}

/**
 * Returns the largest difference between a pair's cosine here and the recorded one: int8 arithmetic differs between
 * processors.
 */
export async function largestDeviation(
  pairs: CheckPairs,
  embed: (texts: readonly string[]) => Promise<Float32Array[]>,
): Promise<number> {
  const vectors = await embed(pairs.flatMap(({ pair }) => pair));
  return pairs.reduce((largest, { cosine }, i) => {
    const [a, b] = [vectors[2 * i]!, vectors[2 * i + 1]!];
    const here = a.reduce((sum, value, d) => sum + value * b[d]!, 0);
    return Math.max(largest, Math.abs(here - cosine));
  }, 0);
}
