import type { Manifest } from '../../core/model.js';
import type { Asserted } from './asserted.js';
import type { GraphDelta } from './port.js';

/** A manifest on its way into a graph. */
export interface Load {
  readonly manifest: Manifest;
  readonly asserted: Asserted;
  /** Public id of the source. */
  readonly id: string;
}

/** What a write did to the nodes and keys of its domain. */
export type Effects = Pick<GraphDelta, 'changed' | 'removed' | 'keys'>;

export const NOTHING: Effects = { changed: [], removed: [], keys: [] };

/** Splits loads so that each batch is of one domain and holds no source twice; in order. */
export function* batchesOf(loads: readonly Load[]): Generator<readonly Load[]> {
  for (let start = 0; start < loads.length; ) {
    const ids = new Set([loads[start]!.id]);
    let end = start + 1;
    for (; end < loads.length; end += 1) {
      const { id, manifest } = loads[end]!;
      if (manifest.domain !== loads[start]!.manifest.domain || ids.has(id)) break;
      ids.add(id);
    }
    yield loads.slice(start, end);
    start = end;
  }
}

/** A node that changed is told in the delta of the last source that asserts it; what nobody asserts, in the first. */
export function tellApart(loads: readonly Load[], effects: Effects): Map<string, Effects> {
  const owner = new Map<string, string>();
  for (const { id, asserted } of loads) {
    for (const node of [...asserted.concepts.keys(), ...asserted.passages.keys()]) owner.set(node, id);
  }
  const told = new Map<string, { changed: string[]; removed: string[]; keys: string[] }>();
  for (const node of effects.changed) {
    const id = owner.get(node) ?? loads[0]!.id;
    const effect = told.get(id) ?? { changed: [], removed: [], keys: [] };
    effect.changed.push(node);
    told.set(id, effect);
  }
  return told;
}
