import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { crossValidated, fitSamples } from '../../bench/retrieval/fit-ranker.js';
import { discountedGain, figuresOf } from '../../bench/retrieval/metrics.js';
import { rankerYaml } from '../../bench/retrieval/ranker-yaml.js';
import { loadSets, type Sample, sampleOf } from '../../bench/retrieval/rows.js';
import { untrainedRanker } from '../../bench/retrieval/untrained.js';
import { openWorld } from '../../bench/retrieval/world.js';
import { parseRanker } from '../../src/retrieval/score/ranker.js';

/** Every ninth question of the own text, with its chat and without, run through a world of its own. */
async function fewSamples(): Promise<Sample[]> {
  const direct = { cosine: 1, sentence: 1, text: 0.7, named: 0.3 };
  const world = await openWorld('none', { ranker: untrainedRanker(direct, 2.4) });
  const samples: Sample[] = [];
  const questions = await loadSets(world, ['own', 'pure']);
  for (const [i, question] of questions.entries()) if (i % 9 === 0) samples.push(await sampleOf(world, question));
  await world.close();
  return samples;
}

describe('training', () => {
  test('on the same questions writes the same file to the digit, whatever weights stood there', async () => {
    const current = parse(readFileSync('config/ranker.yaml', 'utf8')) as Record<string, unknown>;
    const files: string[] = [];
    for (let run = 0; run < 2; run += 1) {
      const fits = await fitSamples(await fewSamples());
      files.push(rankerYaml(current, 'none', { ...fits, vec: undefined }));
    }
    expect(files[0]).toBe(files[1]);
    const again = rankerYaml(parse(files[0]!) as Record<string, unknown>, 'none', {
      ...(await fitSamples(await fewSamples())),
      vec: undefined,
    });
    expect(again).toBe(files[0]);
    expect(() => parseRanker(parse(again))).not.toThrow();
  }, 120_000);

  test('learns an order that finds evidence in questions that it did not see', async () => {
    const { first, recall5 } = figuresOf(await crossValidated(await fewSamples()));
    expect(recall5).toBeGreaterThan(50);
    expect(first).toBeLessThanOrEqual(recall5);
  }, 60_000);
});

describe('nDCG', () => {
  test('counts each piece of evidence once, at its first place', () => {
    expect(discountedGain([[0], [1], []], 2)).toBeCloseTo(1);
    expect(discountedGain([[0], [0], [1]], 2)).toBeCloseTo(1.5 / (1 + 1 / Math.log2(3)));
    expect(discountedGain([[], []], 1)).toBe(0);
  });
});
