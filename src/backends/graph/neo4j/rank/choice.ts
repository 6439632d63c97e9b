/** Queries after which both methods are measured again. */
const AGAIN = 500;
/** Queries before the first measurement: a service that is hardly asked never projects its graph. */
const FIRST = 50;
/** Longest wait, in multiples of the usual one: each defeat of GDS doubles the wait, since a measurement costs a projection. */
const PATIENCE = 16;
/** Queries that share the cost of a renewal. */
const SPAN = 200;
/** The other method must be cheaper by this factor to take over: what costs the same does not go back and forth. */
const MARGIN = 0.9;

/** Milliseconds of one query, from its first statement to its scores, on an idle round of each method. */
export interface Measured {
  readonly gds: number;
  readonly local: number;
}

/**
 * Which PageRank serves, told from measured costs alone. The neighbourhood serves until GDS was measured to cost less; a
 * renewal of the projection is a cost of GDS and is shared by the queries around it. Once the neighbourhood took over,
 * only a new measurement gives the turn back.
 */
export class Choice {
  private serving: 'gds' | 'local' = 'local';
  private costs: Measured | null = null;
  /** Milliseconds of renewals among the latest `SPAN` queries, roughly: it fades with each query. */
  private renewals = 0;
  private since = 0;
  private wait: number;

  constructor(private readonly options: { readonly first?: number; readonly again?: number } = {}) {
    this.wait = options.first ?? FIRST;
  }

  get path(): 'gds' | 'local' {
    return this.serving;
  }

  /** Counts a query; true where both methods are to be measured beside it. */
  query(): boolean {
    this.renewals *= 1 - 1 / SPAN;
    this.since += 1;
    if (this.since < this.wait) return false;
    this.since = 0;
    return true;
  }

  /** Takes both costs of a measurement. */
  measured(costs: Measured): void {
    this.costs = costs;
    this.decide();
  }

  /** Takes the milliseconds of a renewal, in a request or beside it. */
  renewed(milliseconds: number): void {
    this.renewals += milliseconds;
    if (this.serving === 'gds' && this.cheaper() === 'local') this.serving = 'local';
  }

  /** GDS could not be measured. */
  failed(): void {
    this.costs = { gds: Number.POSITIVE_INFINITY, local: this.costs?.local ?? 0 };
    this.decide();
  }

  private decide(): void {
    this.serving = this.cheaper();
    const again = this.options.again ?? AGAIN;
    const longest = again * PATIENCE;
    const first = this.wait < again || this.serving === 'gds';
    this.wait = first ? again : Math.min(longest, this.wait * 2);
  }

  private cheaper(): 'gds' | 'local' {
    if (this.costs === null) return 'local';
    const gds = this.costs.gds + this.renewals / SPAN;
    const { local } = this.costs;
    if (this.serving === 'gds') return local < gds * MARGIN ? 'local' : 'gds';
    return gds < local * MARGIN ? 'gds' : 'local';
  }
}
