import type { GraphBackend } from '../backends/graph/port.js';
import type { CreditShares } from '../backends/store/interoception-credit.js';
import type { GraphEdge } from '../core/model.js';
import { type CausalEdge, causalDag } from './causal-dag.js';
import type { Outcome } from './interoception-settings.js';

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
 * Credit of rated items and their causes. Each item gets its own reward; every ancestor the credit of what it reaches
 * × 0.5 × strength a hop, summed over distinct paths. Level by level, so the order of the edges has no effect; what falls
 * under 0.01 goes no further. Positive credit is alpha, negative beta; they are never netted.
 */
export function creditDeltas(rated: readonly RatedItem[], dag: readonly CausalEdge[]): Map<string, CreditDeltaSum> {
  const causes = new Map<string, CausalEdge[]>();
  for (const edge of [...dag].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const list = causes.get(edge.to);
    if (list === undefined) causes.set(edge.to, [edge]);
    else list.push(edge);
  }
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

/** Domains up to this size are read whole, once a graph version; of larger ones only what leads to the rated items. */
const WHOLE = 20_000;
/** Beyond so many hops no credit is left: (0.5 · 0.9)^7 < 0.01. */
const REACH = 7;
const MOST_NODES = 5000;

/** Credit through the causal graph of the rated items' domains. */
export class Credit {
  private readonly dags = new Map<string, { readonly version: number; readonly dag: readonly CausalEdge[] }>();

  constructor(private readonly graph: Pick<GraphBackend, 'getEdges' | 'getDomain' | 'version'>) {}

  /** Shares by arm, rounded to 2^-20 so that taking them back later is exact; and how many arms of which kind. */
  async shares(rated: ReadonlyArray<RatedItem & { readonly domain: string }>): Promise<{
    shares: CreditShares;
    counts: { concept_count: number; direct_count: number; ancestor_count: number };
  }> {
    const shares: Record<string, readonly [number, number]> = {};
    for (const domain of [...new Set(rated.map((item) => item.domain))].sort()) {
      const items = rated.filter((item) => item.domain === domain);
      const dag = await this.dagOf(domain, items);
      for (const [id, { alpha, beta }] of creditDeltas(items, dag)) shares[id] = [rounded(alpha), rounded(beta)];
    }
    const direct = new Set(rated.map((item) => item.id)).size;
    const concepts = Object.keys(shares).length;
    return { shares, counts: { concept_count: concepts, direct_count: direct, ancestor_count: concepts - direct } };
  }

  private async dagOf(domain: string, items: readonly RatedItem[]): Promise<readonly CausalEdge[]> {
    const info = await this.graph.getDomain(domain);
    if (info === null) return [];
    if (info.edge_count > WHOLE) return causalDag(await this.towards(domain, items));
    const version = await this.graph.version();
    const known = this.dags.get(domain);
    if (known !== undefined && known.version === version) return known.dag;
    const dag = causalDag(await this.graph.getEdges({ domain, limit: WHOLE + 1 }));
    this.dags.delete(domain);
    this.dags.set(domain, { version, dag });
    if (this.dags.size > 8) this.dags.delete(this.dags.keys().next().value ?? '');
    return dag;
  }

  /** Typed edges around the rated items, as far as credit can travel. */
  private async towards(domain: string, items: readonly RatedItem[]): Promise<GraphEdge[]> {
    const edges = new Map<string, GraphEdge>();
    const seen = new Set(items.map((item) => item.id));
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
          for (const end of [edge.source_id, edge.target_id]) {
            if (seen.has(end) || !end.startsWith(`${domain}:`)) continue;
            seen.add(end);
            next.push(end);
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
