import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readVocabulary } from '../../src/backends/embedding/model-files.js';
import { UNKNOWN, WordPiece } from '../../src/backends/embedding/wordpiece/wordpiece.js';

const wordpiece = new WordPiece(readVocabulary());
const recorded = readFileSync(new URL('../fixtures/wordpiece/lists.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as [string, string])
  .map(([text, ids]) => {
    const bytes = Buffer.from(ids, 'base64');
    return { text, ids: Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readUInt16LE(2 * i)) };
  });

describe('WordPiece', () => {
  it('gives the ids of the reference tokeniser on 1,000 recorded texts', () => {
    expect(recorded).toHaveLength(1000);
    const different = recorded.filter(({ text, ids }) => wordpiece.encode(text).ids.join() !== ids.join());
    expect(different.map(({ text }) => text)).toEqual([]);
  });

  it('gives the same ids when the words are known from before', () => {
    for (const { text, ids } of recorded.slice(0, 100)) expect([...wordpiece.encode(text).ids]).toEqual(ids);
  });

  it('says where in the text the word of each token begins', () => {
    const text = 'Zoë unbelievably, 北京!';
    const { starts } = wordpiece.encode(text);
    expect([...new Set(starts)].map((start) => text[start])).toEqual(['Z', 'u', ',', '北', '京', '!']);
  });

  it('stops at the limit with the tokens that a longer run begins with', () => {
    const { text, ids } = recorded[0]!;
    for (const limit of [0, 1, 7, 20]) expect([...wordpiece.encode(text, limit).ids]).toEqual(ids.slice(0, limit));
  });

  it('takes names of special tokens in a text as plain text', () => {
    expect(wordpiece.encode('[CLS] [SEP]').ids).not.toContain(101);
    expect(wordpiece.encode('[CLS] [SEP]').ids).not.toContain(102);
  });

  it('makes one unknown token of a word over 100 characters', () => {
    expect([...wordpiece.encode('a'.repeat(101)).ids]).toEqual([UNKNOWN]);
    expect(wordpiece.encode('a'.repeat(100)).ids).not.toContain(UNKNOWN);
  });

  it('answers any string with ids of the vocabulary and starts that never fall', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const { ids, starts } = wordpiece.encode(text);
        expect(ids.length).toBe(starts.length);
        ids.forEach((id) => void expect(id >= 0 && id < 30_522).toBe(true));
        starts.forEach((start, i) => {
          expect(start).toBeLessThan(text.length);
          if (i > 0) expect(start).toBeGreaterThanOrEqual(starts[i - 1]!);
        });
      }),
    );
  });

  it('splits a text at white space without changing the tokens', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 60 }), (left, right) => {
        const both = wordpiece.encode(`${left} ${right}`).ids;
        expect([...both]).toEqual([...wordpiece.encode(left).ids, ...wordpiece.encode(right).ids]);
      }),
    );
  });
});
