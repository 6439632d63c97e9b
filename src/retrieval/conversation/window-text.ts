import type { GraphNode } from '../../core/model.js';
import type { ItemTexts } from '../expand/item-words.js';

const K1 = 1.2;
const B = 0.75;

/** Term counts of a text or several texts together. */
interface TermCounts {
  readonly terms: Map<string, number>;
  length: number;
}

/** Returns how often the terms occur in some turns together, and their length in words. */
export function countTerms(
  nodes: readonly GraphNode[],
  terms: ReadonlyMap<string, number>,
  texts: ItemTexts,
): TermCounts {
  const counts: TermCounts = { terms: new Map(), length: 0 };
  for (const node of nodes) {
    for (const sentence of texts.of(node).sentences) {
      counts.length += sentence.length;
      for (const { stem } of sentence) {
        if (terms.has(stem)) counts.terms.set(stem, (counts.terms.get(stem) ?? 0) + 1);
      }
    }
  }
  return counts;
}

/** Returns BM25 (k1 1.2, b 0.75) of counted texts. `terms`: stem → idf; `average`: mean length of such texts. */
export function bm25(counts: TermCounts, terms: ReadonlyMap<string, number>, average: number): number {
  const norm = K1 * (1 - B + (B * counts.length) / Math.max(1, average));
  let score = 0;
  for (const [term, count] of counts.terms) score += ((terms.get(term) ?? 0) * count * (K1 + 1)) / (count + norm);
  return score;
}
