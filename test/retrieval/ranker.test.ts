import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { modelRanker, parseRanker } from '../../src/retrieval/score/ranker.js';

const file = (): Record<string, Record<string, unknown>> => parse(readFileSync('config/ranker.yaml', 'utf8'));

describe('the ranker file', () => {
  test.each([
    ['first', 1],
    ['second', -0.1],
    ['fading', 0],
  ])('chains.%s of %d is refused', (member, value) => {
    const changed = file();
    changed.chains![member] = value;
    expect(() => parseRanker(changed)).toThrow(`chains.${member}`);
  });

  test('as shipped is valid and knows the built-in models', () => {
    const ranker = parseRanker(file());
    expect(Object.keys(ranker.models)).toEqual(expect.arrayContaining(['minilm', 'static', 'none', 'other']));
  });

  test('a model that is not listed gets the entry "other", no model "none"', () => {
    const ranker = parseRanker(file());
    expect(modelRanker(ranker, 'some-http-model')).toBe(ranker.models.other);
    expect(modelRanker(ranker, null)).toBe(ranker.models.none);
  });

  test('a missing or mistyped member is named', () => {
    const missing = file();
    delete missing.direct!.cosine;
    expect(() => parseRanker(missing)).toThrow('direct.cosine');
    const mistyped = file();
    mistyped.models!.minilm = 'x';
    expect(() => parseRanker(mistyped)).toThrow('models.minilm');
    const without = file();
    delete without.models!.none;
    expect(() => parseRanker(without)).toThrow('models.none');
    const short = file();
    (short.document as unknown as { feature: string }[]).splice(1, 1);
    expect(() => parseRanker(short)).toThrow('document in the ranker file lacks the feature');
    expect(() => parseRanker(null)).toThrow('ranker');
    for (const [section, member] of [
      ['days', 'other'],
      ['explanation', 'row'],
      ['cells', 'empty'],
      ['cells', 'missing'],
    ] as const) {
      const changed = file();
      delete changed[section]![member];
      expect(() => parseRanker(changed)).toThrow(`${section}.${member}`);
      delete changed[section];
      expect(() => parseRanker(changed)).toThrow(section);
    }
  });
});
