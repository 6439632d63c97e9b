import { sourceId } from '../../core/ids.js';
import { byConceptRank } from '../manifest/asserted.js';
import { type KnownConcept, seenAs, type VisibleConcept } from '../manifest/concept-change.js';
import { type MergedNode, type MergesAround, mergedById } from '../merge/merged-nodes.js';
import { type MergePlan, seenBefore } from '../merge/plan-merges.js';
import type { Writer } from '../tables.js';
import { findSource } from '../write/source-rows.js';
import { activeEdits, hasEdits } from './edit-log.js';
import { conceptTarget, editsSource } from './edit-types.js';
import { type ConceptFold, conceptFold } from './fold.js';

/** What one source asserts about a concept, with the source's number. */
export interface ConceptRow extends KnownConcept {
  readonly source: number;
}

/** What people changed of some concepts, and what of it is written. */
export interface ConceptEdits {
  /** Number and public id of the domain's source `edits`. */
  readonly source: { readonly ref: number; readonly id: string };
  readonly folds: ReadonlyMap<string, ConceptFold>;
  /** Rows of `merged_node` under which renamed concepts are found by their other name. */
  readonly aliases: ReadonlyMap<string, MergedNode>;
}

/** Id under which a renamed concept is also found among merged ones, whose ids begin with a letter or digit. */
const aliasId = (id: string): string => `#${id}`;

/** Returns true where a row of merged concepts is the other name of a renamed one. */
export const isAlias = (id: string): boolean => id.startsWith('#');

/** Returns the id of the concept that an alias was made for. */
export const aliasedId = (alias: string): string => alias.slice(1);

/** Reads the edits of these concepts; null where the domain's log is empty. */
export async function conceptEdits(w: Writer, ids: Iterable<string>): Promise<ConceptEdits | null> {
  const all = [...new Set(ids)];
  if (all.length === 0 || !(await hasEdits(w.db, w.domain))) return null;
  const edits = await activeEdits(w.db, w.domain, all.map(conceptTarget));
  const folds = new Map<string, ConceptFold>();
  for (const id of all) {
    const fold = conceptFold(edits.get(conceptTarget(id)) ?? []);
    if (fold !== null) folds.set(id, fold);
  }
  const aliases = await mergedById(w, all.map(aliasId));
  const id = sourceId(editsSource(w.domain.name));
  const source = await findSource(w.db, id);
  return { source: { ref: source?.ref ?? 0, id }, folds, aliases: new Map(aliases.map((row) => [row.id, row])) };
}

/** Returns the concept that edits assert themselves, as an assertion among those of other sources. */
export function addedRow(w: Writer, { source, folds }: ConceptEdits, id: string): ConceptRow | null {
  const added = folds.get(id)?.added;
  if (added === undefined) return null;
  return {
    source: source.ref,
    source_id: source.id,
    ...added,
    properties: '{}',
    confidence: 1,
    version: w.state.version,
  };
}

/** What edits do to concepts that a write concerns. */
export interface ConceptEditPlan {
  /** By id: the assertion of `edits` that is visible. */
  readonly visible: ReadonlyMap<string, ConceptRow>;
  /** Ids of concepts of which `edits` asserts nothing any more. */
  readonly withdrawn: readonly string[];
  /** The plan of merges with the other names of renamed concepts in it. */
  readonly merges: MergePlan;
}

/**
 * Decides what is visible of edited concepts. `known`: the assertions of each concept without those of `edits`, but with
 * concepts that edits assert themselves; `written`: the assertion of `edits` as it lies in the graph.
 */
export function planConceptEdits(
  w: Writer,
  edits: ConceptEdits,
  {
    known,
    written,
    merges,
  }: {
    readonly known: ReadonlyMap<string, readonly ConceptRow[]>;
    readonly written: ReadonlyMap<string, ConceptRow>;
    readonly merges: MergePlan;
  },
): ConceptEditPlan {
  const visible = new Map<string, ConceptRow>();
  const withdrawn: string[] = [];
  const aliases = new Map<string, { readonly seen: VisibleConcept; readonly target: string }>();
  for (const id of new Set([...edits.folds.keys(), ...written.keys()])) {
    const fold = edits.folds.get(id);
    const [base] = [...(known.get(id) ?? [])].sort(byConceptRank);
    const hidden = merges.hidden.get(id);
    if (fold === undefined || base === undefined || hidden !== undefined) {
      if (written.has(id)) withdrawn.push(id);
    } else visible.set(id, laidOver(w, edits, { fold, base, before: written.get(id) }));
    if (fold?.name === undefined || base === undefined) continue;
    const [original, edited] = [seenAs(base), seenAs({ ...base, name: fold.name })];
    if (original.norm === edited.norm) continue;
    aliases.set(aliasId(id), hidden === undefined ? { seen: original, target: id } : { ...hidden, seen: edited });
  }
  return { visible, withdrawn, merges: withAliases(merges, edits.aliases, aliases) };
}

/** Returns the best assertion of other sources with the members that edits change; the written one where it is equal. */
function laidOver(
  w: Writer,
  { source }: ConceptEdits,
  {
    fold,
    base,
    before,
  }: { readonly fold: ConceptFold; readonly base: ConceptRow; readonly before: ConceptRow | undefined },
): ConceptRow {
  const name = fold.name ?? fold.added?.name ?? base.name;
  const description = fold.description ?? fold.added?.description ?? base.description;
  const { properties } = base;
  if (before?.name === name && before.description === description && before.properties === properties) return before;
  const { ref, id } = source;
  return { source: ref, source_id: id, name, description, properties, confidence: 1, version: w.state.version };
}

function withAliases(
  { around, hidden, hiding, showing }: MergePlan,
  before: ReadonlyMap<string, MergedNode>,
  after: MergePlan['hidden'],
): MergePlan {
  const wider: MergesAround = {
    ...around,
    ids: new Set([...around.ids, ...before.keys(), ...after.keys()]),
    merged: new Map([...around.merged, ...before]),
  };
  return {
    around: wider,
    hidden: new Map([...hidden, ...after]),
    hiding,
    showing: [...showing, ...[...before.keys()].filter((id) => !after.has(id))],
  };
}

/** Returns other names of renamed concepts that came, went or changed, as concepts: what has them is resolved again. */
export function movedAliases({ around, hidden }: MergePlan): ReadonlyArray<{
  readonly id: string;
  readonly before: VisibleConcept | null;
  readonly after: VisibleConcept | null;
}> {
  const ids = new Set([...around.merged.keys(), ...hidden.keys()].filter(isAlias));
  return [...ids].flatMap((id) => {
    const old = around.merged.get(id);
    const before = old === undefined ? null : seenBefore(old);
    const after = hidden.get(id)?.seen ?? null;
    return before?.norm === after?.norm ? [] : [{ id, before, after }];
  });
}
