import { SvcError } from '../../../../core/errors.js';
import { codeOf } from '../../../neo4j-connection/errors.js';
import type { Neo4jConnection } from '../../../neo4j-connection.js';
import type { EdgeFactors, EnginePprOptions, NumberedScores, NumberedSeed } from '../../engine.js';
import type { Reader } from '../query/reader.js';
import { Gds, type Moment, noGds } from './gds.js';
import { exactLocal, localPagerank } from './local.js';

/** `local`: push on a bounded neighbourhood; `gds`: Graph Data Science. */
export type PprMode = 'local' | 'gds';

/** Nodes and relationships up to which a projection is made within the request that needs it. */
const PROJECTED_AT_ONCE = 20_000;
const LOST = new Set(['ServiceUnavailable', 'SessionExpired']);

/**
 * Serves PageRank by push on a bounded neighbourhood, which was measured to be several times faster than a warm
 * projection on every graph (docs/benchmarks/graph.md), or by GDS where that is requested. What GDS cannot answer (a
 * projection that is still being made, learned factors) the neighbourhood does. `epsilon` 0 requests exact scores: GDS
 * has them where it is installed.
 */
export class Pagerank {
  private readonly gds: Gds;
  private hasGds: boolean | null = null;
  private projecting: Promise<string> | null = null;

  constructor(
    private readonly connection: Neo4jConnection,
    private readonly reader: Reader,
    private readonly options: {
      readonly engine: string;
      readonly mode: PprMode;
      /** Whether GDS computes exact scores where the server has it. */
      readonly exactByGds: boolean;
      readonly projectAtOnce?: number | undefined;
    },
  ) {
    this.gds = new Gds(connection, reader, options.engine);
  }

  get mode(): PprMode {
    return this.options.mode;
  }

  /** Checks whether the server has GDS where it is requested by name; `unavailable` where it is missing. */
  async connect(): Promise<void> {
    if (this.mode === 'gds' && !(await this.findGds())) throw noGds();
  }

  async scores(seeds: readonly NumberedSeed[], options: EnginePprOptions): Promise<NumberedScores> {
    if (options.epsilon === 0) return this.exact(seeds, options);
    if (this.mode === 'gds' && !weighs(options.factors)) {
      const found = await this.byGds(seeds, options).catch(unlessLost);
      if (found !== null) return found;
    }
    const scores = await localPagerank(this.reader, seeds, options);
    return { scores, method: 'local', version: this.reader.version };
  }

  private async exact(seeds: readonly NumberedSeed[], options: EnginePprOptions): Promise<NumberedScores> {
    const moment = this.options.exactByGds && (await this.findGds()) ? await this.gds.moment() : null;
    if (moment?.whole !== true) {
      return { scores: await exactLocal(this.reader, seeds, options), method: 'exact', version: this.reader.version };
    }
    const name = await this.project(moment, options.factors);
    return { scores: await this.gds.pagerank(name, seeds, options), method: 'gds', version: moment.version };
  }

  /** Computes scores by GDS in two round trips; null where the graph is too large to wait for its projection. */
  private async byGds(seeds: readonly NumberedSeed[], options: EnginePprOptions): Promise<NumberedScores | null> {
    const moment = await this.gds.moment();
    if (moment?.whole !== true) return null;
    if (!moment.there) {
      const project = this.project(moment);
      if (moment.elements > (this.options.projectAtOnce ?? PROJECTED_AT_ONCE)) {
        project.catch(() => undefined);
        return null;
      }
      await project;
    }
    const scores = await this.gds.pagerank(this.gds.name(moment), seeds, options);
    return { scores, method: 'gds', version: moment.version };
  }

  /** Projects one graph at a time: a second call waits and finds its own projection there, or makes it. */
  private async project(moment: Moment, factors?: EdgeFactors): Promise<string> {
    while (this.projecting !== null) await this.projecting.catch(() => undefined);
    const projecting = this.gds.project(moment, factors).finally(() => {
      this.projecting = null;
    });
    this.projecting = projecting;
    return projecting;
  }

  private async findGds(): Promise<boolean> {
    this.hasGds ??= (await this.connection.gdsVersion()) !== null;
    return this.hasGds;
  }
}

/** Returns whether the neighbourhood can answer what GDS failed at; an unreachable server answers neither. */
function unlessLost(error: unknown): null {
  if (error instanceof SvcError && LOST.has(codeOf(error.cause))) throw error;
  return null;
}

/** Returns whether edges have factors. Projections carry none: factors change with every feedback. */
function weighs(factors: EdgeFactors): boolean {
  for (const factor of factors.values()) if (factor !== 1) return true;
  return false;
}
