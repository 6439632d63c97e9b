import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type ModelName, openWorld } from '../../bench/retrieval/world.js';

const { answerable, unanswerable } = JSON.parse(readFileSync('test/fixtures/score-check/questions.json', 'utf8')) as {
  answerable: string[];
  unanswerable: string[];
};

/** The best score that each question gets over the sample documents, mode auto. */
async function bestScores(model: ModelName): Promise<(question: string) => Promise<number>> {
  const world = await openWorld(model);
  for (const name of ['encyclopedia.md', 'handbook.md']) {
    const text = readFileSync(`samples/${name}`, 'utf8');
    await world.ingest.text({ text, domain: 'sample', format: 'markdown', name });
  }
  return async (context) => (await world.retrieval.query({ context, top_k: 1 })).items[0]?.score ?? 0;
}

describe.each(['minilm', 'static'] as const)('scores mean the same across questions, with %s', (model) => {
  test('at least 95 % of questions without an answer stay under 0.2, at least 80 % of the others reach over 0.5', async () => {
    expect([answerable.length, unanswerable.length]).toEqual([30, 30]);
    const best = await bestScores(model);
    const wrong: string[] = [];
    let low = 0;
    let high = 0;
    for (const question of unanswerable) {
      const score = await best(question);
      if (score < 0.2) low += 1;
      else wrong.push(`${score.toFixed(3)} ${question}`);
    }
    for (const question of answerable) {
      const score = await best(question);
      if (score > 0.5) high += 1;
      else wrong.push(`${score.toFixed(3)} ${question}`);
    }
    const enough = [low / unanswerable.length >= 0.95, high / answerable.length >= 0.8];
    expect({ enough, wrong }).toEqual({ enough: [true, true], wrong });
  }, 300_000);
});
