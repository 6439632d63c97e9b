import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareText, matches, parseFilter, passesAll } from '../../src/backends/vector/filter.js';
import { SvcError } from '../../src/core/errors.js';
import type { JsonObject } from '../../src/core/model.js';

const passes = (filter: unknown, metadata: JsonObject): boolean => matches(parseFilter(filter), metadata);

function thrown(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('Nothing was thrown.');
}

describe('filters', () => {
  const book: JsonObject = {
    title: 'Dune',
    year: 1965,
    tags: ['sf'],
    by: { name: 'Herbert', born: 1920 },
    lost: null,
    read: true,
  };

  it.each([
    [{}, true],
    [{ title: 'Dune' }, true],
    [{ title: 'dune' }, false],
    [{ title: { $eq: 'Dune' }, year: 1965 }, true],
    [{ title: 'Dune', year: 1966 }, false],
    [{ year: '1965' }, false],
    [{ year: { $gt: 1964, $lt: 1966 } }, true],
    [{ year: { $gte: 1965, $lte: 1965 } }, true],
    [{ year: { $gt: '1' } }, false],
    [{ title: { $gt: 'D' } }, true],
    [{ title: { $gt: 5 } }, false],
    [{ 'by.name': 'Herbert' }, true],
    [{ 'by.born': { $in: [1920, 1921] } }, true],
    [{ 'by.none': 'x' }, false],
    [{ 'title.length': 4 }, false],
    [{ 'tags.0': 'sf' }, false],
    [{ tags: 'sf' }, false],
    [{ lost: null }, true],
    [{ gone: null }, false],
    [{ gone: { $ne: 1 } }, true],
    [{ gone: { $nin: [1] } }, true],
    [{ gone: { $not: { $gt: 1 } } }, true],
    [{ tags: { $ne: 'sf' } }, true],
    [{ read: true }, true],
    [{ read: 1 }, false],
    [{ year: { $in: [] } }, false],
    [{ year: { $nin: [] } }, true],
    [{ $or: [{ year: 1 }, { year: 1965 }] }, true],
    [{ $and: [{ year: 1 }, { year: 1965 }] }, false],
    [{ $not: { $or: [{ year: 1 }, { title: 'x' }] } }, true],
    [{ __proto__: 1, constructor: 1 }, false],
  ])('%j is %s of the book', (filter, expected) => {
    expect(passes(filter, book)).toBe(expected);
  });

  it.each([
    [null],
    [[]],
    ['x'],
    [{ $nor: [] }],
    [{ a: { $regex: 'x' } }],
    [{ a: { $gt: null } }],
    [{ a: { $gt: true } }],
    [{ a: { $in: 'x' } }],
    [{ a: { $in: [{}] } }],
    [{ a: [1] }],
    [{ a: { b: 1 } }],
    [{ a: {} }],
    [{ $and: {} }],
    [{ $or: [] }],
    [{ $and: [1] }],
    [{ $not: [] }],
    [{ '': 1 }],
    [{ 'a..b': 1 }],
    [{ a: { $eq: Number.NaN } }],
  ])('%j is refused', (filter) => {
    expect(() => parseFilter(filter)).toThrow(SvcError);
  });

  it('names the member and the known operators', () => {
    expect(() => parseFilter({ a: { $regex: 'x' } })).toThrow(/filter\.a\.\$regex.*\$gte/);
  });

  it('refuses a filter 1,000 levels deep, however it nests', () => {
    let nots: unknown = { a: 1 };
    let ands: unknown = { a: 1 };
    let inner: unknown = { $gt: 1 };
    for (let i = 0; i < 1000; i += 1) {
      nots = { $not: nots };
      ands = { $and: [ands] };
      inner = { $not: inner };
    }
    for (const filter of [nots, ands, { a: inner }]) expect(() => parseFilter(filter)).toThrow(/100 levels/);
  });

  it('refuses lists of more than 10,000 values together, and names of more than 1,000 characters', () => {
    const values = (count: number) => Array.from({ length: count }, (_, i) => i);
    expect(parseFilter({ a: { $in: values(10_000) } })).toMatchObject({ kind: 'in' });
    expect(() => parseFilter({ a: { $in: values(10_001) } })).toThrow(/10000 values/);
    const both = { $or: [{ a: { $in: values(6000) } }, { b: { $nin: values(6000) } }] };
    expect(() => parseFilter(both)).toThrow(/10000 values/);
    expect(parseFilter({ [`${'a.'.repeat(499)}b`]: 1 })).toMatchObject({ kind: 'in' });
    expect(() => parseFilter({ [`${'a.'.repeat(500)}b`]: 1 })).toThrow(/more than 1000 characters/);
  });

  it.each([
    ['operator', { [`$${'a'.repeat(2000)}`]: 1 }],
    ['operator of a member', { n: { [`$${'a'.repeat(2000)}`]: 1 } }],
    ['member of a member', { n: { ['a'.repeat(2000)]: 1 } }],
  ])('does not repeat a long name of an %s in its message', (_, filter) => {
    const error = thrown(() => parseFilter(filter));
    expect(error.message).toBe('filter has a name of more than 1000 characters.');
  });

  it('knows the filter that passes everything', () => {
    expect(passesAll(parseFilter({}))).toBe(true);
    expect(passesAll(parseFilter({ $and: [{}, {}] }))).toBe(true);
    expect(passesAll(parseFilter({ a: 1 }))).toBe(false);
  });

  it('orders text as the bytes of UTF-8', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 6 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
      }),
    );
  });
});
