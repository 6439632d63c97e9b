import { defined } from '../../core/defined.js';
import { SvcError, wrongMember } from '../../core/errors.js';
import type { GraphEdge, GraphNode, GraphRule, Json } from '../../core/model.js';
import { type RefId, RefIds } from '../../core/ref-ids.js';
import { Versioned } from '../../core/versioned.js';
import type { LedgerChange } from '../../ledger/change.js';
import { Ledger, type LedgerOptions } from '../../ledger/ledger.js';
import { compare } from '../../ledger/manifest/asserted.js';
import { edgesByRef } from '../../ledger/read/read-edges.js';
import { forValues, GIVEN } from '../store/rows.js';
import type { Store } from '../store/scope.js';
import { EdgeFactors } from './edge-factors.js';
import type { EngineQueryOptions, GraphEngine, NumberedSeed } from './engine.js';
import { nameHop } from './naming.js';
import type { ExpandOptions, Expansion, GraphBackend, Neighbourhood, PprOptions, PprResult, PprSeed } from './port.js';
import { bySample } from './sample.js';
import { addEdge, addNode, addRule } from './single.js';
import { DEFAULT_LINK_LIMIT, PPR_DEFAULTS } from './weights.js';

const EDGES = 30_000;

/** The whole graph: records of the ledger, questions about its shape answered by an engine. */
export class LedgerGraph extends Ledger implements GraphBackend {
  readonly engine: GraphEngine;
  private readonly factors: EdgeFactors;
  /** Numbers and ids of nodes met so far. */
  private readonly ids = new RefIds();
  private readonly edgesRead = new Versioned<number, GraphEdge>(EDGES);
  private connected = false;

  constructor(store: Store, engine: GraphEngine, options: LedgerOptions = {}) {
    super(store, options);
    this.engine = engine;
    this.factors = new EdgeFactors(store.db);
    this.recent.feed.listen((change, version) => this.note(change, version));
  }

  get kind(): string {
    return this.engine.kind;
  }

  get ppr(): GraphEngine['ppr'] {
    return this.engine.ppr;
  }

  async connect(): Promise<void> {
    await this.engine.connect();
    this.connected = true;
  }

  async disconnect(): Promise<void> {
    this.connected = false;
    await this.engine.disconnect();
  }

  isConnected(): boolean {
    return this.connected;
  }

  async health(): Promise<void> {
    await this.current.read().catch((cause: unknown) => {
      throw new SvcError('unavailable', 'The graph cannot be read from the store; check the store.', undefined, {
        cause,
      });
    });
    await this.engine.health();
  }

  addNode(node: Parameters<GraphBackend['addNode']>[0]): Promise<GraphNode> {
    return addNode(this, node);
  }

  addEdge(edge: Parameters<GraphBackend['addEdge']>[0]): Promise<void> {
    return addEdge(this, edge);
  }

  addRule(rule: Parameters<GraphBackend['addRule']>[0]): Promise<GraphRule> {
    return addRule(this, rule);
  }

  async neighbourhood(id: string, depth: number, limit = 200): Promise<Neighbourhood> {
    const version = await this.upToDate();
    const [ref] = (await this.refsOf([id])).values();
    // One more than wanted tells whether there are more.
    const options = { depth: Math.min(3, Math.max(1, depth)), limit: limit + 1 };
    const found = ref === undefined ? null : await this.engine.neighbourhood(ref, options);
    if (found === null) return { nodes: [], edges: [] };
    const names = await this.idsOf(found.hops.flat());
    const hops = found.hops.map((refs) => refs.flatMap((node) => names.get(node) ?? []).sort(compare));
    const surplus = found.hops.flat().length > limit ? takeSurplus(hops) : undefined;
    const edges = [...(await this.edgesOf(found.edges, version)).values()]
      .filter((edge) => edge.source_id !== surplus && edge.target_id !== surplus)
      .sort((a, b) => compare(a.id, b.id));
    const nodes = await this.getNodes(hops.flat());
    return { nodes, edges, ...(surplus === undefined ? {} : { truncated: true }) };
  }

  async expand(
    ids: readonly string[],
    { domains: names, linkLimit: limit = DEFAULT_LINK_LIMIT, incoming = false }: ExpandOptions = {},
  ): Promise<Expansion> {
    const version = await this.upToDate();
    const nodes = [...(await this.refsOf(ids)).values()];
    const domains = await this.domainRefs(names);
    const factors = await this.factors.resolved();
    const hop = await this.engine.expand(nodes, { domains, limit, factors, incoming });
    const reader = {
      db: this.store.db,
      idsOf: (refs: Iterable<number>) => this.idsOf(refs),
      keysOf: (refs: Iterable<number>) => this.recent.keys(refs),
      edgesOf: (refs: Iterable<number>) => this.edgesOf(refs, version),
    };
    return nameHop(reader, hop, limit);
  }

  /** Computes a personalized PageRank. `seeds`: nodes with weights, or ids alone, which weigh the same. */
  async personalizedPagerank(
    seeds: ReadonlyArray<PprSeed | string>,
    given: PprOptions | null = {},
  ): Promise<PprResult> {
    if (!Array.isArray(seeds)) wrongMember('seeds', 'must be an array of ids, or of ids with weights');
    const { domains, ...options } = given ?? {};
    await this.upToDate();
    const restart = await this.restartOf(seeds, domains ?? []);
    const { scores, method, version } = await this.engine.personalizedPagerank(restart, {
      ...PPR_DEFAULTS,
      ...defined(options),
      domains: await this.domainRefs(domains),
      factors: await this.factors.resolved(),
    });
    const names = await this.idsOf(scores.map(([ref]) => ref));
    const named = scores.flatMap(([ref, score]) => {
      const id = names.get(ref);
      return id === undefined ? [] : [[id, score] as const];
    });
    return { scores: new Map(named.sort((a, b) => b[1] - a[1] || compare(a[0], b[0]))), method, version };
  }

  setEdgeFactors(factors: ReadonlyMap<string, number>): void {
    this.factors.set(factors);
  }

  /** Runs a query in the engine's own language; `unsupported` where it has none. */
  query(statement: string, options?: EngineQueryOptions): Promise<Array<Record<string, Json>>> {
    return this.engine.query(statement, options);
  }

  /** Brings what is remembered up to date with the last commit before the call; returns the version. */
  protected upToDate(): Promise<number> {
    return this.recent.upToDate();
  }

  private note(change: LedgerChange | null, version: number): void {
    this.factors.note(change);
    const known = change === null || change.removedDomains.size > 0 ? null : change;
    if (known === null) this.ids.clear();
    // An assertion never changes but in whether it is the visible one.
    this.edgesRead.follow(version, known === null ? undefined : { since: known.from, keys: known.edges.keys() });
    for (const [ref, mark] of change?.nodes ?? []) if (mark === null) this.ids.drop(ref);
  }

  /** Returns the seeds that exist in the domains (any with none), once each, in the order of ids; weights sum to 1. */
  private async restartOf(seeds: ReadonlyArray<PprSeed | string>, domains: readonly string[]): Promise<NumberedSeed[]> {
    const weights = new Map<string, number>();
    for (const seed of seeds) {
      const { id, weight } = typeof seed === 'string' ? { id: seed, weight: 1 } : seed;
      if (!(weight > 0 && Number.isFinite(weight))) continue;
      if (domains.length > 0 && !domains.some((name) => id.startsWith(`${name}:`))) continue;
      weights.set(id, (weights.get(id) ?? 0) + weight);
    }
    const refs = await this.refsOf(weights.keys());
    const known = [...weights].filter(([id]) => refs.has(id)).sort((a, b) => compare(a[0], b[0]));
    const total = known.reduce((sum, [, weight]) => sum + weight, 0);
    return known.map(([id, weight]) => ({ ref: refs.get(id)!, weight: weight / total }));
  }

  private refsOf(ids: Iterable<string>): Promise<Map<string, number>> {
    const read = (missing: readonly string[]) =>
      forValues(this.store.db, missing)<RefId>`select n.ref, n.id from ${GIVEN} join node n on n.id = given.v`;
    return this.ids.refsOf(ids, read);
  }

  private idsOf(refs: Iterable<number>): Promise<Map<number, string>> {
    const read = (missing: readonly number[]) =>
      forValues(this.store.db, missing)<RefId>`select n.ref, n.id from ${GIVEN} join node n on n.ref = given.v`;
    return this.ids.idsOf(refs, read);
  }

  private async edgesOf(refs: Iterable<number>, version: number): Promise<Map<number, GraphEdge>> {
    const edges = new Map<number, GraphEdge>();
    const unread: number[] = [];
    for (const ref of refs) {
      const edge = this.edgesRead.get(version, ref);
      if (edge === undefined) unread.push(ref);
      else edges.set(ref, edge);
    }
    for (const [ref, edge] of await edgesByRef(this.store.db, unread)) {
      this.edgesRead.set(version, ref, edge);
      edges.set(ref, edge);
    }
    return edges;
  }

  /** Returns the numbers of the named domains; null means all. */
  private async domainRefs(names: readonly string[] | undefined): Promise<ReadonlySet<number> | null> {
    if (names === undefined || names.length === 0) return null;
    return new Set((await this.recent.domains(names)).map((row) => row.ref));
  }
}

/** Takes out of the farthest hop the node that comes last in the sample order; returns its id. */
function takeSurplus(hops: string[][]): string | undefined {
  const farthest = hops.findLast((ids) => ids.length > 0) ?? [];
  const [last] = [...farthest].sort(bySample).slice(-1);
  if (last !== undefined) farthest.splice(farthest.indexOf(last), 1);
  return last;
}
