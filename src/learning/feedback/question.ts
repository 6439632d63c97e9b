import { hash20, normaliseName } from '../../core/ids.js';

/** Returns the key of a question; equal questions, whatever their case and spacing, have the same. */
export function questionKey(text: string): string {
  return hash20(normaliseName(text));
}

/** Returns a unit vector in one byte per component, scaled to its largest. */
export function packVector(vector: Float32Array): Uint8Array {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const packed = new Int8Array(vector.length);
  if (largest > 0) for (let i = 0; i < packed.length; i += 1) packed[i] = Math.round((vector[i]! / largest) * 127);
  return new Uint8Array(packed.buffer);
}

/** Returns the cosine of a float vector with a packed one; 0 where their lengths differ. */
export function packedCosine(vector: Float32Array, packed: Uint8Array): number {
  if (packed.length !== vector.length) return 0;
  const bytes = new Int8Array(packed.buffer, packed.byteOffset, packed.length);
  let dot = 0;
  let a = 0;
  let b = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    const x = vector[i]!;
    const y = bytes[i]!;
    dot += x * y;
    a += x * x;
    b += y * y;
  }
  return a === 0 || b === 0 ? 0 : dot / Math.sqrt(a * b);
}

/** Returns the distinct words of a question, normalised. */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(normaliseName(text).match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** Returns shared words / all words (Jaccard). */
export function wordOverlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}
