import { expect, it } from '@jest/globals';
import type { Manifest } from '../../src/core/model.js';
import { emptyPiece, isLarge, piecesOf, shareOfStep } from '../../src/ingest/write/pieces.js';

const EMPTY = emptyPiece({ domain: 'd', source: { kind: 'text', domain: 'd', label: 'long' } as Manifest['source'] });
const text = (length: number): string => 'a'.repeat(length);
const passages = (count: number, length: number): Manifest['passages'] =>
  Array.from({ length: count }, (_, i) => ({ id: `p${i}`, text: text(length) }) as Manifest['passages'][number]);

it('writes few but long passages in steps', () => {
  expect(isLarge({ ...EMPTY, passages: passages(900, 4000) })).toBe(true);
  expect(isLarge({ ...EMPTY, passages: passages(700, 4000) })).toBe(false);
});

it('divides few but long concepts and rules into pieces that one commit writes at once', async () => {
  const concepts = Array.from({ length: 40 }, (_, i) => ({ name: `C${i}`, description: text(100_000) }));
  const rules = Array.from({ length: 1000 }, (_, i) => ({ text: `${i}${text(8000)}` })) as Manifest['rules'];
  const manifest = { ...EMPTY, concepts, rules };
  expect(isLarge(manifest)).toBe(true);
  const pieces = await piecesOf(manifest);
  for (const piece of pieces) expect(JSON.stringify(piece).length).toBeLessThan(600_000);
  expect(pieces.flatMap((piece) => piece.concepts.map(({ name }) => name))).toEqual(concepts.map(({ name }) => name));
  expect(pieces.flatMap((piece) => piece.rules)).toHaveLength(1000);
});

it('gives a text that is longer than a step a piece of its own', async () => {
  const concepts = [10, 900_000, 10, 10].map((length, i) => ({ name: `C${i}`, description: text(length) }));
  const pieces = await piecesOf({ ...EMPTY, concepts });
  expect(pieces.map((piece) => piece.concepts.map(({ name }) => name))).toEqual([['C0'], ['C1'], ['C2', 'C3']]);
});

it('shares a commit with others by length, too', () => {
  expect(shareOfStep({ ...EMPTY, passages: passages(2, 100) })).toBeCloseTo(0.01);
  expect(shareOfStep({ ...EMPTY, passages: passages(100, 4000) })).toBeCloseTo(0.8);
});
