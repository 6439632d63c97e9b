import { PASSAGE } from '../../../ledger/tables.js';
import type { Arcs, WeightedGraph } from '../ppr.js';
import { entityWeight, LINK_WEIGHT, mentionWeight } from '../weights.js';
import { grown } from './adjacency.js';
import type { Topology } from './topology.js';

/** The topology as PageRank walks it: links made from mentions and about-arcs, weights from counts and factors. */
export class Walk implements WeightedGraph {
  private degrees = new Float64Array(0);
  private stamps = new Int32Array(0);
  private stamp = 0;
  private epoch = -1;
  private factors: ReadonlyMap<number, number> = new Map();

  constructor(private readonly topology: Topology) {}

  get size(): number {
    return this.topology.nodes.size;
  }

  /** Takes the factors of edges (by row number) and drops what is out of date. Call it before each use. */
  prepare(factors: ReadonlyMap<number, number>): this {
    if (this.degrees.length < this.size) {
      this.degrees = grown(this.degrees, Math.ceil(this.size * 1.25));
      this.stamps = grown(this.stamps, Math.ceil(this.size * 1.25));
    }
    if (this.epoch !== this.topology.epoch || this.factors !== factors) this.stamp += 1;
    this.epoch = this.topology.epoch;
    this.factors = factors;
    return this;
  }

  /** Returns whether it was prepared for these factors. */
  goesBy(factors: ReadonlyMap<number, number>): boolean {
    return this.factors === factors;
  }

  degree(node: number): number {
    if (this.stamps[node] !== this.stamp) {
      this.degrees[node] = this.sum(node);
      this.stamps[node] = this.stamp;
    }
    return this.degrees[node]!;
  }

  arcs(node: number, into: Arcs): void {
    const { topology } = this;
    for (let entity = topology.firstEntity[node]!; entity >= 0; entity = topology.nextEntity[entity]!) {
      this.entityArcs(node, entity, into);
    }
    if (topology.kinds[node] === PASSAGE) this.passageArcs(node, into);
    this.linksIn(node, into);
    const { edges } = topology;
    const end = edges.end(node);
    for (let at = edges.start(node); at < end; at += 1) {
      if (edges.targets[at] === node) continue;
      const weight = this.edgeWeight(at);
      if (weight > 0) into.push(edges.targets[at]!, weight);
    }
  }

  edgeWeight(at: number): number {
    const { edges } = this.topology;
    const weight = edges.values[at]!;
    return this.factors.size === 0 ? weight : weight * (this.factors.get(edges.refs[at]!) ?? 1);
  }

  /** Adds the arcs from the node that stands for a key to the passages that mention it or are about it. */
  private entityArcs(node: number, entity: number, into: Arcs): void {
    const { topology } = this;
    const weight = this.weightOf(node, entity);
    if (weight === 0) return;
    const { mentioned, mentions } = topology;
    const about = topology.aboutOf(entity);
    const titled = new Set(about);
    const end = mentioned.end(entity);
    for (let at = mentioned.start(entity); at < end; at += 1) {
      const passage = mentioned.targets[at]!;
      into.push(passage, weight * mentionWeight(mentioned.values[at]!, titled.has(passage)));
    }
    for (const passage of about) {
      if (topology.kinds[passage] !== PASSAGE || mentions.find(passage, entity) >= 0) continue;
      into.push(passage, weight * mentionWeight(1, true));
    }
  }

  /** Adds the arcs from a passage to the entities it mentions or is about, and along its links. */
  private passageArcs(node: number, into: Arcs): void {
    const { topology } = this;
    const { mentions, about } = topology;
    for (let at = mentions.start(node); at < mentions.end(node); at += 1) {
      const entity = mentions.targets[at]!;
      const targets = topology.linkTargets(entity);
      const weight = this.weightOf(node, entity);
      if (weight > 0)
        into.push(
          topology.nodeOfEntity[entity]!,
          weight * mentionWeight(mentions.values[at]!, topology.isAbout(node, entity)),
        );
      for (const target of targets) if (target !== node) into.push(target, LINK_WEIGHT / targets.length);
    }
    for (let at = about.start(node); at < about.end(node); at += 1) {
      const entity = about.targets[at]!;
      if (mentions.find(node, entity) >= 0 || !topology.isAbout(node, entity)) continue;
      const weight = this.weightOf(node, entity);
      if (weight > 0) into.push(topology.nodeOfEntity[entity]!, weight * mentionWeight(1, true));
    }
  }

  /** Adds the arcs from a node back along the links that arrive at it. */
  private linksIn(node: number, into: Arcs): void {
    const { about, mentioned } = this.topology;
    for (let at = about.start(node); at < about.end(node); at += 1) {
      const entity = about.targets[at]!;
      const weight = this.linkIn(node, entity);
      if (weight === 0) continue;
      const end = mentioned.end(entity);
      for (let i = mentioned.start(entity); i < end; i += 1) {
        if (mentioned.targets[i] !== node) into.push(mentioned.targets[i]!, weight);
      }
    }
  }

  private linkIn(node: number, entity: number): number {
    const targets = this.topology.linkTargets(entity);
    return targets.includes(node) ? LINK_WEIGHT / targets.length : 0;
  }

  private weightOf(node: number, entity: number): number {
    const { topology } = this;
    if (topology.nodeOfEntity[entity]! < 0) return 0;
    return entityWeight(topology.documentFrequency(entity), topology.passages.get(topology.domains[node]!) ?? 0);
  }

  /** Returns the degree without walking an entity's passages: their weights are summed once per change. */
  private sum(node: number): number {
    const { topology } = this;
    const { mentions, mentioned, about, edges } = topology;
    let total = 0;
    for (let own = topology.firstEntity[node]!; own >= 0; own = topology.nextEntity[own]!) {
      total += this.weightOf(node, own) * topology.strength(own);
    }
    if (topology.kinds[node] === PASSAGE) total += this.passageSum(node);
    for (let at = about.start(node); at < about.end(node); at += 1) {
      const entity = about.targets[at]!;
      const weight = this.linkIn(node, entity);
      if (weight > 0) total += weight * (mentioned.count(entity) - (mentions.find(node, entity) >= 0 ? 1 : 0));
    }
    const end = edges.end(node);
    for (let at = edges.start(node); at < end; at += 1) {
      if (edges.targets[at] !== node) total += Math.max(0, this.edgeWeight(at));
    }
    return total;
  }

  private passageSum(node: number): number {
    const { topology } = this;
    const { mentions, about } = topology;
    let total = 0;
    for (let at = mentions.start(node); at < mentions.end(node); at += 1) {
      const entity = mentions.targets[at]!;
      const targets = topology.linkTargets(entity);
      const self = topology.isAbout(node, entity);
      total += this.weightOf(node, entity) * mentionWeight(mentions.values[at]!, self);
      if (targets.length > 0) {
        total += (LINK_WEIGHT * (targets.length - (self ? 1 : 0))) / targets.length;
      }
    }
    for (let at = about.start(node); at < about.end(node); at += 1) {
      const entity = about.targets[at]!;
      if (mentions.find(node, entity) < 0 && topology.isAbout(node, entity))
        total += this.weightOf(node, entity) * mentionWeight(1, true);
    }
    return total;
  }
}
