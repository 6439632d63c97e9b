import { MAX_ABOUT, MAX_ALIASES } from '../../../ledger/key-limits.js';
import { PASSAGE } from '../../../ledger/tables.js';
import { MIN_DOCUMENT_FREQUENCY, mentionWeight } from '../weights.js';
import { Adjacency, grown } from './adjacency.js';
import { Slots } from './slots.js';

/**
 * Who is joined to whom, in typed arrays: nodes, entity nodes (keys that something mentions), and between them
 * mentions, what is about what, and typed edges. No text and no object per node. Links are not stored: a passage that
 * mentions an entity links to what the entity's about-arcs lead to.
 */
export class Topology {
  /** Graph version that this is. */
  version = -1;
  /** Grows with every change; caches by slot are stamped with it. */
  epoch = 1;
  readonly nodes = new Slots();
  readonly entityNodes = new Slots();
  /** By node: number of its domain. */
  domains = new Float64Array(1024);
  kinds = new Uint8Array(1024);
  /** fnv1a of the id: the sample order. */
  hashes = new Uint32Array(1024);
  /** By entity: slot of the node that stands for it, -1 while there is none. */
  nodeOfEntity = new Int32Array(1024);
  /** By node: slot of the first entity it stands for, -1 for none; one that an edit renamed stands for both names. */
  firstEntity = new Int32Array(1024);
  /** By entity: the next one that the same node stands for, -1 for none. */
  nextEntity = new Int32Array(1024);
  /** Passage → entity, and back; the value is how often. */
  readonly mentions = new Adjacency(false);
  readonly mentioned = new Adjacency(false);
  /** Node → entity it is about, and back; the value is 1 for an alias. */
  readonly about = new Adjacency(false);
  readonly aboutBy = new Adjacency(false);
  /** Typed edges, from both endpoints; the value is the confidence. */
  readonly edges = new Adjacency(true);
  /** Domain number → its passages. */
  readonly passages = new Map<number, number>();
  /** Per entity, computed on request: passages, and the sum of their mention weights; -1 unknown. */
  private documentFrequencies = new Int32Array(1024);
  private strengths = new Float64Array(1024);

  addNode(ref: number, mark: { readonly domain: number; readonly kind: number; readonly hash: number }): void {
    let slot = this.nodes.find(ref);
    if (slot < 0) {
      slot = this.nodes.take(ref);
      this.reserveNodes(slot + 1);
      this.firstEntity[slot] = -1;
      if (mark.kind === PASSAGE) this.countPassage(mark.domain, 1);
    }
    this.domains[slot] = mark.domain;
    this.kinds[slot] = mark.kind;
    this.hashes[slot] = mark.hash;
  }

  /** Takes nodes away, with the arcs that others have to them: one pass over each neighbour, however many go. */
  removeNodes(refs: Iterable<number>): void {
    const obsolete = new Set<number>();
    for (const ref of refs) {
      const slot = this.nodes.find(ref);
      if (slot >= 0) obsolete.add(slot);
    }
    const { mentions, mentioned, about, aboutBy, edges } = this;
    for (const [from, back] of [
      [mentions, mentioned],
      [about, aboutBy],
      [edges, edges],
    ] as const) {
      const touched = new Set<number>();
      for (const slot of obsolete) {
        for (let at = from.start(slot); at < from.end(slot); at += 1) touched.add(from.targets[at]!);
        from.clear(slot);
      }
      for (const other of touched) {
        back.remove(other, (at) => obsolete.has(back.targets[at]!));
        if (back !== edges) this.forget(other);
      }
    }
    for (const slot of obsolete) {
      if (this.kinds[slot] === PASSAGE) this.countPassage(this.domains[slot]!, -1);
      for (let entity = this.firstEntity[slot]!; entity >= 0; entity = this.nextEntity[entity]!) {
        this.nodeOfEntity[entity] = -1;
      }
      this.nodes.release(slot);
    }
  }

  setEntityNode(key: number, node: number | null): void {
    const known = this.entityNodes.find(key);
    if (node === null) {
      if (known >= 0) this.removeEntity(known);
      return;
    }
    const entity = known >= 0 ? known : this.entityNodes.take(key);
    if (known < 0) {
      this.reserveEntities(entity + 1);
      this.nodeOfEntity[entity] = -1;
    }
    this.leaveNode(entity);
    const slot = this.nodes.find(node);
    this.nodeOfEntity[entity] = slot;
    if (slot >= 0) {
      this.nextEntity[entity] = this.firstEntity[slot]!;
      this.firstEntity[slot] = entity;
    }
    this.forget(entity);
  }

  /** Forgets an entity's counts, which are no longer known. */
  forget(entity: number): void {
    this.documentFrequencies[entity] = -1;
    this.strengths[entity] = -1;
  }

  /** Returns the nodes that are about an entity now: those of that title, else up to three passages with that alias. */
  aboutOf(entity: number): number[] {
    return this.listAbout(entity, Number.POSITIVE_INFINITY) ?? [];
  }

  /** Returns whether a node is about an entity now. */
  isAbout(slot: number, entity: number): boolean {
    const at = this.about.find(slot, entity);
    if (at < 0) return false;
    return this.about.values[at] === 0 || this.listAbout(entity, MAX_ALIASES)?.includes(slot) === true;
  }

  /** Returns the nodes that mentions of an entity link to: none where too many are about it. */
  linkTargets(entity: number): number[] {
    return this.listAbout(entity, MAX_ABOUT) ?? [];
  }

  /** Returns the same as `aboutOf`; null, without reading the rest, where there are more than `most`. */
  private listAbout(entity: number, most: number): number[] | null {
    const { aboutBy } = this;
    const titles: number[] = [];
    const aliases: number[] = [];
    const end = aboutBy.end(entity);
    for (let at = aboutBy.start(entity); at < end; at += 1) {
      if (aboutBy.values[at] !== 1) titles.push(aboutBy.targets[at]!);
      else if (aliases.length <= MAX_ALIASES) aliases.push(aboutBy.targets[at]!);
      if (titles.length > most) return null;
    }
    if (titles.length > 0) return titles;
    return aliases.length <= MAX_ALIASES ? aliases : [];
  }

  /** Counts the passages that mention an entity or are about it. */
  documentFrequency(entity: number): number {
    if (this.documentFrequencies[entity]! < 0) this.measure(entity);
    return this.documentFrequencies[entity]!;
  }

  /** Returns the sum of the mention weights of an entity's passages; 0 where it connects nothing. */
  strength(entity: number): number {
    if (this.strengths[entity]! < 0) this.measure(entity);
    return this.strengths[entity]!;
  }

  private measure(entity: number): void {
    const { mentioned } = this;
    let frequency = mentioned.count(entity);
    let strength = 0;
    const end = mentioned.end(entity);
    for (let at = mentioned.start(entity); at < end; at += 1) strength += mentionWeight(mentioned.values[at]!, false);
    for (const slot of this.aboutOf(entity)) {
      if (this.kinds[slot] !== PASSAGE) continue;
      const at = this.mentions.find(slot, entity);
      if (at >= 0) strength += mentionWeight(this.mentions.values[at]!, false);
      else {
        frequency += 1;
        strength += mentionWeight(1, true);
      }
    }
    this.documentFrequencies[entity] = frequency;
    this.strengths[entity] = frequency >= MIN_DOCUMENT_FREQUENCY ? strength : 0;
  }

  private removeEntity(entity: number): void {
    for (const [from, back] of [
      [this.mentioned, this.mentions],
      [this.aboutBy, this.about],
    ] as const) {
      for (let at = from.start(entity); at < from.end(entity); at += 1) {
        back.remove(from.targets[at]!, (other) => back.targets[other] === entity);
      }
      from.clear(entity);
    }
    this.leaveNode(entity);
    this.entityNodes.release(entity);
  }

  /** Takes an entity from those that its node stands for. */
  private leaveNode(entity: number): void {
    const slot = this.nodeOfEntity[entity]!;
    if (slot < 0) return;
    let before = -1;
    for (let at = this.firstEntity[slot]!; at >= 0 && at !== entity; at = this.nextEntity[at]!) before = at;
    const next = this.nextEntity[entity]!;
    if (before < 0) this.firstEntity[slot] = next;
    else this.nextEntity[before] = next;
    this.nodeOfEntity[entity] = -1;
  }

  private countPassage(domain: number, step: number): void {
    this.passages.set(domain, (this.passages.get(domain) ?? 0) + step);
  }

  private reserveNodes(count: number): void {
    if (count <= this.kinds.length) return;
    const size = Math.ceil(count * 1.5);
    this.domains = grown(this.domains, size);
    this.kinds = grown(this.kinds, size);
    this.hashes = grown(this.hashes, size);
    this.firstEntity = grown(this.firstEntity, size);
  }

  private reserveEntities(count: number): void {
    if (count <= this.nodeOfEntity.length) return;
    const size = Math.ceil(count * 1.5);
    this.nodeOfEntity = grown(this.nodeOfEntity, size);
    this.nextEntity = grown(this.nextEntity, size);
    this.documentFrequencies = grown(this.documentFrequencies, size);
    this.strengths = grown(this.strengths, size);
  }
}
