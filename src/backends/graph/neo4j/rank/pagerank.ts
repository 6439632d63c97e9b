import { SvcError } from '../../../../core/errors.js';
import { codeOf } from '../../../neo4j-connection/errors.js';
import type { Neo4jConnection } from '../../../neo4j-connection.js';
import type { PprOptions, PprResult, PprSeed } from '../../port.js';
import type { Reader } from '../read/reader.js';
import { Choice } from './choice.js';
import { type Asked, Gds, noGds, type Projection, type Told } from './gds.js';
import { exactLocal, localPagerank, startLocal } from './local-pagerank.js';

export type PprMode = 'auto' | 'gds' | 'local';

export interface PagerankOptions {
  readonly mode: PprMode;
  /** Elements of a graph up to which its projection is renewed within a request; default 20,000. */
  readonly projectAtOnce?: number | undefined;
  /** Which path serves where the mode is `auto`. */
  readonly choice?: Choice | undefined;
}

type Factors = ReadonlyMap<string, number>;

const PROJECTED_AT_ONCE = 20_000;
/** Runs of a method in a measurement; the best one counts. */
const RUNS = 3;
const NO_FACTORS: Factors = new Map();
const LOST = new Set(['ServiceUnavailable', 'SessionExpired']);

/**
 * Serves PageRank by GDS or by push on a bounded neighbourhood, whichever was measured to cost less. Each takes two round
 * trips, and the first one goes with what else is read in that turn. What GDS cannot answer, the neighbourhood does.
 */
export class Pagerank {
  private readonly gds: Gds;
  private readonly mode: PprMode;
  private readonly choice: Choice;
  private readonly projectAtOnce: number;
  private hasGds = false;
  private projection: Projection | null = null;
  private renewing: Promise<unknown> | null = null;
  private measuring = false;
  /** Elements of the graph when it was last looked at. */
  private elements = Number.POSITIVE_INFINITY;

  constructor(
    private readonly connection: Neo4jConnection,
    private readonly reader: Reader,
    { mode, projectAtOnce, choice }: PagerankOptions,
  ) {
    this.gds = new Gds(connection, reader);
    this.mode = mode;
    this.choice = choice ?? new Choice();
    this.projectAtOnce = projectAtOnce ?? PROJECTED_AT_ONCE;
  }

  /** Looks whether the server has GDS; `unavailable` where it is asked for by name and missing. */
  async connect(): Promise<void> {
    this.hasGds = this.mode !== 'local' && (await this.connection.gdsVersion()) !== null;
    if (this.mode === 'gds' && !this.hasGds) throw noGds();
  }

  /** Which path serves a query now. */
  get path(): 'gds' | 'local' {
    if (this.mode !== 'auto') return this.mode;
    return this.hasGds ? this.choice.path : 'local';
  }

  async scores(seeds: readonly PprSeed[], options: PprOptions, factors: Factors): Promise<PprResult> {
    const domains = options.domains === undefined || options.domains.length === 0 ? null : new Set(options.domains);
    const known = seeds.filter(({ id, weight }) => {
      return weight > 0 && (domains === null || domains.has(id.slice(0, id.indexOf(':'))));
    });
    if (known.length === 0) {
      await this.reader.ask('UNWIND [] AS row RETURN row');
      return { scores: new Map(), method: this.path, version: this.reader.version };
    }
    const asked = { seeds: known, options };
    if (options.epsilon === 0) return this.exact(asked, factors);
    if (this.mode === 'auto' && this.hasGds) this.tend(asked);
    // Projections carry no factors of edges: they change with every feedback.
    if (this.path === 'gds' && !weighs(factors, domains)) return this.byGds(asked);
    return this.local(() => localPagerank(this.reader, { ...asked, factors }));
  }

  private async exact(asked: Asked, factors: Factors): Promise<PprResult> {
    if (!this.hasGds) {
      const scores = await exactLocal(this.reader, { ...asked, factors });
      return { scores, method: 'exact', version: this.reader.version };
    }
    const projection = await this.projected(await this.gds.moment(), factors);
    const scores = await this.gds.pagerank(projection, asked);
    return resultOf(projection, scores);
  }

  private async projected(now: Told, factors: Factors): Promise<Projection> {
    while (this.renewing !== null) await this.renewing.catch(() => undefined);
    const work = this.gds.project(now, factors);
    await this.take(work, this.gds.name(now, factors) === this.gds.name(now));
    return work;
  }

  /**
   * On the projection of this version. A small graph's is made in the same round trip; while a large one's is made beside
   * the query, the one before serves if it has all seeds, else the neighbourhood. Where that can be foreseen, all of it is
   * asked in the first round trip.
   */
  private async byGds(asked: Asked): Promise<PprResult> {
    const before = this.projection;
    const doubtful = this.elements > this.projectAtOnce && before?.version !== this.reader.version;
    const [now, earlier, finish] = await Promise.all([
      this.gds.moment().catch(unlessLost),
      doubtful && before !== null ? this.onEarlier(before, asked) : null,
      doubtful ? startLocal(this.reader, { ...asked, factors: NO_FACTORS }) : null,
    ]);
    if (now !== null) {
      this.elements = now.elements;
      const served = await this.onProjection(now, asked).catch(unlessLost);
      if (served !== null) return served;
      const lost = before?.name === this.gds.name(now);
      const same = before !== null && before.identity === now.identity && !lost ? before : null;
      const stale = doubtful ? earlier : same && (await this.onEarlier(same, asked));
      if (stale !== null && same !== null) return stale;
    }
    return this.local(finish ?? (() => localPagerank(this.reader, { ...asked, factors: NO_FACTORS })));
  }

  /** By the projection of this moment; null where the graph is large and has none yet. */
  private async onProjection(now: Told, asked: Asked): Promise<PprResult | null> {
    const name = this.gds.name(now);
    if (now.there) {
      if (this.projection?.name !== name) this.projection = { ...now, name, ours: false };
      return resultOf(this.projection, await this.gds.pagerank(this.projection, asked));
    }
    // Gone with a restart of the server, or dropped by somebody.
    if (this.projection?.name === name) this.projection = null;
    if (now.elements > this.projectAtOnce) {
      this.renew(now).catch(() => undefined);
      return null;
    }
    while (this.renewing !== null) {
      await this.renewing.catch(() => undefined);
      const made = this.projection;
      if (made !== null && made.identity === now.identity && made.version >= now.version) {
        return resultOf(made, await this.gds.pagerank(made, asked));
      }
    }
    const work = this.timed(() => this.gds.projectAndRank(now, asked));
    this.take(work.then((done) => done.projection)).catch(() => undefined);
    const { projection, scores } = await work;
    return resultOf(projection, scores);
  }

  private async onEarlier(before: Projection, asked: Asked): Promise<PprResult | null> {
    const scores = await this.gds.pagerankStale(before, asked).catch(unlessLost);
    return scores === null ? null : resultOf(before, scores);
  }

  private async local(run: () => Promise<Map<string, number>>): Promise<PprResult> {
    return { scores: await run(), method: 'local', version: this.reader.version };
  }

  /** Makes the projection of this moment beside queries; a renewal under way is enough for now. */
  private renew(now: Told): Promise<unknown> {
    if (this.renewing !== null) return this.renewing;
    const work = this.timed(() => this.gds.project(now));
    work.catch(() => this.choice.failed());
    return this.take(work);
  }

  /** One at a time. Those with factors are not kept in mind. */
  private take(work: Promise<Projection>, kept = true): Promise<unknown> {
    const taken = work
      .then((projection) => {
        if (kept) this.projection = projection;
      })
      .finally(() => {
        if (this.renewing === taken) this.renewing = null;
      });
    this.renewing = taken;
    return taken;
  }

  private async timed<T>(renewal: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const made = await renewal();
    this.choice.renewed(performance.now() - started);
    return made;
  }

  /** For `auto`: measures beside a query when it is due, and frees the server of a projection that serves nobody. */
  private tend(asked: Asked): void {
    if (this.choice.query() && !this.measuring) {
      this.measuring = true;
      this.measure(asked)
        .catch(() => this.choice.failed())
        .finally(() => {
          this.measuring = false;
          return this.free();
        })
        .catch(() => undefined);
    } else {
      this.free().catch(() => undefined);
    }
  }

  /** Both methods in full, under the same conditions; a projection that is missing is made and counted as a renewal. */
  private async measure(asked: Asked): Promise<void> {
    const local = await quickest(() => localPagerank(this.reader, { ...asked, factors: NO_FACTORS }));
    const now = await this.gds.moment();
    const name = this.gds.name(now);
    if (!now.there) {
      await this.renewing?.catch(() => undefined);
      await this.renew(now);
    } else if (this.projection?.name !== name) {
      this.projection = { ...now, name, ours: false };
    }
    const gds = await quickest(async () => {
      await this.gds.moment();
      await this.gds.pagerank(this.projection!, asked);
    });
    this.choice.measured({ gds, local });
  }

  /** Drops the projection that we made, once the neighbourhood serves. */
  private async free(): Promise<void> {
    const { projection } = this;
    if (projection === null || this.path === 'gds' || this.measuring || this.renewing !== null) return;
    this.projection = null;
    if (projection.ours) await this.gds.drop(projection.name);
  }
}

function resultOf({ version }: Projection, scores: Map<string, number>): PprResult {
  return { scores, method: 'gds', version };
}

/** What GDS fails at is for the neighbourhood to answer; a server that is gone answers neither. */
function unlessLost(error: unknown): null {
  if (error instanceof SvcError && LOST.has(codeOf(error.cause))) throw error;
  return null;
}

/** Milliseconds of the quickest of some runs, one after another. */
async function quickest(run: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < RUNS; i += 1) {
    const started = performance.now();
    await run();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

/** Whether a factor other than 1 weighs an edge of these domains (any for null). */
function weighs(factors: Factors, domains: ReadonlySet<string> | null): boolean {
  for (const [edge, factor] of factors) {
    if (factor !== 1 && (domains === null || domains.has(edge.slice(0, edge.indexOf(':'))))) return true;
  }
  return false;
}
