import { beforeEach, describe, expect, it } from '@jest/globals';
import { type RefId, RefIds } from '../../src/core/ref-ids.js';
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

describe('numbers and ids that are read where they are not remembered', () => {
  const rows = new Map(Array.from({ length: 5000 }, (_, i): [number, string] => [i, `id${i}`]));
  const refs = new Map([...rows].map(([ref, id]) => [id, ref]));
  const idsRead: number[][] = [];
  const refsRead: string[][] = [];
  const readIds = async (missing: readonly number[]): Promise<RefId[]> => {
    idsRead.push([...missing]);
    return missing.filter((ref) => rows.has(ref)).map((ref) => ({ ref, id: rows.get(ref) as string }));
  };
  const readRefs = async (missing: readonly string[]): Promise<RefId[]> => {
    refsRead.push([...missing]);
    return missing.filter((id) => refs.has(id)).map((id) => ({ ref: refs.get(id) as number, id }));
  };
  beforeEach(() => {
    idsRead.length = 0;
    refsRead.length = 0;
  });

  it('ask for the missing ones only, and remember them both ways', async () => {
    const known = new RefIds();
    known.set(1, 'id1');
    expect(await known.idsOf([1, 2, 3], readIds)).toEqual(
      new Map([
        [1, 'id1'],
        [2, 'id2'],
        [3, 'id3'],
      ]),
    );
    expect(idsRead).toEqual([[2, 3]]);
    expect(await known.refsOf(['id3', 'id4'], readRefs)).toEqual(
      new Map([
        ['id3', 3],
        ['id4', 4],
      ]),
    );
    expect(refsRead).toEqual([['id4']]);
    await known.idsOf(new Set([1, 2, 3, 4]), readIds);
    await known.refsOf(['id1', 'id2', 'id3', 'id4'], readRefs);
    expect([idsRead.length, refsRead.length]).toEqual([1, 1]);
  });

  it('leave out what the reader does not know, and ask for it again the next time', async () => {
    const known = new RefIds();
    expect(await known.idsOf([7, 9999], readIds)).toEqual(new Map([[7, 'id7']]));
    expect(await known.refsOf(['id7', 'nobody'], readRefs)).toEqual(new Map([['id7', 7]]));
    expect(await known.idsOf([9999], readIds)).toEqual(new Map());
    expect(await known.refsOf(['nobody'], readRefs)).toEqual(new Map());
    expect([idsRead, refsRead]).toEqual([
      [[7, 9999], [9999]],
      [['nobody'], ['nobody']],
    ]);
  });

  it('read many in batches, and none where nothing is missing', async () => {
    const known = new RefIds();
    expect(await known.idsOf(rows.keys(), readIds)).toEqual(rows);
    expect(idsRead.map((batch) => batch.length)).toEqual([2000, 2000, 1000]);
    expect(await known.refsOf(refs.keys(), readRefs)).toEqual(refs);
    expect(await known.idsOf([], readIds)).toEqual(new Map());
    expect([idsRead.length, refsRead.length]).toEqual([3, 0]);
  });

  it('are all answered although fewer are remembered', async () => {
    const known = new RefIds(10);
    expect(await known.idsOf(rows.keys(), readIds)).toEqual(rows);
    expect(await known.refsOf(refs.keys(), readRefs)).toEqual(refs);
  });

  it('fail as the reader fails, and remember nothing of it', async () => {
    const known = new RefIds();
    const broken = async (): Promise<RefId[]> => {
      throw new Error('the store is gone');
    };
    await expect(known.idsOf([1], broken)).rejects.toThrow('the store is gone');
    await expect(known.refsOf(['id1'], broken)).rejects.toThrow('the store is gone');
    expect(known.idOf(1)).toBeUndefined();
  });

  it('are not remembered where they were dropped while they were read', async () => {
    const known = new RefIds();
    const found = await known.refsOf(['id1'], async (missing) => {
      const read = await readRefs(missing);
      known.drop(1);
      return read;
    });
    expect(found).toEqual(new Map([['id1', 1]]));
    expect([known.refOf('id1'), known.idOf(1)]).toEqual([undefined, undefined]);
    await known.idsOf([2], async (missing) => {
      const read = await readIds(missing);
      known.clear();
      return read;
    });
    expect([known.refOf('id2'), known.idOf(2)]).toEqual([undefined, undefined]);
  });

  it('keep the newer number where an older read ends later', async () => {
    const known = new RefIds();
    await known.refsOf(['id1'], async (missing) => {
      const older = await readRefs(missing);
      known.drop(1);
      await known.refsOf(['id1'], async () => [{ ref: 5001, id: 'id1' }]);
      return older;
    });
    expect(known.refOf('id1')).toBe(5001);
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

  it('stay over versions of which it is known what changed', () => {
    const known = new Versioned<string, number>(10);
    known.set(1, 'a', 1);
    known.set(1, 'b', 2);
    known.follow(2, { since: 1, keys: ['b', 'c'] });
    expect([known.get(2, 'a'), known.get(2, 'b'), known.get(3, 'a')]).toEqual([1, undefined, undefined]);
    // Told again, or of what is older, nothing goes.
    known.follow(2, { since: 1, keys: ['a'] });
    known.follow(1);
    expect(known.get(2, 'a')).toBe(1);
  });

  it('go where it is not known, or where a change was missed', () => {
    const known = new Versioned<string, number>(10);
    known.set(1, 'a', 1);
    known.follow(4, { since: 3, keys: [] });
    expect(known.get(1, 'a')).toBeUndefined();
    known.set(4, 'a', 1);
    known.follow(5);
    expect([known.get(5, 'a'), known.get(4, 'a')]).toEqual([undefined, undefined]);
  });

  it('are not kept where a change came while they were read', () => {
    const known = new Versioned<string, number>(10);
    known.set(1, 'a', 1);
    known.follow(2, { since: 1, keys: ['b'] });
    known.set(1, 'b', 2);
    expect([known.get(1, 'b'), known.get(2, 'a')]).toEqual([undefined, 1]);
  });
});
