import type { QueryItem } from './present/present.js';
import type { RuleItem } from './present/surface-rules.js';

export interface CompareRequest {
  readonly context: string;
  readonly domains?: readonly string[] | undefined;
  readonly top_k: number;
}

export interface RankChange {
  readonly id: string;
  /** 1-based. */
  readonly vec_rank: number;
  readonly graph_rank: number;
  /** Places gained by the graph; negative where it lost some. */
  readonly delta: number;
}

export interface CompareResult {
  readonly query: string;
  /** `failed`: why it could not answer; nothing is compared then. */
  readonly vec_only: { readonly method: string; readonly items: QueryItem[]; readonly failed?: string };
  readonly graph_enhanced: {
    readonly method: string;
    readonly items: QueryItem[];
    readonly rules_surfaced: number;
    readonly rules: RuleItem[];
    /** Sentences about parts that could not take part; absent where all did. */
    readonly warnings?: string[];
  };
  readonly diff: {
    readonly graph_found_that_cosine_missed: QueryItem[];
    readonly cosine_found_that_graph_dropped: QueryItem[];
    /** Items of both whose place differs, in the order of the graph's answer. */
    readonly rank_changes: RankChange[];
    /** Items of both. */
    readonly overlap: number;
  };
  readonly summary: string;
}

/** Two answers to one question. */
export interface Answers {
  /** What cosine found, or the sentence of why it failed. */
  readonly vec: QueryItem[] | string;
  readonly graph: QueryItem[];
  readonly rules: RuleItem[];
  readonly warnings?: string[];
}

/** Compares two answers to one question side by side. Pure. */
export function compareModes(query: string, { vec: answer, graph, rules, warnings = [] }: Answers): CompareResult {
  const failed = typeof answer === 'string' ? answer : undefined;
  const vec = typeof answer === 'string' ? [] : answer;
  const vecRank = ranks(vec);
  const graphRank = ranks(graph);
  const found = failed === undefined ? graph.filter((item) => !vecRank.has(item.id)) : [];
  const dropped = vec.filter((item) => !graphRank.has(item.id));
  const both = graph.filter((item) => vecRank.has(item.id));
  const changes = both
    .map(({ id }) => ({ id, vec_rank: vecRank.get(id)!, graph_rank: graphRank.get(id)! }))
    .filter((change) => change.vec_rank !== change.graph_rank)
    .map((change) => ({ ...change, delta: change.vec_rank - change.graph_rank }));
  return {
    query,
    vec_only: { method: 'cosine similarity', items: vec, ...(failed === undefined ? {} : { failed }) },
    graph_enhanced: {
      method: 'text, vectors, links and personalized PageRank',
      items: graph,
      rules_surfaced: rules.length,
      rules,
      ...(warnings.length === 0 ? {} : { warnings }),
    },
    diff: {
      graph_found_that_cosine_missed: found,
      cosine_found_that_graph_dropped: dropped,
      rank_changes: changes,
      overlap: both.length,
    },
    summary:
      failed === undefined
        ? summary({ found: found.length, dropped: dropped.length, both: both.length, rules: rules.length })
        : `Cosine failed, so that nothing is compared: ${failed}`,
  };
}

function ranks(items: readonly QueryItem[]): Map<string, number> {
  return new Map(items.map((item, i) => [item.id, i + 1]));
}

function summary(counts: { found: number; dropped: number; both: number; rules: number }): string {
  const { found, dropped, both, rules } = counts;
  return `The graph found ${items(found)} that cosine missed and dropped ${dropped}; ${both} in both; ${
    rules === 1 ? '1 rule' : `${rules} rules`
  } surfaced.`;
}

function items(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}
