import type { GraphNode } from '../../core/model.js';

/** Items that others may take the place of: the best ones, no further below the best, in log odds, than `WITHIN`. */
export const BEST = 5;
export const WITHIN = 3;
/** How far above the best of the versions before it an item stands; each further one adds half of what the one before added. */
const MARGIN = 0.3;

/** What a later item gains by taking the place of an earlier one. */
export interface Change {
  /** The item whose place it takes. */
  readonly of: GraphNode;
  /** Log odds, above 0. */
  readonly gain: number;
}

/** An item with what it is worth by itself, in log odds. */
export interface Worth {
  readonly node: GraphNode;
  readonly order: number;
}

/** Versions of one thing up to an item. */
export interface Versions {
  /** The most that one of them is worth by itself, in log odds. */
  readonly best: number;
  /** How many changes led there. */
  readonly changes: number;
  /** Whether one of them is among the best items: others may take its place by what they are like. */
  readonly among: boolean;
}

/**
 * Finds the earlier item whose place each later one takes; returns gains by id. `later`: in the order of time, so that the third version of a thing
 * takes the place of the second. `replaceable`: items whose place may be taken; those that take one join them. `share`: how surely an item says what holds since
 * another one, 0..1; 0 or less where it does not.
 */
export function changesOf<T extends Worth>(
  later: readonly T[],
  replaceable: Map<T, Versions>,
  share: (earlier: T, later: T, versions: Versions) => number,
): Map<string, Change> {
  const changes = new Map<string, Change>();
  for (const one of later) {
    const { node, order } = one;
    let most: { of: GraphNode; place: number; versions: Versions } | undefined;
    for (const [earlier, versions] of replaceable) {
      const highest = above(versions);
      if (highest <= order) continue;
      const sure = share(earlier, one, versions);
      const place = order + sure * (highest - order);
      if (sure <= 0 || place <= (most?.place ?? order)) continue;
      const reached = Math.max(order, Math.min(versions.best, place));
      most = { of: earlier.node, place, versions: { best: reached, changes: versions.changes + 1, among: true } };
    }
    if (most === undefined) continue;
    changes.set(node.id, { of: most.of, gain: most.place - order });
    replaceable.set(one, most.versions);
  }
  return changes;
}

/** Returns the place of the next version of a thing: never two margins above the best of those before. */
function above({ best, changes }: Versions): number {
  return best + MARGIN * (2 - 0.5 ** changes);
}
