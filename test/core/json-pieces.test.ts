import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJsonInPieces } from '../../src/core/json/json-pieces.js';

/** What the built-in parser makes of a text, or `invalid`. */
function whole(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return 'invalid';
  }
}

const inPieces = (text: string, piece: number) =>
  parseJsonInPieces(Buffer.from(text), piece).catch((error) => error.code);

const value = fc.jsonValue({ maxDepth: 5 }).filter((one) => !JSON.stringify(one).includes('__proto__'));
const container = fc.oneof(fc.array(value, { maxLength: 12 }), fc.dictionary(fc.string(), value, { maxKeys: 12 }));
const text = fc
  .tuple(container, fc.constantFrom(undefined, 1, '\t\n '))
  .map(([one, indent]) => JSON.stringify(one, undefined, indent))
  .filter((written) => !written.includes('__proto__'));

describe('JSON parsed in pieces', () => {
  it('is what the built-in parser makes of it, however short the pieces', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 40 }), async (written, piece) => {
        expect(await inPieces(written, piece)).toEqual(JSON.parse(written));
      }),
      { numRuns: 500 },
    );
  });

  it('is refused where the built-in parser refuses it, whatever character is put in, taken out or doubled', async () => {
    const change = fc.record({
      at: fc.nat(),
      take: fc.integer({ min: 0, max: 2 }),
      put: fc.constantFrom('', ',', ':', '"', '\\', '{', '}', '[', ']', ' ', '1', 'x', ',,', '\u0001', '\\u12'),
    });
    await fc.assert(
      fc.asyncProperty(text, change, fc.integer({ min: 1, max: 40 }), async (written, { at, take, put }, piece) => {
        const place = at % written.length;
        const changed = written.slice(0, place) + put + written.slice(place + take);
        fc.pre(!changed.includes('__proto__'));
        const expected = whole(changed);
        const found = await inPieces(changed, piece);
        expect(found).toEqual(expected === 'invalid' ? 'invalid_input' : expected);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['a long text of escapes', JSON.stringify({ a: '\\"\u{1f333}\ud83d'.repeat(50) })],
    ['a later member of the same name', '{"a":[1,2,3,4,5,6,7,8],"b":1,"a":[2,2,2,2,2,2,2,2]}'],
    ['nothing in something', '[[[[[[]]]],{}],{"a":{}},[]]'],
  ])('holds %s', async (_, written) => {
    for (const piece of [1, 2, 3, 5, 8]) expect(await inPieces(written, piece)).toEqual(JSON.parse(written));
  });

  it.each(['{"a":[1,2,3,4,5],"__proto__":[1,2,3,4,5]}', '{"a":{"b":1,"c":2,"\\u005f_proto__":3}}'])(
    'refuses a member named __proto__: %s',
    async (written) => {
      await expect(parseJsonInPieces(Buffer.from(written), 4)).rejects.toMatchObject({
        details: { member: '__proto__' },
      });
    },
  );

  it('reads each part of a long text of escapes once', async () => {
    const written = JSON.stringify({ a: '\u0000'.repeat(400_000), b: '"'.repeat(400_000) });
    expect(await parseJsonInPieces(Buffer.from(written))).toEqual(JSON.parse(written));
  });

  it('lets others run while it reads', async () => {
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 0);
    await parseJsonInPieces(Buffer.from(JSON.stringify(Array.from({ length: 400_000 }, (_, i) => `element ${i}`))));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(0);
  });
});
