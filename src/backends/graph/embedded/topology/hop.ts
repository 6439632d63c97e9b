import { PASSAGE } from '../tables.js';
import type { Topology } from './topology.js';
import type { Walk } from './walk.js';

/** One hop around some nodes, by slots: everything that needs no text. */
export interface Hop {
  /** Passage → targets of the links that are answered. */
  readonly out: Map<number, Set<number>>;
  /** Node → passages whose links to it are answered. */
  readonly into: Map<number, Set<number>>;
  readonly inlinks: Map<number, number>;
  readonly entities: ReadonlyArray<{ readonly passage: number; readonly hub: number; readonly title: boolean }>;
  /** Hub → passages, for rare ones. */
  readonly shared: Map<number, number[]>;
  /** Node → arcs of typed edges that may be answered: a few more than the limit where the last ones are equal. */
  readonly edges: Map<number, EdgeArc[]>;
}

export interface EdgeArc {
  readonly ref: number;
  readonly other: number;
  readonly weight: number;
}

const SHARED_MIN = 2;
const SHARED_MAX = 15;

export function hopAround(
  topology: Topology,
  walk: Walk,
  { slots, limit }: { slots: readonly number[]; limit: number },
): Hop {
  const out = new Map<number, Set<number>>();
  const into = new Map<number, Set<number>>();
  const edges = new Map<number, EdgeArc[]>();
  for (const slot of slots) {
    if (topology.kinds[slot] === PASSAGE) out.set(slot, outTargets(topology, slot, limit));
    into.set(slot, new Set(smallest(linkSources(topology, slot), limit, (a) => topology.hashes[a]!)));
    edges.set(slot, edgeArcs(topology, walk, { slot, limit }));
  }
  const inlinks = new Map<number, number>();
  for (const slot of slots) inlinks.set(slot, countSources(topology, slot));
  for (const targets of out.values()) {
    for (const target of targets) if (!inlinks.has(target)) inlinks.set(target, countSources(topology, target));
  }
  const entities = slots.flatMap((slot) => (topology.kinds[slot] === PASSAGE ? entitiesOf(topology, slot) : []));
  const shared = new Map<number, number[]>();
  for (const { hub } of entities) {
    const kdf = topology.kdf(hub);
    if (kdf >= SHARED_MIN && kdf <= SHARED_MAX && !shared.has(hub)) shared.set(hub, passagesOf(topology, hub));
  }
  return { out, into, inlinks, entities, shared, edges };
}

/** Targets of a passage's links: those over the rarest keys first. */
function outTargets(topology: Topology, slot: number, limit: number): Set<number> {
  const { mentions } = topology;
  const rarest = new Map<number, number>();
  for (let at = mentions.start(slot); at < mentions.end(slot); at += 1) {
    const hub = mentions.targets[at]!;
    const targets = topology.linkTargets(hub);
    if (targets.length === 0) continue;
    const kdf = topology.kdf(hub);
    for (const target of targets) {
      if (target !== slot) rarest.set(target, Math.min(rarest.get(target) ?? kdf, kdf));
    }
  }
  if (rarest.size <= limit) return new Set(rarest.keys());
  const ordered = [...rarest].sort((a, b) => a[1] - b[1] || topology.hashes[a[0]]! - topology.hashes[b[0]]!);
  return new Set(ordered.slice(0, limit).map(([target]) => target));
}

/** Hubs over which links arrive at a node. */
function hubsInto(topology: Topology, slot: number): number[] {
  const { about } = topology;
  const hubs: number[] = [];
  for (let at = about.start(slot); at < about.end(slot); at += 1) {
    const hub = about.targets[at]!;
    if (topology.linkTargets(hub).includes(slot)) hubs.push(hub);
  }
  return hubs;
}

function* linkSources(topology: Topology, slot: number): Generator<number> {
  const { mentioned } = topology;
  const hubs = hubsInto(topology, slot);
  const seen = hubs.length > 1 ? new Set<number>() : null;
  for (const hub of hubs) {
    const end = mentioned.end(hub);
    for (let at = mentioned.start(hub); at < end; at += 1) {
      const source = mentioned.targets[at]!;
      if (source === slot || seen?.has(source) === true) continue;
      seen?.add(source);
      yield source;
    }
  }
}

/** Distinct passages that link to a node. */
function countSources(topology: Topology, slot: number): number {
  const hubs = hubsInto(topology, slot);
  if (hubs.length === 1) {
    return topology.mentioned.count(hubs[0]!) - (topology.mentions.find(slot, hubs[0]!) >= 0 ? 1 : 0);
  }
  let count = 0;
  for (const _ of linkSources(topology, slot)) count += 1;
  return count;
}

function entitiesOf(topology: Topology, passage: number) {
  const { mentions, about } = topology;
  const hubs = new Map<number, boolean>();
  for (let at = mentions.start(passage); at < mentions.end(passage); at += 1) hubs.set(mentions.targets[at]!, false);
  for (let at = about.start(passage); at < about.end(passage); at += 1) {
    const hub = about.targets[at]!;
    if (topology.isAbout(passage, hub)) hubs.set(hub, true);
  }
  return [...hubs].flatMap(([hub, title]) => (topology.hubNodes[hub]! < 0 ? [] : [{ passage, hub, title }]));
}

function passagesOf(topology: Topology, hub: number): number[] {
  const { mentioned } = topology;
  const all = new Set(mentioned.targets.subarray(mentioned.start(hub), mentioned.end(hub)));
  for (const slot of topology.aboutOf(hub)) if (topology.kinds[slot] === PASSAGE) all.add(slot);
  return [...all];
}

/** The heaviest typed edges at a node, with all that equal the last in weight and other end. */
function edgeArcs(topology: Topology, walk: Walk, { slot, limit }: { slot: number; limit: number }): EdgeArc[] {
  const { edges, hashes } = topology;
  const arcs: EdgeArc[] = [];
  const order = (a: EdgeArc, b: EdgeArc): number => b.weight - a.weight || hashes[a.other]! - hashes[b.other]!;
  const cut = (): void => {
    arcs.sort(order);
    let length = limit;
    while (length < arcs.length && length > 0 && order(arcs[length - 1]!, arcs[length]!) === 0) length += 1;
    arcs.length = Math.min(arcs.length, length);
  };
  const end = edges.end(slot);
  for (let at = edges.start(slot); at < end; at += 1) {
    arcs.push({ ref: edges.refs[at]!, other: edges.targets[at]!, weight: walk.edgeWeight(at) });
    if (arcs.length > limit * 8 + 1024) cut();
  }
  cut();
  return arcs;
}

/** The `limit` items with the smallest measure, without sorting more than a few at a time. */
export function smallest(items: Iterable<number>, limit: number, measure: (item: number) => number): number[] {
  let kept: number[] = [];
  let bound = Number.POSITIVE_INFINITY;
  const cut = (): void => {
    kept = kept.sort((a, b) => measure(a) - measure(b)).slice(0, limit);
    if (kept.length === limit && limit > 0) bound = measure(kept[limit - 1]!);
  };
  for (const item of items) {
    if (measure(item) > bound) continue;
    kept.push(item);
    if (kept.length > limit * 4 + 64) cut();
  }
  cut();
  return kept;
}
