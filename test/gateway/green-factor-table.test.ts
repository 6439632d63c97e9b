import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { configFile } from '../../src/config/files.js';
import { type FactorRow, parseFactors } from '../../src/gateway/green/factors/factor-table.js';

/** The table as it was reviewed, typed apart from the configuration: one line per row of factors. */
const reviewed = readFileSync('test/fixtures/green/factor-table.tsv', 'utf8')
  .split('\n')
  .slice(1, -1)
  .map((line) => line.split('\t'));
const file = configFile('green-factors.yaml') as { factors: Array<{ models: string[]; citations: string[] }> };
const rows = new Map(parseFactors(file).rows.map((row) => [row.id, row]));
const GRAMS_PER_WH = 0.448;
/** Names of one model beside the one in the reviewed table. */
const ALIASES: Readonly<Record<string, string>> = { 'anthropic/claude-opus-4-0': 'anthropic/claude-opus-4-1' };

const idsOf = ([provider, models]: string[]): string[] => models!.split(', ').map((model) => `${provider}/${model}`);
const numbersOf = (row: FactorRow) => ({
  input: row.inputCo2PerMillionTokens,
  output: row.outputCo2PerMillionTokens,
  cacheRead: row.cacheReadCo2PerMillionTokens,
  water: row.waterMlPerMillionTokens,
  confidence: row.confidence,
  source: row.source,
});

describe.each(reviewed.map((columns) => [`${columns[0]} ${columns[1]}`, columns] as const))('%s', (_name, columns) => {
  const [, , centre, low, high, input, output, cacheRead, water, confidence, source, routes] = columns as string[];

  it('has the reviewed values, confidence and source', () => {
    for (const id of idsOf([...columns])) {
      expect([id, numbersOf(rows.get(id)!)]).toEqual([
        id,
        {
          input: Number(input),
          output: Number(output),
          cacheRead: Number(cacheRead),
          water: Number(water),
          confidence: Number(confidence),
          source,
        },
      ]);
    }
  });

  it('has the reviewed energy, and low and high that follow from it', () => {
    for (const id of idsOf([...columns])) {
      const row = rows.get(id)!;
      const wh = row.whPerMillionOutputTokens;
      expect([id, wh?.centre]).toEqual([id, centre === '' ? undefined : Number(centre)]);
      if (low !== '') expect([id, wh]).toEqual([id, { centre: Number(centre), low: Number(low), high: Number(high) }]);
      for (const end of ['low', 'high'] as const) {
        if (wh !== undefined) expect(row[end] / (GRAMS_PER_WH * wh[end])).toBeCloseTo(1, 2);
      }
      expect(row.low).toBeLessThan(row.outputCo2PerMillionTokens * 1.01);
      expect(row.high).toBeGreaterThan(row.outputCo2PerMillionTokens * 0.99);
      // Two significant digits of 0.448 g per Wh.
      if (wh !== undefined) expect(row.outputCo2PerMillionTokens / (GRAMS_PER_WH * wh.centre)).toBeCloseTo(1, 1);
    }
  });

  it('cites every route that it names', () => {
    const [id] = idsOf([...columns]);
    const { citations } = file.factors.find(({ models }) => models.includes(rows.get(id!)!.model))!;
    for (const route of routes === '' ? [] : routes!.split(' ')) expect(citations).toContain(route);
    expect(rows.get(id!)!.routes).not.toBe('');
    expect(rows.get(id!)!.citation).not.toBe('');
  });
});

it('holds no row beside the reviewed ones and their aliases', () => {
  const known = new Set(reviewed.flatMap(idsOf));
  const others = [...rows.keys()].filter((id) => !known.has(id));
  expect(others).toEqual(Object.keys(ALIASES));
  for (const id of others) expect(numbersOf(rows.get(id)!)).toEqual(numbersOf(rows.get(ALIASES[id]!)!));
});
