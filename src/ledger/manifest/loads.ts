import { sourceId } from '../../core/ids.js';
import type { Manifest } from '../../core/model.js';
import { type Counts, noCounts } from '../read/counts.js';
import type { GraphDelta, Mentions } from '../types.js';
import { type Asserted, assertedInSlices } from './asserted.js';

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

/** Checks manifests (`invalid_input`) and brings them into stored form. */
export async function loadsOf(manifests: readonly Manifest[]): Promise<Load[]> {
  const loads: Load[] = [];
  for (const manifest of manifests) {
    loads.push({ manifest, asserted: await assertedInSlices(manifest), id: sourceId(manifest.source) });
  }
  return loads;
}

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

/** What of a batch is new to the graph. */
interface News<C> {
  readonly changes: readonly C[];
  /** Public ids of the sources that assert all they are to assert already. */
  readonly unchanged: ReadonlySet<string>;
  /** Mentions that the others bring for passages that are there. */
  readonly rematched: Mentions;
}

/** Returns what of a batch is new. `changes`: by load what its source is to assert, null where it does already. */
export function newsOf<C>(loads: readonly Load[], changes: ReadonlyArray<C | null>): News<C> {
  const unchanged = new Set(loads.filter((_, i) => changes[i] === null).map((load) => load.id));
  const fresh = loads.filter((load) => !unchanged.has(load.id));
  return {
    changes: changes.filter((change) => change !== null),
    unchanged,
    rematched: fresh.flatMap((load) => load.manifest.rematched ?? []),
  };
}

/** What now exists because of a source, and what its edges wait for. */
export type SourceStatus = Counts & Pick<GraphDelta, 'warnings'>;

/** Returns one delta for each load, in order; what no source asserts any more is reported with the first new one. */
export function deltasOf(
  loads: readonly Load[],
  {
    unchanged,
    effects,
    status,
  }: {
    readonly unchanged: ReadonlySet<string>;
    readonly effects: Effects;
    readonly status: (load: Load) => SourceStatus;
  },
): GraphDelta[] {
  const byLoad = effectsByLoad(loads, effects);
  const first = loads.find((load) => !unchanged.has(load.id));
  return loads.map((load) => ({
    source_id: load.id,
    unchanged: unchanged.has(load.id),
    ...(unchanged.has(load.id) ? NOTHING : (byLoad.get(load.id) ?? NOTHING)),
    ...(load === first ? { removed: effects.removed, keys: effects.keys } : {}),
    ...status(load),
  }));
}

export function forgottenDelta(source_id: string, effects: Effects): GraphDelta {
  return { source_id, unchanged: false, ...effects, ...noCounts(), warnings: [] };
}

/** Assigns effects to loads: a node that changed to the last source that asserts it, others to the first. */
function effectsByLoad(loads: readonly Load[], effects: Effects): Map<string, Effects> {
  const owner = new Map<string, string>();
  for (const { id, asserted } of loads) {
    for (const node of [...asserted.concepts.keys(), ...asserted.passages.keys()]) owner.set(node, id);
  }
  const byLoad = new Map<string, { changed: string[]; removed: string[]; keys: string[] }>();
  for (const node of effects.changed) {
    const id = owner.get(node) ?? loads[0]!.id;
    const effect = byLoad.get(id) ?? { changed: [], removed: [], keys: [] };
    effect.changed.push(node);
    byLoad.set(id, effect);
  }
  return byLoad;
}
