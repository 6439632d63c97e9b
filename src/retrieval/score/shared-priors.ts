import type { GraphNode } from '../../core/model.js';
import { ownName } from '../cells/own-name.js';
import { textKey } from '../expand/copies.js';
import type { ItemTexts } from '../expand/item-words.js';
import { comparable, isContained, sayNearlySame } from '../expand/nearly-same.js';

/** A text shorter than this share of another is not nearly the same. */
const SHORTER = 0.7;

/**
 * Returns the priors with those of items that say the same as a rated one: an answer shows equal and nearly equal texts
 * as one item, so feedback on it is on all of them, but for concepts and rows of different names. An item that has feedback of its own keeps it; of several the
 * strongest counts.
 */
export function sharedPriors(
  priors: ReadonlyMap<string, number>,
  nodes: readonly GraphNode[],
  texts: ItemTexts,
): ReadonlyMap<string, number> {
  const rated = nodes
    .flatMap((node) => {
      const prior = priors.get(node.id);
      return prior === undefined ? [] : [{ node, prior, key: textKey(node), name: ownName(node) }];
    })
    .sort((a, b) => Math.abs(b.prior) - Math.abs(a.prior));
  if (rated.length === 0) return priors;
  const all = new Map(priors);
  for (const node of nodes) {
    if (all.has(node.id)) continue;
    const key = textKey(node);
    const name = ownName(node);
    const same = rated.find(
      (other) =>
        isContained(node, other.node) ||
        (other.name === name && (other.key === key || isNear(node, other.node, texts))),
    );
    if (same !== undefined) all.set(node.id, same.prior);
  }
  return all;
}

function isNear(a: GraphNode, b: GraphNode, texts: ItemTexts): boolean {
  const [short, long] = [a.description.length, b.description.length].sort((x, y) => x - y) as [number, number];
  if (short < SHORTER * long) return false;
  const [one, other] = [comparable(a, texts), comparable(b, texts)];
  return one !== null && other !== null && sayNearlySame(one, other);
}
