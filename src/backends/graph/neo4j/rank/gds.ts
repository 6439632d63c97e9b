import { createHash } from 'node:crypto';
import { SvcError } from '../../../../core/errors.js';
import { fnv1a } from '../../../../core/random.js';
import { compare } from '../../../../ledger/manifest/asserted.js';
import { int, type Neo4jConnection, type Params } from '../../../neo4j-connection.js';
import type { PprOptions, PprSeed } from '../../port.js';
import { scaled } from '../../ppr.js';
import { bySample } from '../../sample.js';
import { DEFAULT_DAMPING, DEFAULT_ITERATIONS, DEFAULT_LIMIT, DEFAULT_TOLERANCE } from '../../weights.js';
import type { Reader } from '../read/reader.js';
import { MOMENT, PROJECTED, PROJECTED_AND_STREAMED, STREAM, STREAM_STALE } from './gds-statements.js';

/** A graph at one of its versions. */
export interface Moment {
  /** Tells a graph from another that was in the database before it. */
  readonly identity: string;
  readonly version: number;
}

/** A moment as the server tells it. */
export interface Told extends Moment {
  /** Concepts, edges and passages. */
  readonly elements: number;
  /** Whether a projection without factors of this moment is there. */
  readonly there: boolean;
}

/** A projection of the whole graph as of one version, with the edge factors of one moment. */
export interface Projection extends Moment {
  readonly name: string;
  /** Whether we made it, and not another replica. */
  readonly ours: boolean;
}

interface Ranked {
  readonly id: string;
  readonly score: number;
}

/** What PageRank is asked. */
export interface Asked {
  readonly seeds: readonly PprSeed[];
  readonly options: PprOptions;
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

  /** Name of the projection with this content. `h`: its nodes carry hashes. */
  name({ identity, version }: Moment, factors: ReadonlyMap<string, number> = new Map()): string {
    const listed = [...factors].filter(([, factor]) => factor !== 1).sort((a, b) => compare(a[0], b[0]));
    const hash = createHash('sha256').update(JSON.stringify(listed)).digest('hex').slice(0, 8);
    return `svc-${version}-h${listed.length === 0 ? '0' : hash}-${identity}`;
  }

  /** The graph now; goes to the server with what else is read in this turn. */
  async moment(): Promise<Told> {
    const [row] = await this.reader.ask<Told>(MOMENT);
    return row ?? { version: 0, identity: '', elements: 0, there: false };
  }

  /** Makes a projection unless it is there; drops older ones. One round trip. */
  async project(moment: Moment, factors: ReadonlyMap<string, number> = new Map()): Promise<Projection> {
    const name = this.name(moment, factors);
    try {
      const [row] = await this.connection.read<{ made: number }>(PROJECTED, this.ensuring(moment, name, factors), {
        timeout: 600_000,
      });
      return { ...momentOf(moment), name, ours: row?.made === 1 };
    } catch (error) {
      if (await this.exists(name)) return { ...momentOf(moment), name, ours: false };
      throw error;
    }
  }

  /** The same and a PageRank on it, in one round trip. */
  async projectAndRank(moment: Moment, asked: Asked): Promise<{ projection: Projection; scores: Map<string, number> }> {
    const name = this.name(moment);
    const params = { ...this.ensuring(moment, name), ...ranking(name, asked) };
    const all = { ...momentOf(moment), name };
    try {
      const [row] = await this.connection.read<{ made: number; rows: Ranked[] }>(PROJECTED_AND_STREAMED, params);
      return { projection: { ...all, ours: row?.made === 1 }, scores: scoresOf(row?.rows ?? [], asked.options) };
    } catch (error) {
      // Another replica was quicker by a moment.
      if (!(await this.exists(name))) throw error;
      const projection = { ...all, ours: false };
      return { projection, scores: await this.pagerank(projection, asked) };
    }
  }

  async drop(name: string): Promise<void> {
    await this.connection.read('CALL gds.graph.drop($name, false) YIELD graphName RETURN graphName', { name });
  }

  /**
   * PageRank on a projection of the graph's version. GDS knows no weights of seeds before 2.17, and loses what reaches
   * nodes without arcs: runs for groups of seeds of one weight are added up (it is linear), and scaling to the best node
   * sends lost mass back to the seeds.
   */
  async pagerank(projection: Projection, asked: Asked): Promise<Map<string, number>> {
    const rows = await this.reader.rows<Ranked>(ROWS, ranking(projection.name, asked));
    return scoresOf(rows, asked.options);
  }

  /**
   * The same on a projection of an earlier version; null where it is gone, or a seed is newer than it. Goes to the server
   * with what else is read in this turn.
   */
  async pagerankStale(projection: Projection, asked: Asked): Promise<Map<string, number> | null> {
    const ids = [...new Set(asked.seeds.map((seed) => seed.id))];
    const params = { ...ranking(projection.name, asked, true), ids, hashes: ids.map((id) => int(fnv1a(id))) };
    const rows = await this.reader.ask<Ranked>(AS_ROW, params);
    return rows.length === 0 ? null : scoresOf(rows, asked.options);
  }

  private ensuring(moment: Moment, name: string, factors: ReadonlyMap<string, number> = new Map()): Params {
    const { identity, version } = moment;
    const { database } = this.connection;
    return { name, identity, version: int(version), database, factors: Object.fromEntries(factors) };
  }

  private async exists(name: string): Promise<boolean> {
    const [row] = await this.connection.read<{ there: boolean }>('RETURN gds.graph.exists($name) AS there', { name });
    return row?.there === true;
  }
}

/** In the forms that the reader takes. */
const inRows = (statement: string): string =>
  statement.replace('RETURN n.id AS id, score', 'RETURN {id: n.id, score: score} AS row');
const ROWS = inRows(STREAM);
const AS_ROW = inRows(STREAM_STALE).replace(/\$(\w+)/g, '$p.$1');

function momentOf({ identity, version }: Moment): Moment {
  return { identity, version };
}

function ranking(name: string, { seeds, options }: Asked, stale = false): Params {
  const limit = options.limit ?? DEFAULT_LIMIT;
  const exact = options.epsilon === 0;
  // A few more: scaling may make equal what lies close together. Many more where some were deleted.
  const wanted = stale ? 2 * limit + 200 : limit + 50;
  return {
    name,
    groups: seedGroups(seeds, exact),
    damping: options.damping ?? DEFAULT_DAMPING,
    iterations: int(options.maxIterations ?? DEFAULT_ITERATIONS),
    tolerance: exact ? (options.tolerance ?? DEFAULT_TOLERANCE) / 1000 : 1e-7,
    limit: int(Math.min(Number.MAX_SAFE_INTEGER, wanted)),
  };
}

function scoresOf(rows: readonly Ranked[], options: PprOptions): Map<string, number> {
  const domains = options.domains === undefined || options.domains.length === 0 ? null : new Set(options.domains);
  const asked = domains === null ? rows : rows.filter(({ id }) => domains.has(id.slice(0, id.indexOf(':'))));
  const highest = Math.max(0, ...asked.map((row) => row.score));
  const all = asked.map(({ id, score }) => [id, scaled(score, highest)] as const).filter(([, score]) => score > 0);
  const kept = all.sort((a, b) => b[1] - a[1] || bySample(a[0], b[0])).slice(0, options.limit ?? DEFAULT_LIMIT);
  return new Map(kept.sort((a, b) => b[1] - a[1] || compare(a[0], b[0])));
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
