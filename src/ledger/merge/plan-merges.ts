import { byConceptRank } from '../manifest/asserted.js';
import { type KnownConcept, seenAs, type VisibleConcept } from '../manifest/concept-change.js';
import type { AboutChange } from '../manifest/passage-change.js';
import type { Writer } from '../tables.js';
import { aliasesOf, type MergedNode, type MergesAround, mergedByKey, standIns } from './merged-nodes.js';

/** A concept that another stands for, as it is to be. */
interface Hidden {
  readonly seen: VisibleConcept;
  /** Id of the concept that stands for it. */
  readonly target: string;
}

/** What a write does to merged concepts. */
export interface MergePlan {
  readonly around: MergesAround;
  /** By id: all that are merged from now on, of those that the write concerns. */
  readonly hidden: ReadonlyMap<string, Hidden>;
  /** Ids that become merged, and that no longer are. */
  readonly hiding: readonly string[];
  readonly showing: readonly string[];
}

/** Decides which concepts are merged from now on. `known`: what stays and is added of their assertions, by id. */
export function planMerges(around: MergesAround, known: ReadonlyMap<string, readonly KnownConcept[]>): MergePlan {
  const hidden = new Map<string, Hidden>();
  const isAsserted = (id: string) => (known.get(id)?.length ?? 0) > 0;
  for (const [id, target] of standIns(around.links, isAsserted)) {
    const best = [...known.get(id)!].sort(byConceptRank)[0]!;
    hidden.set(id, { seen: seenAs(best), target });
  }
  return {
    around,
    hidden,
    hiding: [...hidden.keys()].filter((id) => !around.merged.has(id)),
    showing: [...around.merged.keys()].filter((id) => !hidden.has(id)),
  };
}

/**
 * Returns concepts that are merged now and were not, no longer are, or that another one stands for than before, as if they
 * went: endpoints are resolved again. Those that nobody saw, before or after, are no changes otherwise.
 */
export function movedMerges(
  { around, hidden, showing }: MergePlan,
  refOf: (id: string) => number,
): ReadonlyArray<{ readonly id: string; readonly before: VisibleConcept; readonly after: null }> {
  const now = [...hidden].flatMap(([id, { seen, target }]) =>
    around.merged.get(id)?.target === refOf(target) ? [] : [{ id, before: seen, after: null }],
  );
  return [...now, ...showing.map((id) => ({ id, before: seenBefore(around.merged.get(id)!), after: null }))];
}

/** Returns a merged concept by what it is found by. */
export function seenBefore({ key, norm }: Pick<MergedNode, 'key' | 'norm'>): VisibleConcept {
  return { name: '', description: '', key, norm, hasVector: true };
}

/**
 * Returns how names of merged concepts become, or cease to be, aliases of those that stand for them. `refOf`: number of
 * a node, or of a new one that is not written yet any number below 0.
 */
export async function aliasChanges(
  w: Writer,
  { around, hidden }: MergePlan,
  refOf: (id: string) => number,
  keyOf: (ref: number) => string | undefined,
): Promise<AboutChange[]> {
  if (around.ids.size === 0) return [];
  const keys = new Set<string>();
  const before = [...around.merged.values()].map(({ key, target }) => [key, target] as const);
  const after = [...hidden.values()].map(({ seen, target }) => [seen.key, refOf(target)] as const);
  for (const [key] of [...before, ...after]) keys.add(key);
  const others = (await mergedByKey(w, [...keys])).filter((row: MergedNode) => !around.ids.has(row.id));
  const wanted = new Set<string>();
  for (const [key, node] of [...after, ...others.map(({ key, target }) => [key, target] as const)]) {
    if (keyOf(node) !== key) wanted.add(`${node} ${key}`);
  }
  const pairs = new Map([...before, ...after].map(([key, node]) => [`${node} ${key}`, [key, node] as const]));
  const present = await aliasesOf(w, [...pairs.values()]);
  return [...pairs].flatMap(([pair, [key, node]]) => {
    const [was, is] = [present.has(pair), wanted.has(pair)];
    return was === is ? [] : [{ key, node, before: was ? true : null, after: is ? true : null }];
  });
}
