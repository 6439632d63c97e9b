import { contentHash } from '../../core/ids.js';
import type { GraphNode } from '../../core/model.js';

/** Texts shorter than this many characters do not identify what they are from. */
export const IDENTIFYING_LENGTH = 40;
/** White space other than one space between words. */
const LAID_OUT = /[^\S ]|\s\s/u;

/** Keys of nodes, kept as long as the node is. */
const keys = new WeakMap<GraphNode, string>();

/** Returns what stands for what a node says, without case and layout; short texts are distinguished by name and domain. */
export function textKey(node: GraphNode): string {
  let key = keys.get(node);
  if (key === undefined) {
    key = contentHash(plainText(node));
    keys.set(node, key);
  }
  return key;
}

function plainText(node: GraphNode): string {
  const { description } = node;
  const plain = LAID_OUT.test(description) ? description.replace(/\s+/gu, ' ') : description;
  const text = plain.toLowerCase().trim();
  return text.length >= IDENTIFYING_LENGTH
    ? text
    : JSON.stringify([node.domain, node.name, text, node.passage?.message?.turn ?? node.id]);
}

/**
 * Tells which items say the same, word for word. A copy of a document proves nothing: it is no path to the document, and
 * what it names is no rarer or more frequent for it.
 */
export class Copies {
  private readonly firsts = new Map<string, string>();
  private readonly known = new Map<string, string>();

  add(nodes: Iterable<GraphNode>): void {
    for (const node of nodes) {
      if (this.known.has(node.id)) continue;
      const key = textKey(node);
      const first = this.firsts.get(key) ?? node.id;
      this.firsts.set(key, first);
      this.known.set(node.id, first);
    }
  }

  /** Returns whether two items are known to say the same. */
  areSame(a: string, b: string): boolean {
    return a === b || this.firstOf(a) === this.firstOf(b);
  }

  /** Counts the different texts of these items; one that is not known counts by itself. */
  count(ids: Iterable<string>): number {
    return new Set(Array.from(ids, (id) => this.firstOf(id))).size;
  }

  /** Returns the items without those that say what one before them says. */
  distinct<T>(items: readonly T[], idOf: (item: T) => string): T[] {
    const seen = new Set<string>();
    return items.filter((item) => {
      const first = this.firstOf(idOf(item));
      return !seen.has(first) && seen.add(first);
    });
  }

  private firstOf(id: string): string {
    return this.known.get(id) ?? id;
  }
}
