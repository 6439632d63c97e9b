import { createHash } from 'node:crypto';
import { SvcError } from '../../../core/errors.js';
import { int, type Neo4jConnection } from '../../neo4j-connection.js';
import { compare } from '../asserted.js';
import type { PprOptions, PprSeed } from '../port.js';
import { scaled } from '../ppr.js';
import { bySample } from '../sample.js';
import {
  DEFAULT_DAMPING,
  DEFAULT_ITERATIONS,
  DEFAULT_LIMIT,
  DEFAULT_TOLERANCE,
  LINK_WEIGHT,
  MAX_ABOUT,
} from '../weights.js';
import type { Reader } from './reader.js';

/** All weights of a projection are those of `weights.ts`, written out for the server. */
const PROJECT = `CALL () {
    MATCH (k:Key)-[:STANDS_FOR]->(h:Node) WHERE k.kdf >= 2
    MATCH (d:Domain {name: k.domain})
    WITH k, h, log(1.0 + toFloat(d.passages) / k.kdf) / log(1.0 + d.passages) AS rarity
    CALL (k) {
      MATCH (p:Passage)-[m:MENTIONS]->(k)
      RETURN p, (1.0 + log(m.tf)) * CASE WHEN EXISTS { (p)-[a:ABOUT]->(k) WHERE k.targets > 0
        AND a.alias = (k.titles = 0) } THEN 2.0 ELSE 1.0 END AS times
      UNION ALL
      MATCH (p:Passage)-[a:ABOUT]->(k) WHERE k.targets > 0 AND a.alias = (k.titles = 0)
        AND NOT EXISTS { (p)-[:MENTIONS]->(k) }
      RETURN p, 2.0 AS times
    }
    WITH h, p, rarity * times AS weight WHERE h <> p AND weight > 0
    RETURN h AS a, p AS b, weight
    UNION ALL
    MATCH (p:Passage)-[:MENTIONS]->(k:Key) WHERE k.targets > 0 AND k.targets <= ${MAX_ABOUT}
    MATCH (x:Node)-[r:ABOUT]->(k) WHERE r.alias = (k.titles = 0) AND x <> p
    RETURN p AS a, x AS b, ${LINK_WEIGHT}.0 / k.targets AS weight
    UNION ALL
    MATCH (a:Node)-[r]->(b:Node) WHERE r.id IS NOT NULL AND a <> b
    WITH a, b, r.confidence * coalesce($factors[r.id], 1.0) AS weight WHERE weight > 0
    RETURN a, b, weight
    UNION ALL
    MATCH (n:Node) RETURN n AS a, null AS b, 0.0 AS weight
  }
  RETURN gds.graph.project($name, a, b,
    {relationshipProperties: CASE WHEN b IS NULL THEN null ELSE {weight: weight} END},
    {undirectedRelationshipTypes: ['*']}) AS graph`;

const STREAM = `UNWIND $groups AS seeds MATCH (n:Node) WHERE n.id IN seeds.ids
  WITH seeds, collect(n) AS nodes
  CALL gds.pageRank.stream($name, {sourceNodes: nodes, dampingFactor: $damping, maxIterations: $iterations,
    tolerance: $tolerance, relationshipWeightProperty: 'weight'}) YIELD nodeId, score
  WITH nodeId, sum(score * seeds.weight) AS score WHERE score > 0
  ORDER BY score DESC LIMIT $limit
  RETURN {id: gds.util.asNode(nodeId).id, score: score} AS row`;

/** A graph at one of its versions. */
export interface Moment {
  /** Tells a graph from another that was in the database before it. */
  readonly identity: string;
  readonly version: number;
}

/** A projection of the whole graph as of one version, with the edge factors of one moment. */
export interface Projection {
  readonly name: string;
  readonly version: number;
}

/**
 * Named projections. A name says what is in it (graph version and edge factors), so that replicas share one instead of
 * fighting over it.
 */
export class Gds {
  constructor(
    private readonly connection: Neo4jConnection,
    private readonly reader: Reader,
  ) {}

  /** Name of the projection with this content. */
  name({ identity, version }: Moment, factors: ReadonlyMap<string, number>): string {
    const listed = [...factors].filter(([, factor]) => factor !== 1).sort((a, b) => compare(a[0], b[0]));
    const hash = createHash('sha256').update(JSON.stringify(listed)).digest('hex').slice(0, 8);
    return `svc-${version}-${listed.length === 0 ? '0' : hash}-${identity}`;
  }

  /** Names and versions of all projections of ours that are there. */
  async list(): Promise<Projection[]> {
    const rows = await this.connection.read<{ name: string }>(
      "CALL gds.graph.list() YIELD graphName, database WHERE graphName STARTS WITH 'svc-' AND database = $database RETURN graphName AS name",
      { database: this.connection.database },
    );
    return rows.map(({ name }) => ({ name, version: Number(name.split('-')[1]) }));
  }

  /** Makes a projection unless another replica has made it; then drops older ones. */
  async project(moment: Moment, factors: ReadonlyMap<string, number>): Promise<Projection> {
    const { version, identity } = moment;
    const name = this.name(moment, factors);
    const known = await this.list();
    if (!known.some((one) => one.name === name)) {
      try {
        await this.connection.read(PROJECT, { name, factors: Object.fromEntries(factors) }, { timeout: 600_000 });
      } catch (error) {
        if (!(await this.list()).some((one) => one.name === name)) throw error;
      }
    }
    for (const old of known.filter((one) => one.version < version - 1 || !one.name.endsWith(identity)))
      await this.drop(old.name);
    return { name, version };
  }

  async drop(name: string): Promise<void> {
    await this.connection.read('CALL gds.graph.drop($name, false) YIELD graphName RETURN graphName', { name });
  }

  /**
   * PageRank on a projection. GDS knows no weights of seeds before 2.17, and loses what reaches nodes without arcs: runs
   * for groups of seeds of one weight are added up (it is linear), and scaling to the best node sends lost mass back to
   * the seeds.
   */
  async pagerank(projection: Projection, seeds: readonly PprSeed[], options: PprOptions): Promise<Map<string, number>> {
    const limit = options.limit ?? DEFAULT_LIMIT;
    const exact = options.epsilon === 0;
    const rows = await this.reader.rows<{ id: string; score: number }>(STREAM, {
      name: projection.name,
      groups: seedGroups(seeds, exact),
      damping: options.damping ?? DEFAULT_DAMPING,
      iterations: int(options.maxIterations ?? DEFAULT_ITERATIONS),
      tolerance: exact ? (options.tolerance ?? DEFAULT_TOLERANCE) / 1000 : 1e-7,
      // A few more: scaling may make equal what lies close together.
      limit: int(Math.min(Number.MAX_SAFE_INTEGER, limit + 50)),
    });
    const highest = Math.max(0, ...rows.map((row) => row.score));
    const all = rows.map(({ id, score }) => [id, scaled(score, highest)] as const).filter(([, score]) => score > 0);
    const kept = all.sort((a, b) => b[1] - a[1] || bySample(a[0], b[0])).slice(0, limit);
    return new Map(kept.sort((a, b) => b[1] - a[1] || compare(a[0], b[0])));
  }
}

/** Binary digits of a weight, relative to the heaviest seed: an error under a thousandth. */
const DIGITS = 10;

/**
 * Seeds as groups of one weight each. Where there are more weights than digits, a weight is the sum of its binary digits,
 * and a group holds the seeds that have that digit: never more than ten groups, however many seeds.
 */
export function seedGroups(
  seeds: readonly PprSeed[],
  exact: boolean,
): Array<{ readonly weight: number; readonly ids: readonly string[] }> {
  const weights = new Map<string, number>();
  for (const { id, weight } of seeds) if (weight > 0) weights.set(id, (weights.get(id) ?? 0) + weight);
  const groups = new Map<number, string[]>();
  const add = (weight: number, id: string): void => {
    const ids = groups.get(weight);
    if (ids === undefined) groups.set(weight, [id]);
    else ids.push(id);
  };
  if (exact || new Set(weights.values()).size <= DIGITS) {
    for (const [id, weight] of weights) add(weight, id);
  } else {
    const steps = 2 ** DIGITS - 1;
    const highest = Math.max(...weights.values());
    for (const [id, weight] of weights) {
      const level = Math.max(1, Math.round((weight / highest) * steps));
      for (let digit = 0; digit < DIGITS; digit += 1) {
        if ((level >> digit) & 1) add((highest * 2 ** digit) / steps, id);
      }
    }
  }
  return [...groups].map(([weight, ids]) => ({ weight, ids }));
}

export function noGds(): SvcError {
  return new SvcError(
    'unavailable',
    'SVC_PPR=gds needs the Graph Data Science library and this Neo4j has none (or hides it): install the plugin and set dbms.security.procedures.unrestricted=gds.*, or set SVC_PPR=local.',
  );
}
