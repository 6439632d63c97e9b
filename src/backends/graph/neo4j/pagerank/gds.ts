import { createHash } from 'node:crypto';
import { SvcError } from '../../../../core/errors.js';
import { push } from '../../../../core/group-by.js';
import { int, type Neo4jConnection } from '../../../neo4j-connection.js';
import type { EdgeFactors, EnginePprOptions, NumberedSeed } from '../../engine.js';
import { scaled } from '../../ppr.js';
import { ints } from '../follow/rows.js';
import type { Reader } from '../query/reader.js';
import { ENSURE, MOMENT, RANK } from './gds-statements.js';

/** The engine's cursor. */
export interface Moment {
  readonly version: number;
  readonly ledger: string;
  /** False while a resync runs: the same version may mean another graph. */
  readonly whole: boolean;
  /** Nodes and relationships. */
  readonly elements: number;
  /** Whether a projection without factors of this moment is there. */
  readonly there: boolean;
}

type Scores = Array<readonly [ref: number, score: number]>;

const NO_FACTORS: EdgeFactors = new Map();
/** Binary digits of a weight, relative to the heaviest seed: an error under a thousandth. */
const DIGITS = 10;

/** Projections of Graph Data Science. A name tells the ledger version and the factors, so that replicas share it. */
export class Gds {
  constructor(
    private readonly connection: Neo4jConnection,
    private readonly reader: Reader,
    private readonly engine: string,
  ) {}

  name({ ledger, version }: Moment, factors: EdgeFactors = NO_FACTORS): string {
    const listed = [...factors].filter(([, factor]) => factor !== 1).sort((a, b) => a[0] - b[0]);
    const hash = createHash('sha256').update(JSON.stringify(listed)).digest('hex').slice(0, 8);
    return `svc-${version}-f${listed.length === 0 ? '0' : hash}-${ledger}`;
  }

  /** Returns the engine's cursor now; null where it follows no ledger yet. */
  async moment(): Promise<Moment | null> {
    const [row] = await this.reader.ask<Moment>(MOMENT, { engine: this.engine });
    return row ?? null;
  }

  /** Makes a projection unless it is there, and drops older ones; returns its name. One round trip. */
  async project(moment: Moment, factors: EdgeFactors = NO_FACTORS): Promise<string> {
    const name = this.name(moment, factors);
    const { database } = this.connection;
    const params = {
      name,
      database,
      ledger: moment.ledger,
      version: int(moment.version),
      factors: Object.fromEntries(factors),
    };
    try {
      await this.connection.read(ENSURE, params, { timeout: 600_000 });
    } catch (error) {
      // Another replica was quicker by a moment.
      const [row] = await this.connection.read<{ there: boolean }>('RETURN gds.graph.exists($name) AS there', { name });
      if (row?.there !== true) throw error;
    }
    return name;
  }

  /**
   * Runs PageRank on a projection. GDS knows no weights of seeds before 2.17, and loses what reaches nodes without
   * arcs: runs for groups of seeds of one weight are added up (it is linear), and scaling to the best node sends lost
   * mass back.
   */
  async pagerank(name: string, seeds: readonly NumberedSeed[], options: EnginePprOptions): Promise<Scores> {
    const isExact = options.epsilon === 0;
    const rows = await this.reader.ask<readonly [ref: number, score: number, hash: number]>(RANK, {
      name,
      groups: seedGroups(seeds, isExact).map(({ weight, refs }) => ({ weight, refs: ints(refs) })),
      damping: options.damping,
      iterations: int(options.maxIterations),
      tolerance: isExact ? options.tolerance / 1000 : 1e-7,
      // A few more: scaling may make equal what lies close together.
      limit: int(options.limit + 50),
    });
    const highest = Math.max(0, ...rows.map(([, score]) => score));
    const all = rows.map(([ref, score, hash]) => ({ ref, score: scaled(score, highest), hash }));
    all.sort((a, b) => b.score - a.score || a.hash - b.hash || a.ref - b.ref);
    return all
      .filter(({ score }) => score > 0)
      .slice(0, options.limit)
      .map(({ ref, score }) => [ref, score] as const);
  }
}

/**
 * Seeds as groups of one weight each. Where there are more weights than digits, a weight is the sum of its binary digits,
 * and a group holds the seeds that have that digit: never more than ten groups, however many seeds.
 */
export function seedGroups(
  seeds: readonly NumberedSeed[],
  isExact: boolean,
): Array<{ readonly weight: number; readonly refs: readonly number[] }> {
  const groups = new Map<number, number[]>();
  if (isExact || new Set(seeds.map(({ weight }) => weight)).size <= DIGITS) {
    for (const { ref, weight } of seeds) push(groups, weight, ref);
  } else {
    const steps = 2 ** DIGITS - 1;
    const highest = Math.max(...seeds.map(({ weight }) => weight));
    for (const { ref, weight } of seeds) {
      const level = Math.max(1, Math.round((weight / highest) * steps));
      for (let digit = 0; digit < DIGITS; digit += 1) {
        if ((level >> digit) & 1) push(groups, (highest * 2 ** digit) / steps, ref);
      }
    }
  }
  return [...groups].map(([weight, refs]) => ({ weight, refs }));
}

export function noGds(): SvcError {
  return new SvcError(
    'unavailable',
    'SVC_PPR=gds needs the Graph Data Science library and this Neo4j has none (or hides it): install the plugin and set dbms.security.procedures.unrestricted=gds.*, or set SVC_PPR=local.',
  );
}
