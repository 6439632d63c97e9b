import { randomBytes } from 'node:crypto';

/** Uniform floats in [0, 1). */
export type Random = () => number;

/**
 * Returns a generator: xoshiro128** (Blackman & Vigna 2018), seeded through splitmix32; the same seed gives the same
 * sequence everywhere.
 */
export function seededRandom(seed: number | string): Random {
  let h = typeof seed === 'number' ? seed >>> 0 : fnv1a(seed);
  const next = (): number => {
    h = (h + 0x9e3779b9) >>> 0;
    let z = h;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
  let a = next();
  let b = next();
  let c = next();
  let d = next();
  const word = (): number => {
    const x = Math.imul(b, 5);
    const result = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = (d << 11) | (d >>> 21);
    return result;
  };
  return () => (word() * 2 ** 21 + (word() >>> 11)) / 2 ** 53;
}

/** Returns a generator seeded from the operating system. */
export function systemRandom(): Random {
  return seededRandom(randomBytes(4).readUInt32LE(0));
}

/** Returns the 32-bit FNV-1a of a string's UTF-16 code units. */
export function fnv1a(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) {
    h ^= text.charCodeAt(i);
    h = Math.imul(h, 0x01000193);
  }
  return h >>> 0;
}

/** Returns a uniform permutation of 0..n−1 (Fisher & Yates, inside out). */
export function shuffled(n: number, random: Random): number[] {
  const order: number[] = [];
  for (let i = 0; i < n; i += 1) {
    const j = Math.floor(random() * (i + 1));
    order.push(order[j] ?? i);
    order[j] = i;
  }
  return order;
}
