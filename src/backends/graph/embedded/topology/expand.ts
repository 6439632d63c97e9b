import { type Kysely, sql } from 'kysely';
import { edgeId, type GraphEdge, type JsonObject } from '../../../../core/model.js';
import { withValues } from '../../../store/rows.js';
import type { Database } from '../../../store/schema.js';
import { compare } from '../../manifest/asserted.js';
import type { EntityRef, Expansion, Link } from '../../port.js';
import { byPlace, heaviest } from '../../read/sample.js';
import { idsOfRefs, idsOfSlots, slotsOfIds } from '../read/ids.js';
import { keysByRef } from '../write/key-table.js';
import { unpackMentions } from '../write/mention-blob.js';
import { type Hop, hopAround } from './hop.js';
import type { Topology } from './topology.js';
import { Walk } from './walk.js';

/** Everything one hop around nodes: chosen in the topology, then named by four reads of the store. */
export async function expand(
  db: Kysely<Database>,
  topology: Topology,
  {
    ids,
    domains,
    limit,
    factors,
  }: {
    readonly ids: readonly string[];
    readonly domains: ReadonlySet<number> | null;
    readonly limit: number;
    readonly factors: ReadonlyMap<number, number>;
  },
): Promise<Expansion> {
  const slots = [...(await slotsOfIds(db, topology, { ids, domains })).values()];
  const walk = new Walk(topology).prepare(factors);
  const hop = hopAround(topology, walk, { slots, limit });
  const names = await idsOfSlots(db, topology, slotsIn(hop, slots, topology));
  const links = await linksOf(db, topology, { hop, names });
  const entities = await entitiesOf(db, topology, { hop, names });
  const shared = [...hop.shared].flatMap(([hub, passages]): Array<[string, string[]]> => {
    const entity = names.get(topology.hubNodes[hub]!);
    return entity === undefined ? [] : [[entity, passages.flatMap((slot) => names.get(slot) ?? []).sort(compare)]];
  });
  const inlinks = [...hop.inlinks].flatMap(([slot, count]): Array<[string, number]> => {
    const id = names.get(slot);
    return id === undefined ? [] : [[id, count]];
  });
  return {
    ...links,
    inlinks: new Map(inlinks),
    entities,
    shared: new Map(shared),
    edges: await edgesOf(db, topology, { hop, names, limit }),
  };
}

function slotsIn(hop: Hop, slots: readonly number[], topology: Topology): Set<number> {
  const all = new Set(slots);
  for (const targets of hop.out.values()) for (const target of targets) all.add(target);
  for (const sources of hop.into.values()) for (const source of sources) all.add(source);
  for (const { hub } of hop.entities) all.add(topology.hubNodes[hub]!);
  for (const passages of hop.shared.values()) for (const passage of passages) all.add(passage);
  for (const arcs of hop.edges.values()) for (const arc of arcs) all.add(arc.other);
  return all;
}

type Names = ReadonlyMap<number, string>;

/** Where in their sentences the chosen links stand. */
async function linksOf(
  db: Kysely<Database>,
  topology: Topology,
  { hop, names }: { readonly hop: Hop; readonly names: Names },
): Promise<Pick<Expansion, 'out' | 'in'>> {
  const sources = new Set<number>();
  for (const [source, targets] of hop.out) if (targets.size > 0) sources.add(source);
  for (const from of hop.into.values()) for (const source of from) sources.add(source);
  const rows = await withValues(
    db,
    [...sources].map((slot) => topology.nodes.refs[slot]!),
    (given) => sql<{ node: number; mentions: Uint8Array }>`select p.node, p.mentions from ${given}
      join passage p on p.node = given.v`,
  );
  const into = new Map<number, Set<number>>();
  for (const [target, from] of hop.into) {
    for (const source of from) {
      const targets = into.get(source);
      if (targets === undefined) into.set(source, new Set([target]));
      else targets.add(target);
    }
  }
  const found: Array<{
    readonly key: number;
    readonly out: boolean;
    readonly in: boolean;
    readonly link: Omit<Link, 'key'>;
  }> = [];
  for (const { node, mentions } of rows) {
    const source = topology.nodes.find(node);
    const from = names.get(source);
    const outward = hop.out.get(source);
    const inward = into.get(source);
    if (from === undefined) continue;
    for (const { key, sentence, token, length } of unpackMentions(mentions)) {
      const hub = topology.hubs.find(key);
      const targets = hub < 0 ? [] : topology.linkTargets(hub);
      for (const target of targets) {
        const to = names.get(target);
        if (target === source || to === undefined) continue;
        const place = { out: outward?.has(target) === true, in: inward?.has(target) === true };
        if (!place.out && !place.in) continue;
        found.push({ key, ...place, link: { from, to, sentence, token, length, weight: 1 / targets.length } });
      }
    }
  }
  const keys = new Map((await keysByRef(db, new Set(found.map((item) => item.key)))).map((row) => [row.ref, row.key]));
  const named = found.map((item) => ({ ...item, link: { ...item.link, key: keys.get(item.key) ?? '' } }));
  const all = (which: 'out' | 'in'): Link[] =>
    named
      .filter((item) => item[which])
      .map((item) => item.link)
      .sort(byPlace);
  return { out: all('out'), in: all('in') };
}

async function entitiesOf(
  db: Kysely<Database>,
  topology: Topology,
  { hop, names }: { readonly hop: Hop; readonly names: Names },
): Promise<EntityRef[]> {
  const refs = new Set(hop.entities.map(({ hub }) => topology.hubs.refs[hub]!));
  const keys = new Map((await keysByRef(db, refs)).map((row) => [row.ref, row.key]));
  const entities = hop.entities.flatMap(({ passage, hub, title }): EntityRef[] => {
    const node = names.get(passage);
    const entity = names.get(topology.hubNodes[hub]!);
    const key = keys.get(topology.hubs.refs[hub]!);
    if (node === undefined || entity === undefined || key === undefined) return [];
    return [{ node, key, entity, kdf: topology.kdf(hub), title }];
  });
  return entities.sort((a, b) => compare(a.node, b.node) || compare(a.key, b.key));
}

async function edgesOf(
  db: Kysely<Database>,
  topology: Topology,
  { hop, names, limit }: { readonly hop: Hop; readonly names: Names; readonly limit: number },
): Promise<Expansion['edges']> {
  const refs = new Set([...hop.edges.values()].flatMap((arcs) => arcs.map((arc) => arc.ref)));
  const rows = await edgeRows(db, topology, refs);
  const found = [...hop.edges.values()].map((arcs) =>
    arcs.flatMap((arc) => {
      const edge = rows.get(arc.ref);
      const other = names.get(arc.other);
      return edge === undefined || other === undefined ? [] : [{ edge: { ...edge, weight: arc.weight }, other }];
    }),
  );
  return heaviest(found, limit);
}

/** Edges by their row numbers. */
export async function edgeRows(
  db: Kysely<Database>,
  topology: Topology,
  refs: Iterable<number>,
): Promise<Map<number, GraphEdge>> {
  const { version, edgesRead } = topology;
  const edges = new Map<number, GraphEdge>();
  const unread: number[] = [];
  for (const ref of refs) {
    const edge = edgesRead.get(version, ref);
    if (edge === undefined) unread.push(ref);
    else edges.set(ref, edge);
  }
  const rows = await withValues(
    db,
    unread,
    (given) => sql<{
      ref: number;
      src: number;
      dst: number;
      relation_type: string;
      confidence: number;
      properties: string;
    }>`select e.ref, e.src, e.dst, e.relation as relation_type, e.confidence, e.properties
      from ${given} join edge e on e.ref = given.v`,
  );
  const ids = await idsOfRefs(db, topology, new Set(rows.flatMap(({ src, dst }) => [src, dst])));
  for (const { ref, src, dst, relation_type, confidence, properties } of rows) {
    const source_id = ids.get(src);
    const target_id = ids.get(dst);
    if (source_id === undefined || target_id === undefined) continue;
    const id = edgeId(source_id, relation_type, target_id);
    const edge = {
      id,
      source_id,
      target_id,
      relation_type,
      confidence,
      properties: JSON.parse(properties) as JsonObject,
    };
    edgesRead.set(version, ref, edge);
    edges.set(ref, edge);
  }
  return edges;
}
