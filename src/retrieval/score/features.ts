import type { GraphNode } from '../../core/model.js';
import type { Direct, Evidence } from '../expand/evidence.js';
import type { Expanded } from '../expand/expand.js';
import { forwardPaths, type Path, reversePaths } from '../expand/paths.js';
import { type Shared, sharedEntities } from '../expand/shared.js';
import type { Question } from '../seed/question.js';

/** Everything a scorer may use about one candidate. A scorer that learns, or chains of paths, add members here. */
export interface Features {
  readonly node: GraphNode;
  readonly direct: Direct;
  readonly forward: Path | undefined;
  readonly reverse: Path | undefined;
  readonly shared: Shared | undefined;
  /** Best node of the graph = 1. */
  readonly pagerank: number;
}

/** What the graph found, by item: candidates are chosen from these tables and features read from them. */
export interface GraphEvidence {
  readonly expanded: Expanded;
  readonly forward: ReadonlyMap<string, Path>;
  readonly shared: ReadonlyMap<string, Shared>;
  readonly pagerank: ReadonlyMap<string, number>;
}

export function graphEvidence(expanded: Expanded, question: Question, evidence: Evidence): GraphEvidence {
  const sentencesOf = (id: string) => evidence.sentencesOf(id);
  return {
    expanded,
    forward: forwardPaths(expanded, { question, sentencesOf }),
    shared: sharedEntities(expanded),
    pagerank: expanded.pagerank,
  };
}

/** Features of the candidates that are items: a bare entity is a bridge, never an answer. */
export function featuresOf(nodes: readonly GraphNode[], evidence: Evidence, found: GraphEvidence | null): Features[] {
  const reverse = found === null ? undefined : reversePaths(found.expanded, (id) => evidence.sentencesOf(id));
  const features: Features[] = [];
  for (const node of nodes) {
    const direct = evidence.get(node.id);
    if (node.kind === 'entity' || direct === undefined) continue;
    features.push({
      node,
      direct,
      forward: found?.forward.get(node.id),
      reverse: reverse?.get(node.id),
      shared: found?.shared.get(node.id),
      pagerank: found?.pagerank.get(node.id) ?? 0,
    });
  }
  return features;
}
