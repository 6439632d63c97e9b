import { smallest } from '../../../core/select.js';
import { PASSAGE } from '../../../ledger/tables.js';
import type { EdgeArc, EdgeFactors, Hop, HopOptions } from '../engine.js';
import { SHARED_MAX, SHARED_MIN } from '../weights.js';
import type { Topology } from './topology.js';

/** Returns one hop around nodes, given and answered by slot inside, by number outside. */
export function hopAround(
  topology: Topology,
  { slots, limit, factors, incoming }: Omit<HopOptions, 'domains'> & { readonly slots: readonly number[] },
): Hop {
  const refs = topology.nodes.refs;
  const out = new Map<number, Set<number>>();
  const into = new Map<number, Set<number>>();
  const edges = new Map<number, EdgeArc[]>();
  for (const slot of slots) {
    if (topology.kinds[slot] === PASSAGE) out.set(slot, outTargets(topology, slot, limit));
    if (incoming) into.set(slot, new Set(smallest(linkSources(topology, slot), limit, (a) => topology.hashes[a]!)));
    edges.set(refs[slot]!, edgeArcs(topology, slot, { limit, factors }));
  }
  const inlinks = new Map<number, number>();
  for (const slot of slots) inlinks.set(refs[slot]!, countSources(topology, slot));
  for (const targets of out.values()) {
    for (const target of targets) {
      if (!inlinks.has(refs[target]!)) inlinks.set(refs[target]!, countSources(topology, target));
    }
  }
  const entities = slots.flatMap((slot) => (topology.kinds[slot] === PASSAGE ? entitiesOf(topology, slot) : []));
  const shared = new Map<number, number[]>();
  for (const { slot, node, documentFrequency } of entities) {
    if (documentFrequency < SHARED_MIN || documentFrequency > SHARED_MAX || shared.has(node)) continue;
    shared.set(node, numbers(topology, passagesOf(topology, slot)));
  }
  return {
    out: byNumber(topology, out),
    into: byNumber(topology, into),
    targets: targetsOf(topology, out, into),
    inlinks,
    entities: entities.map(({ slot: _, ...entity }) => entity),
    shared,
    edges,
  };
}

function numbers(topology: Topology, slots: Iterable<number>): number[] {
  return Array.from(slots, (slot) => topology.nodes.refs[slot]!);
}

function byNumber(topology: Topology, sets: ReadonlyMap<number, ReadonlySet<number>>): Map<number, Set<number>> {
  const { refs } = topology.nodes;
  return new Map([...sets].map(([slot, others]) => [refs[slot]!, new Set(numbers(topology, others))]));
}

/** Returns the keys over which the chosen links run, with all that they lead to. */
function targetsOf(
  topology: Topology,
  out: ReadonlyMap<number, ReadonlySet<number>>,
  into: ReadonlyMap<number, ReadonlySet<number>>,
): Map<number, readonly number[]> {
  const targets = new Map<number, readonly number[]>();
  const add = (entity: number): void => {
    const key = topology.entityNodes.refs[entity]!;
    if (!targets.has(key)) targets.set(key, numbers(topology, topology.linkTargets(entity)));
  };
  for (const slot of out.keys()) {
    const { mentions } = topology;
    for (let at = mentions.start(slot); at < mentions.end(slot); at += 1) add(mentions.targets[at]!);
  }
  for (const slot of into.keys()) for (const entity of entitiesInto(topology, slot)) add(entity);
  return targets;
}

/** Returns the targets of a passage's links: those over the rarest keys first. */
function outTargets(topology: Topology, slot: number, limit: number): Set<number> {
  const { mentions } = topology;
  const rarest = new Map<number, number>();
  for (let at = mentions.start(slot); at < mentions.end(slot); at += 1) {
    const entity = mentions.targets[at]!;
    const targets = topology.linkTargets(entity);
    if (targets.length === 0) continue;
    const frequency = topology.documentFrequency(entity);
    for (const target of targets) {
      if (target !== slot) rarest.set(target, Math.min(rarest.get(target) ?? frequency, frequency));
    }
  }
  if (rarest.size <= limit) return new Set(rarest.keys());
  const ordered = [...rarest].sort((a, b) => a[1] - b[1] || topology.hashes[a[0]]! - topology.hashes[b[0]]!);
  return new Set(ordered.slice(0, limit).map(([target]) => target));
}

/** Returns the entity nodes over which links arrive at a node. */
function entitiesInto(topology: Topology, slot: number): number[] {
  const { about } = topology;
  const entities: number[] = [];
  for (let at = about.start(slot); at < about.end(slot); at += 1) {
    const entity = about.targets[at]!;
    if (topology.linkTargets(entity).includes(slot)) entities.push(entity);
  }
  return entities;
}

function* linkSources(topology: Topology, slot: number): Generator<number> {
  const { mentioned } = topology;
  const entities = entitiesInto(topology, slot);
  const seen = entities.length > 1 ? new Set<number>() : null;
  for (const entity of entities) {
    const end = mentioned.end(entity);
    for (let at = mentioned.start(entity); at < end; at += 1) {
      const source = mentioned.targets[at]!;
      if (source === slot || seen?.has(source) === true) continue;
      seen?.add(source);
      yield source;
    }
  }
}

/** Counts the distinct passages that link to a node. */
function countSources(topology: Topology, slot: number): number {
  const entities = entitiesInto(topology, slot);
  if (entities.length === 1) {
    return topology.mentioned.count(entities[0]!) - (topology.mentions.find(slot, entities[0]!) >= 0 ? 1 : 0);
  }
  let count = 0;
  for (const _ of linkSources(topology, slot)) count += 1;
  return count;
}

function entitiesOf(topology: Topology, passage: number) {
  const { mentions, about, entityNodes, nodeOfEntity, nodes } = topology;
  const titled = new Map<number, boolean>();
  for (let at = mentions.start(passage); at < mentions.end(passage); at += 1) titled.set(mentions.targets[at]!, false);
  for (let at = about.start(passage); at < about.end(passage); at += 1) {
    const entity = about.targets[at]!;
    if (topology.isAbout(passage, entity)) titled.set(entity, true);
  }
  return [...titled].flatMap(([slot, title]) => {
    const node = nodeOfEntity[slot]!;
    if (node < 0) return [];
    const documentFrequency = topology.documentFrequency(slot);
    const key = entityNodes.refs[slot]!;
    return [{ slot, passage: nodes.refs[passage]!, key, node: nodes.refs[node]!, documentFrequency, title }];
  });
}

function passagesOf(topology: Topology, entity: number): number[] {
  const { mentioned } = topology;
  const all = new Set(mentioned.targets.subarray(mentioned.start(entity), mentioned.end(entity)));
  for (const slot of topology.aboutOf(entity)) if (topology.kinds[slot] === PASSAGE) all.add(slot);
  return [...all];
}

/** Returns the heaviest typed edges at a node, with all that equal the last in weight and other endpoint. */
function edgeArcs(
  topology: Topology,
  slot: number,
  { limit, factors }: { limit: number; factors: EdgeFactors },
): EdgeArc[] {
  const { edges, hashes, nodes } = topology;
  const arcs: Array<EdgeArc & { readonly hash: number }> = [];
  const order = (a: { weight: number; hash: number }, b: { weight: number; hash: number }): number =>
    b.weight - a.weight || a.hash - b.hash;
  const cut = (): void => {
    arcs.sort(order);
    let length = limit;
    while (length < arcs.length && length > 0 && order(arcs[length - 1]!, arcs[length]!) === 0) length += 1;
    arcs.length = Math.min(arcs.length, length);
  };
  const end = edges.end(slot);
  for (let at = edges.start(slot); at < end; at += 1) {
    const ref = edges.refs[at]!;
    const other = edges.targets[at]!;
    const weight = edges.values[at]! * (factors.get(ref) ?? 1);
    arcs.push({ ref, other: nodes.refs[other]!, weight, hash: hashes[other]! });
    if (arcs.length > limit * 8 + 1024) cut();
  }
  cut();
  return arcs.map(({ hash: _, ...arc }) => arc);
}
