import { expect, it } from '@jest/globals';
import { aboutKeysOfCode } from '../../src/core/text/about.js';

it.each([
  ["routes.js > app.get('/berths')", 'app get berths'],
  ["a.ts > describe('berths').it('are saved (twice)')", 'describe berths it are saved twice'],
  ['fees.ts > berthFee (berth fee)', 'berthfee'],
  ['fees.ts > Store.load (store load)', 'store load'],
  ['a.hpp > Store::operator() (store operator())', 'store operator'],
  ["a.ts > describe('a\u00a0>\u00a0b')", 'describe a b'],
  ['a.ts', 'a ts'],
])('%s is about its whole name', (title, key) => {
  expect(aboutKeysOfCode(title)[0]).toEqual({ key, alias: false });
});

it.each(['a.py > load', 'a.py > __init__', 'a.rb > save!', 'a.cpp > operator>', 'a.java > A'])(
  '%s is about its file alone: texts use its name as any word',
  (title) => {
    expect(aboutKeysOfCode(title).map(({ alias }) => alias)).toEqual([true]);
  },
);

it('a piece that declares several names is about the first, and called by the others', () => {
  expect(aboutKeysOfCode('a.go > MostBoats, Least, c (most boats, least, c)')).toEqual([
    { key: 'mostboats', alias: false },
    { key: 'least', alias: true },
    { key: 'a go', alias: true },
  ]);
  expect(aboutKeysOfCode('a.go > ErrGone, ErrShut')).toEqual([
    { key: 'errgone', alias: false },
    { key: 'errshut', alias: true },
    { key: 'a go', alias: true },
  ]);
});
