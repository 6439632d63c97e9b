import type { GraphNode } from '../../core/model.js';
import type { ItemTexts } from '../expand/item-words.js';
import { nameParts } from './participants.js';
import { bm25, countTerms } from './window-text.js';

/** Known turns by session; a session that goes on for days is one for each day. */
export class Sessions {
  private readonly turns = new Map<string, GraphNode[]>();

  constructor(nodes: Iterable<GraphNode>) {
    for (const node of nodes) {
      const key = keyOf(node);
      const turns = this.turns.get(key);
      if (turns === undefined) this.turns.set(key, [node]);
      else turns.push(node);
    }
  }

  /**
   * Returns the BM25 of each session, the best one 1, as a function of its turns. The known turns are all that hold the
   * question's words, and those around them.
   */
  scores(terms: ReadonlyMap<string, number>, texts: ItemTexts): (node: GraphNode) => number {
    const counts = [...this.turns].map(([key, turns]) => [key, countTerms(turns, terms, texts)] as const);
    const average = counts.reduce((sum, [, one]) => sum + one.length, 0) / Math.max(1, counts.length);
    const scores = new Map(counts.map(([key, one]) => [key, bm25(one, terms, average)] as const));
    const best = Math.max(1e-9, ...scores.values());
    return (node) => (scores.get(keyOf(node)) ?? 0) / best;
  }

  /** Returns the share of some people who speak in a turn's session or whose first name falls there; 1 without people. */
  involved(people: ReadonlySet<string>): (node: GraphNode) => number {
    if (people.size === 0) return () => 1;
    const shares = new Map<string, number>();
    for (const [key, turns] of this.turns) {
      shares.set(key, [...people].filter((one) => takesPart(one, turns)).length / people.size);
    }
    return (node) => shares.get(keyOf(node)) ?? 0;
  }
}

function takesPart(one: string, turns: readonly GraphNode[]): boolean {
  const first = nameParts(one)[0] ?? one;
  return turns.some(
    ({ passage, description }) => passage?.message?.speaker === one || description.toLowerCase().includes(first),
  );
}

function keyOf(node: GraphNode): string {
  const message = node.passage?.message;
  return JSON.stringify([node.domain, message?.session_id ?? '', message?.timestamp?.slice(0, 10) ?? '']);
}
