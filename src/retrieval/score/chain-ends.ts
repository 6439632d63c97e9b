import { logistic } from '../../learning/ranker/solve.js';
import type { Features } from './features.js';
import type { ChainShares } from './ranker-types.js';

/** A chain that ends at an item. */
export interface ChainEnd {
  /** Place of the item that it starts from, among the candidates. */
  readonly from: number;
  /** How far its strength lies below the best chain of its length: 0 or less. */
  readonly gap: number;
}

/** The best chains to an item over one bridge and over two, whose start is a candidate too. */
export interface ChainEnds {
  readonly first?: ChainEnd;
  readonly second?: ChainEnd;
}

/** What an item has before chains carry anything to it, in log odds. */
export interface Carried {
  /** What its own evidence says. */
  readonly evidence: number;
  /** What is added to that for other reasons, such as feedback on the item. */
  readonly besides: number;
  readonly ends: ChainEnds;
  /** Feedback on the chain, by length: 1 without any. */
  readonly factors?: { readonly first: number; readonly second: number };
}

/** What an item has after it. */
interface Reached {
  readonly evidence: number;
  /** The length of the chain that raised it; absent where none did. */
  readonly by?: 'first' | 'second';
}

/** Returns, for each candidate, the chains that end there. What the question names needs no chain. */
export function chainEnds(
  items: ReadonlyArray<Pick<Features, 'chains' | 'direct' | 'answer'> & { readonly node: { readonly id: string } }>,
): ChainEnds[] {
  const places = new Map(items.map(({ node }, place) => [node.id, place]));
  return items.map(({ chains, direct, answer }) => {
    if (direct.named > 0) return {};
    const end = (length: 'first' | 'second'): ChainEnds => {
      const chain = chains[length];
      const from = chain === undefined ? undefined : places.get(chain.from);
      if (chain === undefined || from === undefined) return {};
      return { [length]: { from, gap: Math.min(0, chain.strength - answer.chains[length === 'first' ? 0 : 1]) } };
    };
    return { ...end('first'), ...end('second') };
  });
}

/** However often feedback accepted a chain, its end stays below its start. */
const MOST_SHARE = 0.9;

/**
 * Returns the evidence of each item, in log odds, after chains: an item where a chain ends is at least share · e^(gap / fading) times as likely as the
 * item that the chain starts from. Chains over two bridges start from what those over one have reached.
 */
export function carriedByChains(items: readonly Carried[], shares: ChainShares): Reached[] {
  let found: Reached[] = items.map(({ evidence }) => ({ evidence }));
  for (const length of ['first', 'second'] as const) {
    const before = found;
    found = items.map(({ ends, factors }, i) => {
      const end = ends[length];
      if (end === undefined) return before[i]!;
      const start = logistic(before[end.from]!.evidence + items[end.from]!.besides);
      const share = shares[length] * Math.exp(end.gap / shares.fading) * (factors?.[length] ?? 1);
      const least = logOddsOf(Math.min(MOST_SHARE, share) * start);
      return least > before[i]!.evidence ? { evidence: least, by: length } : before[i]!;
    });
  }
  return found;
}

function logOddsOf(probability: number): number {
  return Math.log(probability / (1 - probability));
}
