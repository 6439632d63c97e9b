import { groupBy } from '../../core/group-by.js';
import { sourceId } from '../../core/ids.js';
import type { Manifest } from '../../core/model.js';
import { type Counts, noCounts } from '../read/counts.js';
import type { Effects, GraphDelta } from '../types.js';
import { type Asserted, assertedInSlices } from './asserted.js';

/** A manifest on its way into a graph. */
export interface Load {
  readonly manifest: Manifest;
  readonly asserted: Asserted;
  /** Public id of the source. */
  readonly id: string;
}

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

/** What now exists because of a source, and what its edges wait for. */
export type SourceStatus = Counts & Pick<GraphDelta, 'warnings'>;

/** Returns one delta for each load, in order; what no source asserts any more is reported with the first new one. */
export function deltasOf(
  loads: readonly Load[],
  {
    written,
    effects,
    status,
  }: {
    /** Public ids of the sources that did not assert all of it before. */
    readonly written: ReadonlySet<string>;
    readonly effects: Effects;
    readonly status: (load: Load) => SourceStatus;
  },
): GraphDelta[] {
  const fresh = loads.filter((load) => written.has(load.id));
  const changed = changedByLoad(fresh, effects.changed);
  return loads.map((load) => ({
    source_id: load.id,
    unchanged: !written.has(load.id),
    ...NOTHING,
    ...(load === fresh[0] ? effects : {}),
    changed: changed.get(load.id) ?? [],
    ...status(load),
  }));
}

export function forgottenDelta(source_id: string, effects: Effects): GraphDelta {
  return { source_id, unchanged: false, ...effects, ...noCounts(), warnings: [] };
}

/** Assigns nodes that changed to the last of the written sources that asserts them, others to the first. */
function changedByLoad(loads: readonly Load[], changed: readonly string[]): Map<string, string[]> {
  const owner = new Map<string, string>();
  for (const { id, asserted } of loads) {
    for (const node of [...asserted.concepts.keys(), ...asserted.passages.keys()]) owner.set(node, id);
  }
  return groupBy(changed, (node) => owner.get(node) ?? loads[0]!.id);
}
