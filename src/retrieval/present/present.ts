import type { NodeSource } from '../../backends/graph/port.js';
import type { BaselineScore } from '../score/score.js';
import { shownContent } from './content.js';
import type { DistinctItem } from './distinct.js';
import { explain, type QuestionTerms } from './explain.js';

export interface QueryItem {
  readonly id: string;
  /** "Name: Description"; of a long description a part, as `metadata.excerpt` tells. */
  readonly content: string;
  /** 0..1. */
  readonly score: number;
  readonly domain: string;
  readonly node_id: string;
  readonly metadata: Record<string, unknown>;
}

/** Returns an item in the shape of the wire. `sources`: node id → where it comes from. */
export function present(
  item: DistinctItem,
  { terms, sources }: { readonly terms: QuestionTerms; readonly sources: ReadonlyMap<string, NodeSource> },
): QueryItem {
  const { node, features, message, baseline } = item;
  const why = explain(item, terms);
  const { content, excerpt } = shownContent(node, why.terms ?? []);
  return {
    id: node.id,
    content,
    score: item.score,
    domain: node.domain,
    node_id: node.id,
    metadata: {
      vec_score: rounded(clamped(item.cosine)),
      text_score: rounded(features?.direct.text ?? message?.text ?? 0),
      ppr_score: rounded(clamped(features?.pagerank ?? 0)),
      kg_coverage: rounded(baseline === null ? 0 : graphShare(baseline)),
      kind: node.kind,
      ...(node.passage?.message === undefined && node.name !== '' ? { name: node.name } : {}),
      ...sourceOf(node, sources),
      ...(node.passage?.message === undefined ? {} : { message: node.passage.message }),
      ...(item.duplicates.length === 0 ? {} : { duplicates: item.duplicates.map((one) => duplicateOf(one, sources)) }),
      ...(excerpt === undefined ? {} : { excerpt }),
      why,
    },
  };
}

/** Returns an item that says the same, with the source it is from. */
function duplicateOf(node: DistinctItem['node'], sources: ReadonlyMap<string, NodeSource>) {
  return { id: node.id, ...sourceOf(node, sources) };
}

/** Returns label and id of the source that a node comes from; null for one that was removed since. */
function sourceOf({ id }: DistinctItem['node'], sources: ReadonlyMap<string, NodeSource>) {
  const source = sources.get(id);
  return { source: source?.label ?? null, source_id: source?.source_id ?? null };
}

/** Returns the share of the probability that would be missing without the graph. */
function graphShare({ total, graph }: BaselineScore): number {
  const whole = 1 / (1 + Math.exp(-total));
  return clamped((whole - 1 / (1 + Math.exp(graph - total))) / whole);
}

function clamped(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** Rounds to six decimals: enough to order, short enough to read. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
