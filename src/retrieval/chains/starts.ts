import type { GraphNode } from '../../core/model.js';
import type { Copies } from '../expand/copies.js';
import type { Direct, Evidence } from '../expand/evidence.js';
import { coverage, type ItemTexts } from '../expand/item-words.js';
import type { Question } from '../seed/question.js';
import type { Start } from './chains.js';

/** Items looked at, best direct evidence first, beside those that hold a rare unit of the question. */
const WIDTH = 30;
/** Passages and concepts that chains start from. */
const STARTS = 8;
/** Weight of a name or a rare unit of the question beside the direct evidence. */
const NAMED = 0.6;
const RARE = 0.7;
/** Share of the question's words, by idf, from which on one item explains it and no chain is needed. */
const EXPLAINED = 0.8;

/**
 * Chooses the passages, and concepts that the question names or that hold a rare word of it, that chains start from: by direct evidence and by the rarest name or word of the question that they
 * hold. Where one good item holds nearly all words of the question, only from concepts that it names: more would bring noise and cost time.
 */
export function chainStarts({
  question,
  evidence,
  texts,
  copies,
  nodes,
  rare,
}: {
  readonly question: Question;
  readonly evidence: Evidence;
  readonly texts: ItemTexts;
  readonly copies: Copies;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** Item → 1/√n for the rarest unit of the question that it holds. */
  readonly rare: ReadonlyMap<string, number>;
}): Start[] {
  const sorted = [...evidence.entries()].sort((a, b) => b[1].base - a[1].base || (a[0] < b[0] ? -1 : 1));
  const ranked = copies
    .distinct(sorted, ([id]) => id)
    .filter(([id], place) => place < WIDTH || rare.has(id))
    .flatMap(([id, direct]) => {
      const node = nodes.get(id);
      return node?.kind === 'passage' || (node?.kind === 'concept' && (direct.named > 0 || rare.has(id)))
        ? [{ node, direct }]
        : [];
    });
  const explained = ranked
    .slice(0, 3)
    .reduce((most, { node }) => Math.max(most, coverage(question.terms, texts.of(node).all)), 0);
  if (explained === 1) return [];
  // One concept may explain all but what is asked of another that an edge leads to.
  const open = explained < EXPLAINED ? ranked : ranked.filter(isNamedConcept);
  const scored = open.map(({ node, direct }) => ({
    node,
    score: direct.base + NAMED * Math.max(direct.named, RARE * (rare.get(node.id) ?? 0)),
  }));
  scored.sort((a, b) => b.score - a.score || (a.node.id < b.node.id ? -1 : 1));
  const best = scored[0]?.score ?? 0;
  return scored.slice(0, STARTS).map(({ node, score }) => ({ node, relative: score - best }));
}

function isNamedConcept({ node, direct }: { readonly node: GraphNode; readonly direct: Direct }): boolean {
  return node.kind === 'concept' && direct.named > 0;
}
