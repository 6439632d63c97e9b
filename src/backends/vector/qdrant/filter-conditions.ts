import type { Filter, Leaf } from '../filter.js';
import { numberKey, termOf, textTermOf } from './payload.js';

/** A condition in Qdrant's wire form, as far as it is used here. */
export type QdrantCondition =
  | { readonly must: readonly QdrantCondition[] }
  | { readonly should: readonly QdrantCondition[] }
  | { readonly must_not: readonly QdrantCondition[] }
  | { readonly has_id: readonly string[] }
  | { readonly key: string; readonly match: { readonly any: readonly string[] } | { readonly value: string } }
  | { readonly key: string; readonly range: Readonly<Record<string, number>> };

const NOTHING: QdrantCondition = { has_id: [] };
const EVERYTHING: QdrantCondition = { must_not: [NOTHING] };

/**
 * Returns the condition that passes what the filter passes, or more where it is not `exact` (texts are not ordered
 * there).
 */
export function conditionOf(filter: Filter): { condition: QdrantCondition; exact: boolean } {
  return { condition: bounded(filter, 'upper'), exact: isExact(filter) };
}

/** Returns the paths that are compared as numbers: these need an index. */
export function numberPaths(filter: Filter): Array<readonly string[]> {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.parts.flatMap(numberPaths);
  if (filter.kind === 'not') return numberPaths(filter.part);
  return filter.kind !== 'in' && typeof filter.value === 'number' ? [filter.path] : [];
}

/** Returns a condition that passes at least (`upper`) or at most (`lower`) what the filter passes. */
function bounded(filter: Filter, bound: 'upper' | 'lower'): QdrantCondition {
  switch (filter.kind) {
    case 'and':
      return filter.parts.length === 0 ? EVERYTHING : { must: filter.parts.map((part) => bounded(part, bound)) };
    case 'or':
      return filter.parts.length === 0 ? NOTHING : { should: filter.parts.map((part) => bounded(part, bound)) };
    case 'not':
      return { must_not: [bounded(filter.part, bound === 'upper' ? 'lower' : 'upper')] };
    default:
      return leafCondition(filter, bound);
  }
}

function leafCondition(test: Leaf, bound: 'upper' | 'lower'): QdrantCondition {
  if (test.kind === 'in') {
    if (test.values.length === 0) return NOTHING;
    return { key: 'terms', match: { any: test.values.map((value) => termOf(test.path, value)) } };
  }
  if (typeof test.value === 'number') {
    return { key: `numbers.${numberKey(test.path)}`, range: { [test.kind]: test.value } };
  }
  return bound === 'lower' ? NOTHING : { key: 'terms', match: { value: textTermOf(test.path) } };
}

function isExact(filter: Filter): boolean {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.parts.every(isExact);
  if (filter.kind === 'not') return isExact(filter.part);
  return filter.kind === 'in' || typeof filter.value === 'number';
}
