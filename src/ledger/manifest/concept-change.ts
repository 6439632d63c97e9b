import { normaliseName } from '../../core/ids.js';
import { nameKey } from '../../core/text/keys.js';
import { WITHOUT_VECTORS } from '../../core/vectorless.js';
import type { RankedConcept } from './asserted.js';

/** A concept as it is visible, with what it is found by. */
export interface VisibleConcept {
  readonly name: string;
  readonly description: string;
  readonly key: string;
  readonly norm: string;
  /** False where it is kept without a vector. */
  readonly hasVector: boolean;
}

/** A concept before and after a write; null where there is none (a bare entity is none). */
export interface ConceptChange {
  readonly id: string;
  readonly before: VisibleConcept | null;
  readonly after: VisibleConcept | null;
}

/** What one source asserts about a concept; properties as JSON. */
export interface KnownConcept extends RankedConcept {
  readonly properties: string;
}

export function seenAs({
  name,
  description,
  properties,
}: Pick<KnownConcept, 'name' | 'description' | 'properties'>): VisibleConcept {
  return { name, description, key: nameKey(name), norm: normaliseName(name), hasVector: hasVectorBy(properties) };
}

/** Returns whether a concept of these properties, as JSON, has a vector. */
export function hasVectorBy(properties: string): boolean {
  return !properties.includes(WITHOUT_VECTORS);
}

/** Returns whether two assertions agree on everything about a concept. */
export function sameConcept(a: KnownConcept, b: KnownConcept): boolean {
  return a.name === b.name && a.description === b.description && a.properties === b.properties;
}

/** Returns the keys of concepts that were added, removed or renamed, before and after. */
export function movedKeys(concepts: readonly ConceptChange[]): Set<string> {
  const keys = new Set<string>();
  for (const { before, after } of concepts) {
    if (before?.key === after?.key && before?.name === after?.name) continue;
    if (before !== null) keys.add(before.key);
    if (after !== null) keys.add(after.key);
  }
  return keys;
}
