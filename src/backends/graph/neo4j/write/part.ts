import { MAX_ABOUT } from '../../../../ledger/key-limits.js';
import { compare } from '../../../../ledger/manifest/asserted.js';
import { int } from '../../../neo4j-connection.js';
import type { Arcs, WeightedGraph } from '../../ppr.js';
import { entityWeight, LINK_WEIGHT, mentionWeight } from '../../weights.js';
import { LINKING } from '../read/read-keys.js';
import type { Reader } from '../read/reader.js';

/** A key with all that hangs on it. */
interface Star {
  readonly uid: string;
  /** Passages of the key's domain. */
  readonly passages: number;
  readonly kdf: number;
  readonly node: string;
  readonly targets: number;
  /** Nodes about it, where they are few enough for links. */
  readonly about: readonly string[];
  /** Passages that are about it without mentioning it. */
  readonly silent: readonly string[];
  /** How many passages mention it, and at most so many of them. */
  readonly mentions: number;
  readonly listed: ReadonlyArray<readonly [id: string, tf: number, titled: boolean]>;
}

/** What one node has to do with a key. */
interface Role {
  readonly uid: string;
  readonly tf: number;
  readonly about: boolean;
  readonly stands: boolean;
}

interface Opened {
  readonly id: string;
  readonly passage: boolean;
  readonly roles: readonly Role[];
  /** Ids only where factors ask for them. */
  readonly edges: ReadonlyArray<readonly [id: string | null, other: string, confidence: number]>;
  /** Sum of the confidences of the typed edges that were left out. */
  readonly more: number;
}

const TOUCHED = `CALL (n) {
    MATCH (n)-[:MENTIONS|ABOUT]->(k:Key) RETURN k
    UNION
    MATCH (n)<-[:STANDS_FOR]-(k:Key) RETURN k
  }
  WITH DISTINCT n, k WHERE k.node IS NOT NULL`;

const UID = "k.domain + ':' + k.key";

const OPEN = `UNWIND $p.ids AS id MATCH (n:Node {id: id})
  CALL (n) {
    ${TOUCHED}
    OPTIONAL MATCH (n)-[m:MENTIONS]->(k)
    RETURN collect({uid: ${UID}, tf: coalesce(m.tf, 0), stands: k.node = n.id,
      about: EXISTS { (n)-[a:ABOUT]->(k) WHERE k.targets > 0 AND a.alias = (k.titles = 0) }}) AS roles
  }
  CALL (n) {
    MATCH (n)-[r]-(o:Node) WHERE o <> n
    WITH r, o ORDER BY r.confidence DESC, o.hash
    WITH collect([CASE WHEN $p.factored THEN r.id END, o.id, r.confidence]) AS all
    RETURN all[..$p.cap] AS edges, reduce(sum = 0.0, e IN all[$p.cap..] | sum + e[2]) AS more
  }
  RETURN {id: n.id, passage: n:Passage, roles: roles, edges: edges, more: more} AS row`;

const STARS = `UNWIND $p.ids AS id MATCH (n:Node {id: id}) ${TOUCHED} WITH DISTINCT k
  MATCH (d:Domain {name: k.domain})
  CALL (k) {
    MATCH (k)<-[m:MENTIONS]-(p:Passage)
    WITH k, m, p ORDER BY p.hash LIMIT $p.cap
    RETURN collect([p.id, m.tf,
      EXISTS { (p)-[a:ABOUT]->(k) WHERE k.targets > 0 AND a.alias = (k.titles = 0) }]) AS listed
  }
  CALL (k) {
    MATCH (x:Passage)-[a:ABOUT]->(k) WHERE k.targets > 0 AND a.alias = (k.titles = 0)
      AND NOT EXISTS { (x)-[:MENTIONS]->(k) }
    WITH x LIMIT $p.cap RETURN collect(x.id) AS silent
  }
  RETURN {uid: ${UID}, passages: d.passages, kdf: k.kdf, node: k.node, targets: k.targets, mentions: k.mentions,
    about: [(x:Node)-[a:ABOUT]->(k) WHERE ${LINKING} | x.id], silent: silent, listed: listed} AS row`;

/**
 * A part of the graph as PageRank walks it, opened node by node: an opened node knows its degree and its arcs, others are
 * only ends. Long lists are cut at `cap`; the degree counts what was left out.
 */
export class Part implements WeightedGraph {
  private readonly numbers = new Map<string, number>();
  readonly ids: string[] = [];
  private readonly opened = new Map<number, Opened>();
  private readonly stars = new Map<string, Star>();
  private readonly degrees = new Map<number, number>();

  constructor(
    private readonly reader: Reader,
    private readonly cap: number,
    private readonly factors: ReadonlyMap<string, number>,
  ) {}

  get size(): number {
    return this.ids.length;
  }

  /** Reads what lies around these nodes; answers those of them that exist. */
  async open(ids: readonly string[]): Promise<string[]> {
    const params = { ids, cap: int(this.cap), factored: this.factors.size > 0 };
    const [nodes, stars] = await Promise.all([
      this.reader.ask<Opened>(OPEN, params),
      this.reader.ask<Star>(STARS, params),
    ]);
    // In an order of their own: sums of the same numbers in another order differ in their last digits.
    stars.sort((a, b) => compare(a.uid, b.uid));
    nodes.sort((a, b) => compare(a.id, b.id));
    for (const found of stars) {
      const star = { ...found, about: [...found.about].sort(compare), silent: [...found.silent].sort(compare) };
      this.stars.set(star.uid, star);
      for (const id of [star.node, ...star.about, ...star.silent]) this.number(id);
      for (const [id] of star.listed) this.number(id);
    }
    for (const node of nodes) {
      const roles = [...node.roles].sort((a, b) => compare(a.uid, b.uid));
      this.opened.set(this.number(node.id), { ...node, roles });
      for (const [, other] of node.edges) this.number(other);
    }
    return nodes.map((node) => node.id);
  }

  /** Number of a node that was seen. */
  number(id: string): number {
    let number = this.numbers.get(id);
    if (number === undefined) {
      number = this.ids.length;
      this.numbers.set(id, number);
      this.ids.push(id);
    }
    return number;
  }

  isOpen(node: number): boolean {
    return this.opened.has(node);
  }

  /** Nodes that were seen but not opened. */
  closed(): string[] {
    return this.ids.filter((_, number) => !this.opened.has(number));
  }

  degree(node: number): number {
    const known = this.degrees.get(node);
    if (known !== undefined) return known;
    const opened = this.opened.get(node);
    // Nothing can be said about what lies behind: mass that arrives stays.
    const degree = opened === undefined ? Number.POSITIVE_INFINITY : this.degreeOf(opened);
    if (opened !== undefined) this.degrees.set(node, degree);
    return degree;
  }

  arcs(node: number, into: Arcs): void {
    const opened = this.opened.get(node);
    if (opened === undefined) return;
    const { id, passage } = opened;
    const add = (other: string, weight: number): void => {
      if (other !== id && weight > 0) into.push(this.number(other), weight);
    };
    for (const role of opened.roles) {
      const star = this.stars.get(role.uid);
      if (star === undefined) continue;
      const weight = entityWeight(star.kdf, star.passages);
      if (role.stands) {
        for (const [other, tf, titled] of star.listed) add(other, weight * mentionWeight(tf, titled));
        for (const other of star.silent) add(other, weight * mentionWeight(1, true));
      }
      if (passage && (role.tf > 0 || role.about)) {
        add(star.node, weight * mentionWeight(Math.max(1, role.tf), role.about));
      }
      if (star.targets > MAX_ABOUT) continue;
      if (role.tf > 0) for (const other of star.about) add(other, LINK_WEIGHT / star.targets);
      if (role.about) for (const [other] of star.listed) add(other, LINK_WEIGHT / star.targets);
    }
    for (const [edge, other, confidence] of opened.edges) add(other, this.edgeWeight(edge, confidence));
  }

  private edgeWeight(edge: string | null, confidence: number): number {
    return edge === null ? confidence : confidence * (this.factors.get(edge) ?? 1);
  }

  private degreeOf({ id, passage, roles, edges, more }: Opened): number {
    let total = more;
    for (const [edge, , confidence] of edges) total += Math.max(0, this.edgeWeight(edge, confidence));
    for (const role of roles) {
      const star = this.stars.get(role.uid);
      if (star === undefined) continue;
      const weight = entityWeight(star.kdf, star.passages);
      if (role.stands) {
        let sum = 0;
        for (const [, tf, titled] of star.listed) sum += mentionWeight(tf, titled);
        if (star.listed.length > 0) sum *= star.mentions / star.listed.length;
        total += weight * (sum + star.silent.length * mentionWeight(1, true));
      }
      if (passage && (role.tf > 0 || role.about) && star.node !== id) {
        total += weight * mentionWeight(Math.max(1, role.tf), role.about);
      }
      if (star.targets > MAX_ABOUT || star.targets === 0) continue;
      if (role.tf > 0) total += (LINK_WEIGHT * (star.targets - (role.about ? 1 : 0))) / star.targets;
      if (role.about) total += (LINK_WEIGHT * (star.mentions - (role.tf > 0 ? 1 : 0))) / star.targets;
    }
    return total;
  }
}
