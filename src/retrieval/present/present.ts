import type { BaselineScore } from '../score/score.js';
import { contentOf } from './content.js';
import type { DistinctItem } from './distinct.js';
import { explain, type QuestionTerms } from './explain.js';

export interface QueryItem {
  readonly id: string;
  /** "Name: Description". */
  readonly content: string;
  /** 0..1. */
  readonly score: number;
  readonly domain: string;
  readonly node_id: string;
  readonly metadata: Record<string, unknown>;
}

/** Returns an item in the shape of the wire. `labels`: source id → label. */
export function present(
  item: DistinctItem,
  { terms, labels }: { readonly terms: QuestionTerms; readonly labels: ReadonlyMap<string, string> },
): QueryItem {
  const { node, features, message, baseline } = item;
  const sourceId = node.passage?.source_id ?? null;
  return {
    id: node.id,
    content: contentOf(node),
    score: item.score,
    domain: node.domain,
    node_id: node.id,
    metadata: {
      vec_score: rounded(clamped(item.cosine)),
      text_score: rounded(features?.direct.text ?? message?.text ?? 0),
      ppr_score: rounded(clamped(features?.pagerank ?? 0)),
      kg_coverage: rounded(baseline === null ? 0 : graphShare(baseline)),
      kind: node.kind,
      source: sourceId === null ? null : (labels.get(sourceId) ?? null),
      source_id: sourceId,
      ...(node.passage?.message === undefined ? {} : { message: node.passage.message }),
      ...(item.duplicates.length === 0 ? {} : { duplicates: item.duplicates.map((one) => duplicateOf(one, labels)) }),
      why: explain(item, terms),
    },
  };
}

/** An item that says the same, with the source it is from. */
function duplicateOf({ id, passage }: DistinctItem['node'], labels: ReadonlyMap<string, string>) {
  const sourceId = passage?.source_id ?? null;
  return { id, source: sourceId === null ? null : (labels.get(sourceId) ?? null), source_id: sourceId };
}

/** The share of the probability that would be missing without the graph. */
function graphShare({ total, graph }: BaselineScore): number {
  const whole = 1 / (1 + Math.exp(-total));
  return clamped((whole - 1 / (1 + Math.exp(graph - total))) / whole);
}

function clamped(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** Six decimals: enough to order, short enough to read. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
