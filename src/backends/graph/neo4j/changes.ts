import { SvcError } from '../../../core/errors.js';
import { normaliseName } from '../../../core/ids.js';
import type { Asserted } from '../asserted.js';

/** What one source is to assert from now on. */
export interface SourceChange {
  readonly id: string;
  /** True where it asserted something before. */
  readonly existed: boolean;
  /** Adds to what it asserted instead of replacing it. */
  readonly append: boolean;
  /** Null where the source is forgotten. */
  readonly next: Asserted | null;
}

/** Sources whose former assertions go. */
export function replacedIds(changes: readonly SourceChange[]): string[] {
  return changes.filter((change) => change.existed && !change.append).map((change) => change.id);
}

export function taken(id: string): SvcError {
  return new SvcError('conflict', `Node ${id} belongs to another source or is of another kind; choose another id.`);
}

/** A node's id without its domain, as an end of an edge may be written. */
export function shortNorm(domain: string, id: string): string {
  return normaliseName(id.slice(domain.length + 1));
}

/** Normalised ends that may stand for a node of this id and name. */
export function endNorms(domain: string, node: { readonly id: string; readonly norm: string | null }): string[] {
  const norms = new Set([normaliseName(node.id), shortNorm(domain, node.id)]);
  if (node.norm !== null) norms.add(node.norm);
  return [...norms];
}

export function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
