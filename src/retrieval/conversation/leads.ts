import type { GraphNode } from '../../core/model.js';
import type { ItemTexts } from '../expand/item-words.js';
import { isEmpty } from './asking-words.js';
import { placeOf, type Turns } from './windows.js';

/** Turns before one that may speak of what it tells more of. */
const BEFORE = 3;
/** Different words from which on a turn tells as much as any: "ok thanks" has none, "Three instalments then" has two. */
const ENOUGH = 3;

/**
 * Tells which turns lead to others. What people speak of is named once, and what follows tells more of it without these words:
 * "The bakery's van broke down." – "Diesel had waxed in the filter."
 */
export class Leads {
  private readonly sentences: ReadonlyMap<string, number>;
  /** By place: of a long turn the best piece. */
  private readonly best = new Map<string, number>();

  /** `sentence`: how like the question the best sentence of a turn is. Turns that were not chosen lead nowhere. */
  constructor(
    chosen: readonly GraphNode[],
    private readonly found: {
      readonly turns: Turns;
      readonly texts: ItemTexts;
      readonly sentence: (node: GraphNode) => number;
    },
  ) {
    this.sentences = new Map(chosen.map((node) => [node.id, found.sentence(node)]));
    for (const node of chosen) {
      const place = placeOf(node);
      this.best.set(place, Math.max(this.sentence(node), this.best.get(place) ?? 0));
    }
  }

  /** Returns how like the question the best sentence of a chosen turn is. */
  sentence(node: GraphNode): number {
    return this.sentences.get(node.id)!;
  }

  /** Returns how much liker the likest of the three turns before it is, as far as the turn tells something itself. */
  lead(node: GraphNode): number {
    const before = this.found.turns.around(node, -BEFORE, -1).map((turn) => this.best.get(placeOf(turn)) ?? 0);
    const gap = Math.max(0, ...before) - this.sentence(node);
    return gap <= 0 ? 0 : gap * this.ownContent(node);
  }

  /** Returns how far a turn has words of its own, 0..1. */
  private ownContent(node: GraphNode): number {
    const words = new Set<string>();
    for (const sentence of this.found.texts.of(node).sentences)
      for (const { norm, stop } of sentence) if (!stop && !isEmpty(norm)) words.add(norm);
    return Math.min(1, words.size / ENOUGH);
  }
}
