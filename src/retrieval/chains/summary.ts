import type { Chain, Chains } from './chain-types.js';
import type { ChainHop } from './hop.js';

/** Returns the best chain to each item. */
export function bestByEnd(hops: readonly ChainHop[]): Map<string, ChainHop> {
  const best = new Map<string, ChainHop>();
  for (const one of hops) {
    const known = best.get(one.to);
    if (known === undefined || byStrength(one, known) < 0) best.set(one.to, one);
  }
  return best;
}

/** Orders chains, the strongest first. */
export function byStrength(a: Chain, b: Chain): number {
  return (
    b.strength - a.strength ||
    (a.to < b.to
      ? -1
      : a.to > b.to
        ? 1
        : a.bridge.key < b.bridge.key
          ? -1
          : a.bridge.key > b.bridge.key
            ? 1
            : a.from < b.from
              ? -1
              : 1)
  );
}

/** Returns what chains over one bridge and over two found. */
export function summary(first: readonly ChainHop[], second: readonly ChainHop[]): Chains {
  const through = new Map<string, number>();
  const pass = (id: string, strength: number): void => {
    through.set(id, Math.max(through.get(id) ?? Number.NEGATIVE_INFINITY, strength));
  };
  const bridges = new Map<string, Set<string>>();
  for (const one of [...first, ...second]) {
    pass(one.from, one.strength);
    const keys = bridges.get(one.to) ?? new Set();
    bridges.set(one.to, keys.add(one.bridge.key));
  }
  const best = (hops: readonly ChainHop[]): number => hops.reduce((most, one) => Math.max(most, one.strength), 0);
  return {
    first: bestByEnd(first),
    second: bestByEnd(second),
    through,
    bridges: new Map([...bridges].map(([id, keys]) => [id, keys.size])),
    best: [best(first), best(second)],
  };
}
