import { conceptIdOf, normaliseName, qualifiedId } from '../../core/ids.js';
import { compare } from './asserted.js';

/** An endpoint given as name or id, with what it may stand for. */
export interface Endpoint {
  readonly norm: string;
  /** The concept of that name without a caller's id. */
  readonly hashed: string;
  /** The node with that id. */
  readonly own: string;
}

export function endpointOf(domain: string, given: string): Endpoint {
  const norm = normaliseName(given);
  return { norm, hashed: conceptIdOf(domain, norm), own: qualifiedId(domain, given) };
}

/**
 * Returns the id of the node that an endpoint stands for: of the concepts of that name the one without a caller's id,
 * else the lowest id; else the concept or passage with that id. Entities are bridges, never endpoints.
 */
export function resolveEndpoint(
  endpoint: Endpoint,
  find: { readonly named: (norm: string) => readonly string[]; readonly has: (id: string) => boolean },
): string | null {
  const named = find.named(endpoint.norm);
  if (named.length > 0) return named.includes(endpoint.hashed) ? endpoint.hashed : [...named].sort(compare)[0]!;
  return find.has(endpoint.own) ? endpoint.own : null;
}

/** Returns a node's id without its domain, normalised: an endpoint may be written so. */
export function shortNorm(domain: string, id: string): string {
  return normaliseName(id.slice(domain.length + 1));
}

/** Returns the normalised endpoints that may stand for a node of this id and name (null: found by its id only). */
export function endpointNorms(domain: string, node: { readonly id: string; readonly norm: string | null }): string[] {
  const norms = new Set([normaliseName(node.id), shortNorm(domain, node.id)]);
  if (node.norm !== null) norms.add(node.norm);
  return [...norms];
}
