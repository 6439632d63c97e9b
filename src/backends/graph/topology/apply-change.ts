import { slicer } from '../../../core/async/slices.js';
import type { EdgeMark, LedgerChange } from '../../../ledger/change.js';
import { addTo } from '../../../ledger/groups.js';
import type { Topology } from './topology.js';

/** Brings the topology from one version to a later one, in slices. Doing it twice, or over a newer reading, is harmless. */
export async function applyChange(topology: Topology, change: LedgerChange): Promise<void> {
  // Questions wait for it.
  const pause = slicer('urgent');
  topology.epoch += 1;
  if (change.removedDomains.size > 0) removeDomains(topology, new Set(change.removedDomains.keys()));
  await removeEdges(topology, change, pause);
  for (const [ref, mark] of change.nodes) if (mark !== null) topology.addNode(ref, mark);
  await pause();
  for (const [key, node] of change.keyNodes) topology.setEntityNode(key, node);
  await pause();
  await replaceMentions(topology, change.mentions, pause);
  for (const [key, nodes] of change.about) {
    const entity = topology.entityNodes.find(key);
    if (entity < 0) continue;
    for (const [ref, alias] of nodes) setAbout(topology, entity, { ref, alias });
    topology.forget(entity);
    await pause();
  }
  for (const [ref, mark] of change.edges) {
    if (mark.confidence !== null) addEdge(topology, ref, mark);
    await pause();
  }
  topology.removeNodes([...change.nodes].flatMap(([ref, mark]) => (mark === null ? [ref] : [])));
}

type Pause = () => Promise<void> | undefined;

function removeDomains(topology: Topology, domains: ReadonlySet<number>): void {
  const refs: number[] = [];
  const keys: number[] = [];
  for (let slot = 0; slot < topology.nodes.size; slot += 1) {
    const ref = topology.nodes.refs[slot]!;
    if (ref === 0 || !domains.has(topology.domains[slot]!)) continue;
    refs.push(ref);
    for (let entity = topology.firstEntity[slot]!; entity >= 0; entity = topology.nextEntity[entity]!) {
      keys.push(topology.entityNodes.refs[entity]!);
    }
  }
  for (const key of keys) topology.setEntityNode(key, null);
  topology.removeNodes(refs);
  for (const domain of domains) topology.passages.delete(domain);
}

/** Takes arcs of edges away, in one pass over each endpoint. */
async function removeEdges(topology: Topology, change: LedgerChange, pause: Pause): Promise<void> {
  const at = new Map<number, Set<number>>();
  for (const [ref, { src, dst, confidence }] of change.edges) {
    if (confidence !== null) continue;
    for (const node of [src, dst]) {
      const slot = topology.nodes.find(node);
      if (slot >= 0) addTo(at, slot, ref);
    }
  }
  const { edges } = topology;
  for (const [slot, refs] of at) {
    edges.remove(slot, (arc) => refs.has(edges.refs[arc]!));
    await pause();
  }
}

/** Gives passages other mentions; the entity nodes they leave are passed over once each. */
async function replaceMentions(topology: Topology, passages: LedgerChange['mentions'], pause: Pause): Promise<void> {
  const { mentions, mentioned } = topology;
  const left = new Map<number, Set<number>>();
  for (const [ref, keys] of passages) {
    const slot = topology.nodes.find(ref);
    if (slot < 0) continue;
    for (let at = mentions.start(slot); at < mentions.end(slot); at += 1) {
      const entity = mentions.targets[at]!;
      addTo(left, entity, slot);
      topology.forget(entity);
    }
    mentions.clear(slot);
    for (const key of keys.keys()) {
      const entity = topology.entityNodes.find(key);
      if (entity < 0) continue;
      mentions.add(slot, entity, { value: keys.get(key)! });
      topology.forget(entity);
    }
    await pause();
  }
  for (const [entity, slots] of left) {
    mentioned.remove(entity, (at) => slots.has(mentioned.targets[at]!));
    await pause();
  }
  for (const ref of passages.keys()) {
    const slot = topology.nodes.find(ref);
    if (slot < 0) continue;
    for (let at = mentions.start(slot); at < mentions.end(slot); at += 1) {
      mentioned.add(mentions.targets[at]!, slot, { value: mentions.values[at]! });
    }
    await pause();
  }
}

function setAbout(topology: Topology, entity: number, { ref, alias }: { ref: number; alias: number | null }): void {
  const { about, aboutBy } = topology;
  const slot = topology.nodes.find(ref);
  if (slot < 0) return;
  if (about.find(slot, entity) >= 0) {
    about.remove(slot, (at) => about.targets[at] === entity);
    aboutBy.remove(entity, (at) => aboutBy.targets[at] === slot);
  }
  if (alias === null) return;
  about.add(slot, entity, { value: alias });
  aboutBy.add(entity, slot, { value: alias });
}

/** Adds an edge; one that is there already stays, since a row never changes its endpoints or confidence. */
function addEdge(topology: Topology, ref: number, { src, dst, confidence }: EdgeMark): void {
  const { edges } = topology;
  const from = topology.nodes.find(src);
  const to = topology.nodes.find(dst);
  if (from < 0 || to < 0) return;
  const shorter = edges.count(from) < edges.count(to) ? from : to;
  if (edges.findRef(shorter, ref) >= 0) return;
  edges.add(from, to, { value: confidence!, ref });
  if (from !== to) edges.add(to, from, { value: confidence!, ref });
}
