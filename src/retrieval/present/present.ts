import type { GraphNode } from '../../core/model.js';
import type { RankedItem } from '../score/rank.js';
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

/** "Name: Description"; a name alone, or a text alone, stands without the colon. */
export function contentOf({ name, description }: Pick<GraphNode, 'name' | 'description'>): string {
  if (description === '') return name;
  return name === '' ? description : `${name}: ${description}`;
}

/** An item as it is returned. */
export function present(item: RankedItem, terms: QuestionTerms): QueryItem {
  const { node, features, baseline } = item;
  return {
    id: node.id,
    content: contentOf(node),
    score: item.score,
    domain: node.domain,
    node_id: node.id,
    metadata: {
      vec_score: rounded(clamped(item.cosine)),
      text_score: rounded(features?.direct.text ?? 0),
      ppr_score: rounded(clamped(features?.pagerank ?? 0)),
      kg_coverage: rounded(baseline === null || baseline.total <= 0 ? 0 : clamped(baseline.graph / baseline.total)),
      kind: node.kind,
      source: node.passage?.source_id ?? null,
      ...(node.passage?.message === undefined ? {} : { message: node.passage.message }),
      why: explain(item, terms),
    },
  };
}

function clamped(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** Six decimals: enough to order, short enough to read. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
