import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../../src/core/canonical-json.js';

/** The same value with the members of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]));
}

describe('canonical JSON', () => {
  it('sorts members at every depth and keeps the order of lists', () => {
    const value = { b: [3, { z: null, a: 'ö"' }], a: true, 10: -0, 9: 1.5 };
    expect(canonicalJson(value)).toBe('{"10":0,"9":1.5,"a":true,"b":[3,{"a":"ö\\"","z":null}]}');
  });

  it('leaves out members that JSON cannot hold; such items are null', () => {
    expect(canonicalJson({ a: undefined, b: () => 1, c: [undefined, Number.NaN] })).toBe('{"c":[null,null]}');
    expect(canonicalJson(undefined)).toBe('null');
  });

  it('reads back as the same value, and is the same whatever the order of members', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
    );
  });
});
