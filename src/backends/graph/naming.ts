import type { GraphEdge } from '../../core/model.js';
import { addTo } from '../../ledger/groups.js';
import { compare } from '../../ledger/manifest/asserted.js';
import { unpackMentions } from '../../ledger/mention-blob.js';
import { forValues, GIVEN } from '../store/rows.js';
import type { Db } from '../store/schema.js';
import type { Hop } from './engine.js';
import type { EntityRef, Expansion, Link } from './port.js';
import { byPlace, heaviest } from './sample.js';

/** Where the ids of nodes, the keys and the records of edges come from; what was removed meanwhile is missing. */
export interface Names {
  readonly db: Db;
  idsOf(refs: Iterable<number>): Promise<ReadonlyMap<number, string>>;
  keysOf(refs: Iterable<number>): Promise<ReadonlyMap<number, string>>;
  edgesOf(refs: Iterable<number>): Promise<ReadonlyMap<number, GraphEdge>>;
}

type Ids = ReadonlyMap<number, string>;

/** Gives a hop its ids, keys and places: an answer in numbers becomes one that callers read. */
export async function nameHop(names: Names, hop: Hop, limit: number): Promise<Expansion> {
  const [ids, places, edges] = await Promise.all([
    names.idsOf(nodesIn(hop)),
    mentionsOf(names.db, hop),
    names.edgesOf(edgesIn(hop)),
  ]);
  const links = linksOf(hop, ids, places);
  const keyRefs = new Set([...links.map(({ key }) => key), ...hop.entities.map(({ key }) => key)]);
  const keys = await names.keysOf(keyRefs);
  const pick = (which: 'out' | 'in'): Link[] =>
    links
      .filter((found) => found[which])
      .map(({ key, link }) => ({ ...link, key: keys.get(key) ?? '' }))
      .sort(byPlace);
  return {
    out: pick('out'),
    in: pick('in'),
    inlinks: new Map([...hop.inlinks].flatMap(([node, count]) => withId(ids, node, count))),
    entities: entitiesOf(hop, ids, keys),
    shared: new Map(
      [...hop.shared].flatMap(([node, passages]) =>
        withId(ids, node, passages.flatMap((passage) => ids.get(passage) ?? []).sort(compare)),
      ),
    ),
    edges: edgesOf(hop, { ids, edges, limit }),
  };
}

function withId<T>(ids: Ids, node: number, value: T): Array<readonly [string, T]> {
  const id = ids.get(node);
  return id === undefined ? [] : [[id, value]];
}

function nodesIn(hop: Hop): Set<number> {
  const all = new Set(hop.inlinks.keys());
  for (const [from, targets] of hop.out) {
    all.add(from);
    for (const target of targets) all.add(target);
  }
  for (const [to, sources] of hop.into) {
    all.add(to);
    for (const source of sources) all.add(source);
  }
  for (const { passage, node } of hop.entities) all.add(passage).add(node);
  for (const passages of hop.shared.values()) for (const passage of passages) all.add(passage);
  for (const arcs of hop.edges.values()) for (const arc of arcs) all.add(arc.other);
  return all;
}

function edgesIn(hop: Hop): Set<number> {
  return new Set([...hop.edges.values()].flatMap((arcs) => arcs.map((arc) => arc.ref)));
}

interface PassageMentions {
  readonly node: number;
  readonly mentions: Uint8Array;
}

/** Returns the mentions of every passage that a chosen link leaves. */
async function mentionsOf(db: Db, hop: Hop): Promise<PassageMentions[]> {
  const sources = new Set<number>();
  for (const [source, targets] of hop.out) if (targets.size > 0) sources.add(source);
  for (const from of hop.into.values()) for (const source of from) sources.add(source);
  return forValues(db, sources)<PassageMentions>`
    select p.node, p.mentions from ${GIVEN} join passage p on p.node = given.v`;
}

interface FoundLink {
  readonly key: number;
  readonly out: boolean;
  readonly in: boolean;
  readonly link: Omit<Link, 'key'>;
}

/** Returns the chosen links with their places in sentences. */
function linksOf(hop: Hop, ids: Ids, passages: readonly PassageMentions[]): FoundLink[] {
  const into = new Map<number, Set<number>>();
  for (const [target, from] of hop.into) for (const source of from) addTo(into, source, target);
  const found: FoundLink[] = [];
  for (const { node: source, mentions } of passages) {
    const from = ids.get(source);
    if (from === undefined) continue;
    const outward = hop.out.get(source);
    const inward = into.get(source);
    for (const { key, sentence, token, length } of unpackMentions(mentions)) {
      const targets = hop.targets.get(key) ?? [];
      for (const target of targets) {
        const to = ids.get(target);
        if (target === source || to === undefined) continue;
        const chosen = { out: outward?.has(target) === true, in: inward?.has(target) === true };
        if (!chosen.out && !chosen.in) continue;
        found.push({ key, ...chosen, link: { from, to, sentence, token, length, weight: 1 / targets.length } });
      }
    }
  }
  return found;
}

function entitiesOf(hop: Hop, ids: Ids, keys: ReadonlyMap<number, string>): EntityRef[] {
  const entities = hop.entities.flatMap(({ passage, key: ref, node: entityRef, documentFrequency, title }) => {
    const [node, entity, key] = [ids.get(passage), ids.get(entityRef), keys.get(ref)];
    if (node === undefined || entity === undefined || key === undefined) return [];
    return [{ node, key, entity, documentFrequency, title }];
  });
  return entities.sort((a, b) => compare(a.node, b.node) || compare(a.key, b.key));
}

function edgesOf(
  hop: Hop,
  { ids, edges, limit }: { readonly ids: Ids; readonly edges: ReadonlyMap<number, GraphEdge>; readonly limit: number },
): Expansion['edges'] {
  const found = [...hop.edges.values()].map((arcs) =>
    arcs.flatMap((arc) => {
      const edge = edges.get(arc.ref);
      const other = ids.get(arc.other);
      return edge === undefined || other === undefined ? [] : [{ edge: { ...edge, weight: arc.weight }, other }];
    }),
  );
  return heaviest(found, limit);
}
