import { MAX_ABOUT } from '../../../../ledger/key-limits.js';
import { int } from '../../../neo4j-connection.js';
import type { EdgeFactors } from '../../engine.js';
import { Arcs, type WeightedGraph } from '../../ppr.js';
import { entityWeight, LINK_WEIGHT, mentionWeight } from '../../weights.js';
import { ints } from '../follow/rows.js';
import { IS_ABOUT, LINKING } from '../query/expand.js';
import type { Reader } from '../query/reader.js';

/** A key with all that hangs on it. */
interface Star {
  readonly ref: number;
  /** Passages of the key's domain. */
  readonly passages: number;
  readonly document_frequency: number;
  readonly node: number;
  readonly targets: number;
  /** Nodes about it, where they are few enough for links. */
  readonly about: readonly number[];
  /** Passages that are about it without mentioning it. */
  readonly silent: readonly number[];
  /** How many passages mention it, and some of them. */
  readonly mentions: number;
  readonly listed: ReadonlyArray<readonly [ref: number, times: number, titled: boolean]>;
}

/** What one node has to do with a key. */
interface Role {
  readonly key: number;
  readonly times: number;
  readonly about: boolean;
  readonly stands: boolean;
}

interface Opened {
  readonly ref: number;
  readonly hash: number;
  readonly passage: boolean;
  readonly roles: readonly Role[];
  readonly edges: ReadonlyArray<readonly [other: number, weight: number, hash: number, relationships: number]>;
  /** Sum of the weights of the typed edges that were left out. */
  readonly more: number;
}

const TOUCHED = `CALL (n) {
    MATCH (n)-[:MENTIONS|ABOUT|ALIAS]->(k:Key) RETURN k
    UNION
    MATCH (n)<-[:STANDS_FOR]-(k:Key) RETURN k
  }
  WITH DISTINCT n, k`;

/** Returns the statement that opens nodes. `factored` reads the numbers of edges, which only factors need. */
const openOf = (factored: boolean): string => `UNWIND $p.refs AS ref MATCH (n:Node {ref: ref})
  CALL (n) {
    ${TOUCHED}
    OPTIONAL MATCH (n)-[m:MENTIONS]->(k)
    RETURN collect({key: k.ref, times: coalesce(m.times, 0), stands: k.node = n.ref,
      about: EXISTS { MATCH (n)-[a:ABOUT|ALIAS]->(k) WHERE ${IS_ABOUT} }}) AS roles
  }
  CALL (n) {
    MATCH (n)-[r]-(o:Node) WHERE o <> n
    WITH o, ${factored ? 'r.confidence * coalesce($p.factors[toString(r.ref)], 1.0)' : 'r.confidence'} AS weight
    ORDER BY weight DESC, o.hash
    WITH collect([o, weight]) AS all
    CALL (all) {
      UNWIND all[..$p.cap] AS e WITH e[0] AS o, e[1] AS weight
      RETURN collect([o.ref, weight, o.hash, COUNT { (o)--() }]) AS edges
    }
    RETURN edges, reduce(sum = 0.0, e IN all[$p.cap..] | sum + e[1]) AS more
  }
  RETURN {ref: n.ref, hash: n.hash, passage: n:Passage, roles: roles, edges: edges, more: more} AS row`;
const OPEN = { unweighted: openOf(false), factored: openOf(true) };

const STARS = `UNWIND $p.refs AS ref MATCH (n:Node {ref: ref}) ${TOUCHED} WITH DISTINCT k
  MATCH (d:Domain {ref: k.domain_ref})
  CALL (k) {
    MATCH (k)<-[m:MENTIONS]-(p:Passage)
    WITH k, m, p ORDER BY p.hash LIMIT $p.cap
    RETURN collect([p.ref, m.times, EXISTS { MATCH (p)-[a:ABOUT|ALIAS]->(k) WHERE ${IS_ABOUT} }]) AS listed
  }
  CALL (k) {
    MATCH (x:Passage)-[a:ABOUT|ALIAS]->(k) WHERE ${IS_ABOUT} AND NOT EXISTS { (x)-[:MENTIONS]->(k) }
    WITH x LIMIT $p.cap RETURN collect(x.ref) AS silent
  }
  RETURN {ref: k.ref, passages: COUNT { (d)<-[:IN_DOMAIN]-() }, document_frequency: k.document_frequency, node: k.node,
    targets: k.targets, mentions: k.mentions,
    about: [(x:Node)-[a:ABOUT|ALIAS]->(k) WHERE ${LINKING} | x.ref], silent: silent, listed: listed} AS row`;

/** What is known of a node that was not opened: the arcs over which it was seen. */
interface SeenNode {
  readonly arcs: Arcs;
  degree: number;
}

/**
 * A part of the graph as PageRank walks it, opened node by node. An opened node knows its degree and its arcs; of the
 * others the arcs to opened nodes are known and their degree is estimated from the number of their relationships, so
 * that mass which arrives there comes back in about the right proportion. Long lists are cut at `cap`; the degree counts
 * what was left out.
 */
export class Part implements WeightedGraph {
  private readonly numbers = new Map<number, number>();
  readonly refs: number[] = [];
  private readonly hashes: number[] = [];
  private readonly relationships: number[] = [];
  private readonly opened = new Map<number, Opened>();
  private readonly stars = new Map<number, Star>();
  private readonly degrees = new Map<number, number>();
  private seen: Map<number, SeenNode> | null = null;

  constructor(
    private readonly reader: Reader,
    private readonly cap: number,
    private readonly factors: EdgeFactors,
  ) {}

  get size(): number {
    return this.refs.length;
  }

  /** Reads what lies around these nodes; returns those of them that exist. */
  async open(refs: readonly number[]): Promise<number[]> {
    const params = { refs: ints(refs), cap: int(this.cap) };
    const factored = this.factors.size > 0;
    const [nodes, stars] = await Promise.all([
      factored
        ? this.reader.ask<Opened>(OPEN.factored, { ...params, factors: Object.fromEntries(this.factors) })
        : this.reader.ask<Opened>(OPEN.unweighted, params),
      this.reader.ask<Star>(STARS, params),
    ]);
    this.seen = null;
    // In an order of their own: sums of the same numbers in another order differ in their last digits.
    stars.sort((a, b) => a.ref - b.ref);
    nodes.sort((a, b) => a.ref - b.ref);
    for (const found of stars) {
      const star = { ...found, about: [...found.about].sort(ascending), silent: [...found.silent].sort(ascending) };
      this.stars.set(star.ref, star);
      for (const ref of [star.node, ...star.about, ...star.silent]) this.number(ref);
      for (const [ref] of star.listed) this.number(ref);
    }
    for (const node of nodes) {
      const roles = [...node.roles].sort((a, b) => a.key - b.key);
      const number = this.number(node.ref);
      this.opened.set(number, { ...node, roles });
      this.hashes[number] = node.hash;
      for (const [other, , hash, relationships] of node.edges) {
        const at = this.number(other);
        this.hashes[at] = hash;
        this.relationships[at] = relationships;
      }
    }
    return nodes.map((node) => node.ref);
  }

  /** Returns the number within the part of a node that was seen. */
  number(ref: number): number {
    let number = this.numbers.get(ref);
    if (number === undefined) {
      number = this.refs.length;
      this.numbers.set(ref, number);
      this.refs.push(ref);
    }
    return number;
  }

  /** Returns the sample order where it is known, else the order of numbers: which of equal ones are kept. */
  order(node: number): number {
    return this.hashes[node] ?? this.refs[node]!;
  }

  isOpen(node: number): boolean {
    return this.opened.has(node);
  }

  /** Returns the nodes that were seen but not opened. */
  closed(): number[] {
    return this.refs.filter((_, number) => !this.opened.has(number));
  }

  degree(node: number): number {
    const opened = this.opened.get(node);
    // Nothing is known about what lies behind a node without arcs to opened ones: mass that arrives stays.
    if (opened === undefined) return this.seenFrom().get(node)?.degree ?? Number.POSITIVE_INFINITY;
    let degree = this.degrees.get(node);
    if (degree === undefined) {
      degree = this.degreeOf(opened);
      this.degrees.set(node, degree);
    }
    return degree;
  }

  arcs(node: number, into: Arcs): void {
    const opened = this.opened.get(node);
    if (opened === undefined) {
      const seen = this.seenFrom().get(node);
      if (seen === undefined) return;
      for (let i = 0; i < seen.arcs.length; i += 1) into.push(seen.arcs.targets[i]!, seen.arcs.weights[i]!);
      return;
    }
    this.arcsOf(opened, (other, weight) => into.push(this.number(other), weight));
  }

  private arcsOf({ ref, passage, roles, edges }: Opened, add: (other: number, weight: number) => void): void {
    const arc = (other: number, weight: number): void => {
      if (other !== ref && weight > 0) add(other, weight);
    };
    for (const role of roles) {
      const star = this.stars.get(role.key);
      if (star === undefined) continue;
      const weight = entityWeight(star.document_frequency, star.passages);
      if (role.stands) {
        for (const [other, times, titled] of star.listed) arc(other, weight * mentionWeight(times, titled));
        for (const other of star.silent) arc(other, weight * mentionWeight(1, true));
      }
      if (passage && (role.times > 0 || role.about)) {
        arc(star.node, weight * mentionWeight(Math.max(1, role.times), role.about));
      }
      if (star.targets > MAX_ABOUT) continue;
      if (role.times > 0) for (const other of star.about) arc(other, LINK_WEIGHT / star.targets);
      if (role.about) for (const [other] of star.listed) arc(other, LINK_WEIGHT / star.targets);
    }
    for (const [other, weight] of edges) arc(other, weight);
  }

  private degreeOf({ ref, passage, roles, edges, more }: Opened): number {
    let total = more;
    for (const [, weight] of edges) total += Math.max(0, weight);
    for (const role of roles) {
      const star = this.stars.get(role.key);
      if (star === undefined) continue;
      const weight = entityWeight(star.document_frequency, star.passages);
      if (role.stands) {
        let sum = 0;
        for (const [, times, titled] of star.listed) sum += mentionWeight(times, titled);
        if (star.listed.length > 0) sum *= star.mentions / star.listed.length;
        total += weight * (sum + star.silent.length * mentionWeight(1, true));
      }
      if (passage && (role.times > 0 || role.about) && star.node !== ref) {
        total += weight * mentionWeight(Math.max(1, role.times), role.about);
      }
      if (star.targets > MAX_ABOUT || star.targets === 0) continue;
      if (role.times > 0) total += (LINK_WEIGHT * (star.targets - (role.about ? 1 : 0))) / star.targets;
      if (role.about) total += (LINK_WEIGHT * (star.mentions - (role.times > 0 ? 1 : 0))) / star.targets;
    }
    return total;
  }

  /** Returns the arcs of nodes that were not opened, reversed from those of opened ones. */
  private seenFrom(): Map<number, SeenNode> {
    if (this.seen !== null) return this.seen;
    const seen = new Map<number, SeenNode>();
    for (const [number, opened] of this.opened) {
      this.arcsOf(opened, (other, weight) => {
        const at = this.number(other);
        if (this.opened.has(at)) return;
        let node = seen.get(at);
        if (node === undefined) {
          node = { arcs: new Arcs(4), degree: 0 };
          seen.set(at, node);
        }
        node.arcs.push(number, weight);
        node.degree += weight;
      });
    }
    for (const [at, node] of seen) {
      const mean = node.degree / node.arcs.length;
      node.degree = Math.max(node.degree, mean * (this.relationships[at] ?? 0));
    }
    this.seen = seen;
    return seen;
  }
}

function ascending(a: number, b: number): number {
  return a - b;
}
