import type { Effects } from '../types.js';
import { compare } from './asserted.js';
import type { ConceptChange, VisibleConcept } from './concept-change.js';
import type { PassageChange } from './passage-change.js';

/** What a write does to the nodes of its domain that sources assert. */
export interface NodeChanges {
  readonly concepts: readonly ConceptChange[];
  readonly passages: readonly PassageChange[];
}

/** Returns the returnable nodes that are added, read otherwise or are removed, each list in order. */
export function effectsOn({ concepts, passages }: NodeChanges): Omit<Effects, 'keys'> {
  const changed: string[] = [];
  const removed: string[] = [];
  for (const { id, before, after } of concepts) {
    if (after === null) {
      if (before !== null) removed.push(id);
    } else if (before === null || isReadOtherwise(before, after)) changed.push(id);
  }
  for (const { id, after, reread } of passages) {
    if (after === null) removed.push(id);
    else if (reread) changed.push(id);
  }
  return { changed: changed.sort(compare), removed: removed.sort(compare) };
}

function isReadOtherwise(before: VisibleConcept, after: VisibleConcept): boolean {
  const { name, description, hasVector } = after;
  return before.name !== name || before.description !== description || before.hasVector !== hasVector;
}

/** A node as it was (`was`) or is; `seen` is null for a passage. */
interface Reresolved {
  readonly id: string;
  readonly seen: VisibleConcept | null;
  readonly was: boolean;
}

/**
 * Yields the nodes that an endpoint of an edge or rule may stand for now and not before, or the other way round: those
 * that were added, removed or renamed, as they were and as they are. A passage is an endpoint by its id only.
 */
export function* reresolvedNodes({ concepts, passages }: NodeChanges): Generator<Reresolved> {
  for (const { id, before, after } of concepts) {
    if (before?.norm === after?.norm) continue;
    if (before !== null) yield { id, seen: before, was: true };
    if (after !== null) yield { id, seen: after, was: false };
  }
  for (const { id, before, after } of passages) {
    if ((before === null) !== (after === null)) yield { id, seen: null, was: before !== null };
  }
}
