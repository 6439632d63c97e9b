import { fnv1a } from '../../core/random.js';
import { compare } from './asserted.js';
import type { Link } from './port.js';

/** The sample order: fixed, and it favours nobody, however ids are made. Decides which of too many are kept. */
export function bySample(a: string, b: string): number {
  return fnv1a(a) - fnv1a(b) || compare(a, b);
}

/** Order of links in an answer. */
export function byPlace(a: Link, b: Link): number {
  return compare(a.from, b.from) || compare(a.to, b.to) || a.sentence - b.sentence || a.token - b.token;
}
