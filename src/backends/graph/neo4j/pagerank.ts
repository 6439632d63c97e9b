import type { Neo4jConnection } from '../../neo4j-connection.js';
import type { PprOptions, PprResult, PprSeed } from '../port.js';
import { Gds, type Moment, noGds, type Projection } from './gds.js';
import { exactLocal, localPagerank } from './local-pagerank.js';
import type { Reader } from './reader.js';

export type PprMode = 'auto' | 'gds' | 'local';

const PROJECTED_AT_ONCE = 20_000;
/** Queries after which the path that does not serve is measured again. */
const AGAIN = 500;

/** Serves PageRank by GDS or by push on a bounded neighbourhood, whichever was measured to cost less. */
export class Pagerank {
  private readonly gds: Gds;
  private hasGds = false;
  private projection: Projection | null = null;
  private renewing: Promise<Projection> | null = null;
  private readonly cost = { gds: Number.POSITIVE_INFINITY, local: 0 };
  private served = 0;

  constructor(
    private readonly connection: Neo4jConnection,
    private readonly reader: Reader,
    private readonly mode: PprMode,
    /** Elements of a graph up to which its projection is renewed within a request. */
    private readonly projectAtOnce = PROJECTED_AT_ONCE,
  ) {
    this.gds = new Gds(connection, reader);
  }

  /** Looks whether the server has GDS; `unavailable` where it is asked for by name and missing. */
  async connect(): Promise<void> {
    this.hasGds = this.mode !== 'local' && (await this.connection.gdsVersion()) !== null;
    if (this.mode === 'gds' && !this.hasGds) throw noGds();
  }

  /** Which path serves a query now. */
  get path(): 'gds' | 'local' {
    if (this.mode !== 'auto') return this.mode;
    return this.hasGds && this.cost.gds < this.cost.local ? 'gds' : 'local';
  }

  async scores(
    seeds: readonly PprSeed[],
    options: PprOptions,
    factors: ReadonlyMap<string, number>,
  ): Promise<PprResult> {
    const domains = options.domains === undefined || options.domains.length === 0 ? null : new Set(options.domains);
    const known = seeds.filter(({ id, weight }) => {
      return weight > 0 && (domains === null || domains.has(id.slice(0, id.indexOf(':'))));
    });
    if (known.length === 0) return { scores: new Map(), method: this.path, version: (await this.moment()).version };
    if (options.epsilon === 0) return this.exact(known, options, factors);
    this.served += 1;
    // Projections carry no factors of edges: they change with every feedback.
    if (this.path === 'gds' && !weighs(factors, domains)) return this.byGds(known, options);
    const started = performance.now();
    const scores = await localPagerank(this.reader, { seeds: known, options, factors });
    this.note('local', performance.now() - started);
    if (this.mode === 'auto' && this.hasGds && this.served % AGAIN === 1) this.measureGds(known, options);
    return { scores, method: 'local', version: this.reader.version };
  }

  private async exact(
    seeds: readonly PprSeed[],
    options: PprOptions,
    factors: ReadonlyMap<string, number>,
  ): Promise<PprResult> {
    if (!this.hasGds) {
      const scores = await exactLocal(this.reader, { seeds, options, factors });
      return { scores, method: 'exact', version: this.reader.version };
    }
    const projection = await this.renewed(await this.moment(), factors);
    const scores = await this.gds.pagerank(projection, seeds, options);
    return { scores, method: 'gds', version: projection.version };
  }

  /** On the projection of this version; while a large one is renewed, on the one before. */
  private async byGds(seeds: readonly PprSeed[], options: PprOptions): Promise<PprResult> {
    const factors: ReadonlyMap<string, number> = new Map();
    const now = await this.moment();
    let projection = this.projection;
    if (projection?.name !== this.gds.name(now, factors)) {
      const renewal = this.renewed(now, factors);
      if (projection === null || now.elements <= this.projectAtOnce) projection = await renewal;
      else renewal.catch(() => undefined);
    }
    try {
      const started = performance.now();
      const scores = await this.gds.pagerank(projection, seeds, options);
      this.note('gds', performance.now() - started);
      return { scores, method: 'gds', version: projection.version };
    } catch (error) {
      // Gone with a restart of the server, or dropped by a replica that is ahead of us.
      if ((await this.gds.list()).some((one) => one.name === projection?.name)) throw error;
      this.projection = null;
      projection = await this.renewed(await this.moment(), factors);
      return {
        scores: await this.gds.pagerank(projection, seeds, options),
        method: 'gds',
        version: projection.version,
      };
    }
  }

  private async renewed(moment: Moment, factors: ReadonlyMap<string, number>): Promise<Projection> {
    const name = this.gds.name(moment, factors);
    while (this.renewing !== null) await this.renewing.catch(() => undefined);
    if (this.projection?.name === name && (await this.gds.list()).some((one) => one.name === name)) {
      return this.projection;
    }
    this.renewing = this.gds.project(moment, factors);
    try {
      this.projection = await this.renewing;
      return this.projection;
    } finally {
      this.renewing = null;
    }
  }

  /** Runs a query by GDS beside the one that was served, for its time only. */
  private measureGds(seeds: readonly PprSeed[], options: PprOptions): void {
    this.byGds(seeds, options).catch(() => {
      this.cost.gds = Number.POSITIVE_INFINITY;
    });
  }

  private note(path: 'gds' | 'local', milliseconds: number): void {
    const known = this.cost[path];
    this.cost[path] = Number.isFinite(known) && known > 0 ? known * 0.8 + milliseconds * 0.2 : milliseconds;
  }

  private async moment(): Promise<Moment & { readonly elements: number }> {
    const [row] = await this.reader.ask<Moment & { elements: number }>(
      `MATCH (g:Graph {name: 'graph'}) OPTIONAL MATCH (d:Domain)
       WITH g, coalesce(sum(d.concepts + d.edges + d.passages), 0) AS elements
       RETURN {version: g.version, identity: g.identity, elements: elements} AS row`,
    );
    return row ?? { version: 0, identity: '', elements: 0 };
  }
}

/** Whether a factor other than 1 weighs an edge of these domains (any for null). */
function weighs(factors: ReadonlyMap<string, number>, domains: ReadonlySet<string> | null): boolean {
  for (const [edge, factor] of factors) {
    if (factor !== 1 && (domains === null || domains.has(edge.slice(0, edge.indexOf(':'))))) return true;
  }
  return false;
}
