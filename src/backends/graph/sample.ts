import { fnv1a } from '../../core/random.js';
import { compare } from '../../ledger/manifest/asserted.js';
import type { Expansion, Link } from './port.js';

/** Compares by the sample order, which favours no node however ids are made: it decides which of too many are kept. */
export function bySample(a: string, b: string): number {
  return fnv1a(a) - fnv1a(b) || compare(a, b);
}

/** Compares links by the order of an answer. */
export function byPlace(a: Link, b: Link): number {
  return compare(a.from, b.from) || compare(a.to, b.to) || a.sentence - b.sentence || a.token - b.token;
}

/** An edge at a node, with the node at its other endpoint. */
interface EdgeAt {
  readonly edge: Expansion['edges'][number];
  readonly other: string;
}

/** Returns at most `limit` edges of each node, the heaviest; each once, ordered by id. Sorts the lists in place. */
export function heaviest(nodes: Iterable<EdgeAt[]>, limit: number): Expansion['edges'] {
  const kept = new Map<string, EdgeAt['edge']>();
  for (const at of nodes) {
    at.sort((a, b) => b.edge.weight - a.edge.weight || bySample(a.other, b.other) || compare(a.edge.id, b.edge.id));
    for (const { edge } of at.slice(0, limit)) kept.set(edge.id, edge);
  }
  return [...kept.values()].sort((a, b) => compare(a.id, b.id));
}
