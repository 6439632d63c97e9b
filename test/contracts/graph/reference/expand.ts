import type { EntityRef, Expansion, Link } from '../../../../src/backends/graph/port.js';
import { byPlace, bySample } from '../../../../src/backends/graph/sample.js';
import { MAX_ABOUT } from '../../../../src/ledger/key-limits.js';
import { compare } from '../../../../src/ledger/manifest/asserted.js';
import { aboutOf, type DomainView, type KeyView, passagesOfKey } from './view.js';

type Edges = Expansion['edges'];

/** One hop around nodes of one domain. */
export function expandView(
  view: DomainView,
  ids: readonly string[],
  {
    linkLimit,
    factors,
    incoming,
  }: { readonly linkLimit: number; readonly factors: ReadonlyMap<string, number>; readonly incoming: boolean },
): Expansion {
  const out = ids.flatMap((id) => outOf(view, id, linkLimit));
  const into = (incoming ? ids : []).flatMap((id) => intoOf(view, id, linkLimit));
  const entities = ids.flatMap((id) => entitiesOf(view, id));
  const inlinks = new Map<string, number>();
  for (const id of [...ids, ...out.map((link) => link.to)]) inlinks.set(id, linkSources(view, id).size);
  const shared = new Map<string, string[]>();
  for (const { entity, key, documentFrequency } of entities) {
    if (documentFrequency >= 2 && documentFrequency <= 15)
      shared.set(entity, [...passagesOfKey(view, view.keys.get(key)!)].sort(compare));
  }
  return { out, in: into, inlinks, entities, shared, edges: edgesAt(view, ids, { linkLimit, factors }) };
}

/** Nodes that the mentions of a key link to. */
function linkTargets(key: KeyView): ReadonlySet<string> {
  const about = aboutOf(key);
  return about.size <= MAX_ABOUT ? about : new Set();
}

function linksOf(view: DomainView, from: string, accept: (to: string, key: string) => boolean): Link[] {
  const links: Link[] = [];
  for (const { key, sentence, token, length } of view.passages.get(from)?.mentions ?? []) {
    const targets = linkTargets(view.keys.get(key)!);
    for (const to of targets) {
      if (to !== from && accept(to, key))
        links.push({ from, to, key, sentence, token, length, weight: 1 / targets.size });
    }
  }
  return links;
}

function outOf(view: DomainView, id: string, limit: number): Link[] {
  const links = linksOf(view, id, () => true);
  const rarest = new Map<string, number>();
  for (const { to, key } of links) {
    const documentFrequency = passagesOfKey(view, view.keys.get(key)!).size;
    rarest.set(to, Math.min(rarest.get(to) ?? documentFrequency, documentFrequency));
  }
  const targets = [...rarest].sort((a, b) => a[1] - b[1] || bySample(a[0], b[0])).slice(0, limit);
  const kept = new Set(targets.map(([to]) => to));
  return links.filter((link) => kept.has(link.to)).sort(byPlace);
}

function intoOf(view: DomainView, id: string, limit: number): Link[] {
  const sources = [...linkSources(view, id)].sort(bySample).slice(0, limit);
  return sources.flatMap((from) => linksOf(view, from, (to) => to === id)).sort(byPlace);
}

/** Passages that link to a node. */
function linkSources(view: DomainView, id: string): Set<string> {
  const sources = new Set<string>();
  for (const key of view.keys.values()) {
    if (!linkTargets(key).has(id)) continue;
    for (const from of key.mentions.keys()) if (from !== id) sources.add(from);
  }
  return sources;
}

function entitiesOf(view: DomainView, id: string): EntityRef[] {
  const passage = view.passages.get(id);
  if (passage === undefined) return [];
  const names = new Set([
    ...passage.mentions.map((mention) => mention.key),
    ...passage.about.map((about) => about.key),
  ]);
  const refs: EntityRef[] = [];
  for (const key of [...names].sort(compare)) {
    const state = view.keys.get(key)!;
    const title = aboutOf(state).has(id);
    if (state.node === null || !(title || state.mentions.has(id))) continue;
    refs.push({ node: id, key, entity: state.node, documentFrequency: passagesOfKey(view, state).size, title });
  }
  return refs;
}

function edgesAt(
  view: DomainView,
  ids: readonly string[],
  { linkLimit, factors }: { readonly linkLimit: number; readonly factors: ReadonlyMap<string, number> },
): Edges {
  const kept = new Map<string, Edges[number]>();
  for (const id of ids) {
    const at: Array<Edges[number] & { readonly other: string }> = [];
    for (const edge of view.edges.values()) {
      if (edge.source_id !== id && edge.target_id !== id) continue;
      const other = edge.source_id === id ? edge.target_id : edge.source_id;
      at.push({ ...edge, weight: edge.confidence * (factors.get(edge.id) ?? 1), other });
    }
    at.sort((a, b) => b.weight - a.weight || bySample(a.other, b.other) || compare(a.id, b.id));
    for (const { other: _, ...edge } of at.slice(0, linkLimit)) kept.set(edge.id, edge);
  }
  return [...kept.values()].sort((a, b) => compare(a.id, b.id));
}
