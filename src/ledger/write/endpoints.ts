import { forValues, GIVEN } from '../../backends/store/rows.js';
import { forEachInSlices, mapInSlices, slicer } from '../../core/async/slices.js';
import { push } from '../../core/group-by.js';
import { normaliseName } from '../../core/ids.js';
import { nameKey } from '../../core/text/keys.js';
import { aliasedId, isAlias } from '../edits/concept-edits.js';
import { type Endpoint, endpointNorms, endpointOf, resolveEndpoint } from '../manifest/endpoints.js';
import { type NodeChanges, reresolvedNodes } from '../manifest/node-changes.js';
import { type MergedNode, mergedEndpoints } from '../merge/merged-nodes.js';
import { CONCEPT, ENTITY, lookupHash, NAMED, type NodeRow, type Writer } from '../tables.js';
import type { DomainRef } from './write-state.js';

/** Looks endpoints up by name or id: number of the node an endpoint stands for now, 0 where there is none. */
export type Resolver = (endpoint: string) => number;

type EndpointNode = Pick<NodeRow, 'ref' | 'id' | 'kind' | 'norm'>;

/** Reads what resolves these endpoints, as the domain is now. Most are hashed names: the rest is looked up apart. */
export async function resolverFor(w: Writer, endpoints: Iterable<string>): Promise<Resolver> {
  const all = new Map<string, Endpoint>();
  await forEachInSlices(endpoints, (endpoint) => {
    if (!all.has(endpoint)) all.set(endpoint, endpointOf(w.domain.name, endpoint));
  });
  const found = new Map<string, number>();
  const ids = [...all.values()].map((endpoint) => endpoint.hashed);
  const hashed = await conceptsById(w, ids);
  const rest: Array<readonly [string, Endpoint]> = [];
  for (const [given, endpoint] of all) {
    const node = hashed.get(endpoint.hashed);
    if (node !== undefined && node.kind === CONCEPT && node.norm === endpoint.norm) found.set(given, node.ref);
    else rest.push([given, endpoint]);
  }
  if (rest.length > 0) {
    const endpointsLeft = rest.map(([, endpoint]) => endpoint);
    const merged = await mergedEndpoints(w, endpointsLeft);
    const left = resolveMerged(rest, merged, found);
    await resolveOwn(w, left, { aliases: merged.filter((node) => isAlias(node.id)), found });
  }
  return (endpoint) => found.get(endpoint) ?? 0;
}

/** Resolves endpoints of merged concepts, and of renamed ones without a caller's id; returns the others. */
function resolveMerged(
  endpoints: ReadonlyArray<readonly [string, Endpoint]>,
  merged: readonly MergedNode[],
  found: Map<string, number>,
): Array<readonly [string, Endpoint]> {
  if (merged.length === 0) return [...endpoints];
  const byId = new Map(merged.map(({ id, target }) => [isAlias(id) ? aliasedId(id) : id, target]));
  const whole = merged.filter(({ id }) => !isAlias(id));
  const byNorm = new Map(whole.toReversed().map((node) => [node.norm, node.target]));
  const renamed = new Set(merged.filter(({ id }) => isAlias(id)).map(({ id }) => aliasedId(id)));
  return endpoints.filter(([given, { hashed, own, norm }]) => {
    // An id stands for its own node however that is named now.
    const target = byId.get(hashed) ?? (renamed.has(own) ? undefined : byId.get(own)) ?? byNorm.get(norm);
    if (target !== undefined) found.set(given, target);
    return target === undefined;
  });
}

/** Resolves endpoints that no hashed concept stands for: by a name or former name (`aliases`), else by id. */
async function resolveOwn(
  w: Writer,
  endpoints: ReadonlyArray<readonly [string, Endpoint]>,
  { aliases, found }: { readonly aliases: readonly MergedNode[]; readonly found: Map<string, number> },
): Promise<void> {
  const keys = await mapInSlices(endpoints, ([given]) => nameKey(given));
  const lowest = await forValues(w.db, keys)<{ norm: string; id: string }>`
    select n.norm, min(n.id) as id from ${GIVEN} join node n on n.key = given.v and n.domain = ${w.domain.ref}
    where n.kind = ${CONCEPT} and n.own <> ${NAMED} group by n.norm`;
  const named = new Map(lowest.map(({ norm, id }) => [norm, [id]]));
  for (const { id, norm } of aliases) push(named, norm, aliasedId(id));
  const nodes = await conceptsById(w, [
    ...lowest.map((row) => row.id),
    ...endpoints.map(([, endpoint]) => endpoint.own),
  ]);
  const refs = new Map([...nodes].map(([id, node]) => [id, node.ref]));
  for (const { id, target } of aliases) refs.set(aliasedId(id), target);
  const find = { named: (norm: string) => named.get(norm) ?? [], has: (id: string) => refs.has(id) };
  for (const [given, endpoint] of endpoints) {
    const id = resolveEndpoint(endpoint, find);
    if (id !== null) found.set(given, refs.get(id)!);
  }
}

/** Returns the concepts and passages with these ids. */
async function conceptsById(w: Writer, ids: readonly string[]): Promise<Map<string, EndpointNode>> {
  const rows = await forValues(w.db, ids)<EndpointNode>`
    select n.ref, n.id, n.kind, n.norm from ${GIVEN} join node n on n.id = given.v`;
  return new Map(rows.filter((row) => row.kind !== ENTITY).map((row) => [row.id, row]));
}

/** Returns the hashes of the endpoints that may stand for a node that was added, removed or renamed. */
export async function reresolvedHashes({ domain }: Writer, nodes: NodeChanges): Promise<Set<number>> {
  const hashes = new Set<number>();
  const pause = slicer();
  for (const { id, seen } of reresolvedNodes(nodes)) {
    for (const norm of endpointNorms(domain.name, { id, norm: seen?.norm ?? null }))
      hashes.add(lookupHash(domain, norm));
    await pause();
  }
  return hashes;
}

/** Returns the hash of an endpoint as given. */
export function endpointHash(domain: DomainRef, endpoint: string): number {
  return lookupHash(domain, normaliseName(endpoint));
}
