import type { GraphBackend } from '../../backends/graph/port.js';
import type { CreditShares, ItemShares } from '../../backends/store/learning/interoception-credit.js';
import type { GraphEdge } from '../../core/model.js';
import type { Outcome } from '../feedback/interoception-settings.js';
import { type CausalEdge, causalDag } from './causal-dag.js';

export interface RatedItem {
  readonly id: string;
  readonly outcome: Outcome;
}

/** What an arm gains: the sum of positive credit, and of negative credit as a positive number. */
export interface CreditDeltaSum {
  readonly alpha: number;
  readonly beta: number;
}

const CREDIT_REWARDS: Readonly<Record<Outcome, number>> = { accepted: 1, partial: 0.3, rejected: -1 };
const DECAY = 0.5;
const LEAST = 0.01;
const DEPTH = 50;

/**
 * Returns the credit of rated items and their causes. Each item gets its own reward; every ancestor the credit of what
 * it reaches × 0.5 × strength per hop, summed over distinct paths. Level by level, so the order of the edges has no
 * effect; what falls under 0.01 is not passed on. Positive credit is alpha, negative beta; they are never netted.
 */
export function creditDeltas(rated: readonly RatedItem[], dag: readonly CausalEdge[]): Map<string, CreditDeltaSum> {
  return cascade(rated, causesOf(dag));
}

/** Edges of a causal graph by what they cause. */
type Causes = ReadonlyMap<string, readonly CausalEdge[]>;

function causesOf(dag: readonly CausalEdge[]): Causes {
  const causes = new Map<string, CausalEdge[]>();
  for (const edge of [...dag].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const list = causes.get(edge.to);
    if (list === undefined) causes.set(edge.to, [edge]);
    else list.push(edge);
  }
  return causes;
}

function cascade(rated: readonly RatedItem[], causes: Causes): Map<string, CreditDeltaSum> {
  const sums = new Map<string, { alpha: number; beta: number }>();
  for (const { id, outcome } of [...rated].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const reward = CREDIT_REWARDS[outcome];
    let level = new Map([[id, Math.abs(reward)]]);
    for (let depth = 0; depth <= DEPTH && level.size > 0; depth += 1) {
      const next = new Map<string, number>();
      for (const [node, credit] of [...level].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const sum = sums.get(node) ?? { alpha: 0, beta: 0 };
        if (reward > 0) sum.alpha += credit;
        else sum.beta += credit;
        sums.set(node, sum);
        for (const { from, strength } of causes.get(node) ?? []) {
          next.set(from, (next.get(from) ?? 0) + credit * DECAY * strength);
        }
      }
      level = new Map([...next].filter(([, credit]) => credit >= LEAST));
    }
  }
  return sums;
}

/**
 * Domains up to this size are read whole, once per graph version; of larger ones only what leads to the rated items.
 */
const WHOLE = 20_000;
/** Number of hops beyond which no credit is left: (0.5 · 0.9)^7 < 0.01. */
const REACH = 7;
const MOST_NODES = 5000;

export type RatedIn = RatedItem & { readonly domain: string };

export interface CreditGiven {
  readonly shares: ItemShares;
  readonly counts: {
    readonly concept_count: number;
    readonly direct_count: number;
    readonly ancestor_count: number;
  };
}

/** What leads to some items, read from the graph before a transaction and used inside it. */
export class CreditPaths {
  constructor(
    private readonly known: ReadonlySet<string>,
    private readonly causes: ReadonlyMap<string, Causes>,
  ) {}

  /** Returns whether the paths to all of these items were read. */
  cover(ids: Iterable<string>): boolean {
    return [...ids].every((id) => this.known.has(id));
  }

  /**
   * Returns shares by item and arm, rounded to 2^-20 so that taking them back later is exact; and how many arms of which
   * kind.
   */
  shares(rated: readonly RatedIn[]): CreditGiven {
    const shares = Object.fromEntries(rated.map((item) => [item.id, this.sharesOf(item)]));
    const direct = Object.keys(shares).length;
    const concepts = new Set(Object.values(shares).flatMap((given) => Object.keys(given))).size;
    return { shares, counts: { concept_count: concepts, direct_count: direct, ancestor_count: concepts - direct } };
  }

  private sharesOf(item: RatedIn): CreditShares {
    const sums = cascade([item], this.causes.get(item.domain) ?? new Map());
    return Object.fromEntries([...sums].map(([id, { alpha, beta }]) => [id, [rounded(alpha), rounded(beta)]]));
  }
}

/** Credit through the causal graph of the rated items' domains. */
export class Credit {
  private readonly whole = new Map<string, { readonly version: number; readonly causes: Causes }>();

  constructor(private readonly graph: Pick<GraphBackend, 'getEdges' | 'getDomain' | 'version'>) {}

  /** Reads what leads to these items. */
  async pathsTo(items: ReadonlyArray<{ readonly id: string; readonly domain: string }>): Promise<CreditPaths> {
    const causes = new Map<string, Causes>();
    for (const domain of new Set(items.map((item) => item.domain))) {
      const ids = items.filter((item) => item.domain === domain).map((item) => item.id);
      causes.set(domain, await this.causesIn(domain, ids));
    }
    return new CreditPaths(new Set(items.map((item) => item.id)), causes);
  }

  private async causesIn(domain: string, ids: readonly string[]): Promise<Causes> {
    const info = await this.graph.getDomain(domain);
    if (info === null) return new Map();
    if (info.edge_count > WHOLE) return causesOf(causalDag(await this.towards(domain, ids)));
    const version = await this.graph.version();
    const known = this.whole.get(domain);
    if (known !== undefined && known.version === version) return known.causes;
    const causes = causesOf(causalDag(await this.graph.getEdges({ domain, limit: WHOLE + 1 })));
    this.whole.delete(domain);
    this.whole.set(domain, { version, causes });
    if (this.whole.size > 8) this.whole.delete(this.whole.keys().next().value ?? '');
    return causes;
  }

  /** Returns typed edges around the rated items, as far as credit can travel. */
  private async towards(domain: string, ids: readonly string[]): Promise<GraphEdge[]> {
    const edges = new Map<string, GraphEdge>();
    const seen = new Set(ids);
    let level = [...seen];
    for (let hop = 0; hop < REACH && level.length > 0 && seen.size < MOST_NODES; hop += 1) {
      const next: string[] = [];
      for (const id of level) {
        const around = await Promise.all([
          this.graph.getEdges({ target_id: id, limit: 1000 }),
          this.graph.getEdges({ source_id: id, limit: 1000 }),
        ]);
        for (const edge of around.flat()) {
          edges.set(edge.id, edge);
          for (const endpoint of [edge.source_id, edge.target_id]) {
            if (seen.has(endpoint) || !endpoint.startsWith(`${domain}:`)) continue;
            seen.add(endpoint);
            next.push(endpoint);
          }
        }
      }
      level = next;
    }
    return [...edges.values()];
  }
}

function rounded(value: number): number {
  return Math.round(value * 2 ** 20) / 2 ** 20;
}
