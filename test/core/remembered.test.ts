import { describe, expect, it } from 'vitest';
import { RefIds } from '../../src/core/ref-ids.js';
import { Versioned } from '../../src/core/versioned.js';

describe('numbers and ids', () => {
  it('are found both ways until dropped', () => {
    const known = new RefIds();
    known.set(1, 'a');
    known.set(2, 'b');
    expect([known.idOf(1), known.refOf('b'), known.idOf(3), known.refOf('c')]).toEqual(['a', 2, undefined, undefined]);
    known.drop(1);
    expect([known.idOf(1), known.refOf('a')]).toEqual([undefined, undefined]);
  });

  it('take a new id for a number and a new number for an id', () => {
    const known = new RefIds();
    known.set(1, 'a');
    known.set(1, 'b');
    expect([known.idOf(1), known.refOf('a'), known.refOf('b')]).toEqual(['b', undefined, 1]);
    known.set(2, 'b');
    known.drop(1);
    expect([known.idOf(1), known.refOf('b')]).toEqual([undefined, 2]);
  });

  it('forget, once full, what nobody asked for since', () => {
    const known = new RefIds(2);
    known.set(1, 'a');
    known.set(2, 'b');
    known.set(3, 'c');
    expect(known.idOf(1)).toBe('a');
    known.set(4, 'd');
    known.set(5, 'e');
    expect([known.idOf(2), known.refOf('b')]).toEqual([undefined, undefined]);
    expect([known.idOf(1), known.refOf('e')]).toEqual(['a', 5]);
  });

  it('are dropped from both generations', () => {
    const known = new RefIds(1);
    known.set(1, 'a');
    known.set(2, 'b');
    known.drop(1);
    expect([known.idOf(1), known.refOf('a')]).toEqual([undefined, undefined]);
  });
});

describe('versioned values', () => {
  it('are kept for their version only, and never replaced by older ones', () => {
    const known = new Versioned<string, number>(10);
    known.set(1, 'a', 1);
    expect([known.get(1, 'a'), known.get(2, 'a')]).toEqual([1, undefined]);
    known.set(2, 'b', 2);
    known.set(1, 'a', 1);
    expect([known.get(1, 'a'), known.get(2, 'a'), known.get(2, 'b')]).toEqual([undefined, undefined, 2]);
  });

  it('are bounded in number', () => {
    const known = new Versioned<number, number>(3);
    for (let i = 0; i < 10; i += 1) known.set(1, i, i);
    expect(Array.from({ length: 10 }, (_, i) => known.get(1, i)).filter((value) => value !== undefined).length).toBe(1);
  });
});
