import { readModelFile } from '../model-files.js';

/** Questions with the position of the passage that was nearest to each where the model was measured. */
export interface RankingCheck {
  readonly passages: readonly string[];
  readonly questions: ReadonlyArray<{ readonly question: string; readonly nearest: number }>;
}

export function readRankingCheck(): RankingCheck {
  return JSON.parse(readModelFile('minilm/check.json').toString('utf8')) as RankingCheck;
}

/**
 * Returns the questions whose nearest passage is another one here. int8 arithmetic differs between processors: cosines
 * that are off by a few hundredths are no fault as long as the same passages come first.
 */
export async function rankedOtherwise(
  { passages, questions }: RankingCheck,
  embed: (texts: readonly string[]) => Promise<Float32Array[]>,
): Promise<string[]> {
  const vectors = await embed([...passages, ...questions.map(({ question }) => question)]);
  return questions.flatMap(({ question, nearest }, i) => {
    const vector = vectors[passages.length + i]!;
    let best = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (let p = 0; p < passages.length; p += 1) {
      const cosine = vectors[p]!.reduce((sum, value, d) => sum + value * vector[d]!, 0);
      if (cosine > most) [best, most] = [p, cosine];
    }
    return best === nearest ? [] : [question];
  });
}
