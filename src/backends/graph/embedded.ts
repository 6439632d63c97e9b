import { systemClock } from '../../core/clock.js';
import { defaultTemplates, type EdgeTemplate } from '../../core/derive-rules.js';
import { SvcError } from '../../core/errors.js';
import type { DomainInfo, GraphEdge, GraphNode, GraphRule, Manifest, SourceInfo } from '../../core/model.js';
import type { Store, WriteScope } from '../store/scope.js';
import type { SourceExport, SourceVersions } from './copy/exported.js';
import { Checkpoints } from './embedded/checkpoint.js';
import { exportSources, sourceVersions } from './embedded/export.js';
import { CurrentVersion } from './embedded/read/current-version.js';
import { findEdges, neighbourhood } from './embedded/read/read-edges.js';
import { activeKeys, hasPassages, keyInfos, passagesMentioning } from './embedded/read/read-keys.js';
import { domainRows, findNodes, nodesOf, recordsOf, recordsOfSource } from './embedded/read/read-nodes.js';
import { findRules } from './embedded/read/read-rules.js';
import { conceptsOfSource, listSources, waitingOfSource } from './embedded/read/read-sources.js';
import { RecentRows } from './embedded/read/recent-rows.js';
import { EdgeFactors } from './embedded/topology/edge-factors.js';
import { expand } from './embedded/topology/expand.js';
import { Pagerank } from './embedded/topology/pagerank.js';
import { Replica } from './embedded/topology/replica.js';
import { GraphWriter } from './embedded/write/graph-writer.js';
import { findSources } from './embedded/write/source-change.js';
import { checkDomain } from './manifest/check-manifest.js';
import { addEdge, addNode, addRule } from './manifest/single.js';
import type { GraphOptions } from './memory.js';
import type {
  CheckpointInfo,
  EdgeFilter,
  Expansion,
  ForgetOptions,
  GraphBackend,
  GraphDelta,
  GraphStatistics,
  KeyInfo,
  Mentions,
  Neighbourhood,
  NodeFilter,
  PassageRecord,
  PprOptions,
  PprResult,
  PprSeed,
  Restored,
  RuleFilter,
  SourceFilter,
} from './port.js';
import { totals } from './read/totals.js';
import { DEFAULT_LINK_LIMIT } from './weights.js';

/**
 * The graph in the SQL store: rows are the truth, the topology is held in memory by number and follows the rows, whoever
 * writes them. Every reading method answers as of a version not older than the last commit before the call.
 */
export class EmbeddedGraph implements GraphBackend {
  readonly kind = 'embedded';
  readonly joinsStore = true;
  readonly ppr = 'push';
  private readonly current: CurrentVersion;
  private readonly replica: Replica;
  private readonly factors: EdgeFactors;
  private readonly pagerank: Pagerank;
  private readonly writer: GraphWriter;
  private readonly recent: RecentRows;
  private readonly saved: Checkpoints;
  private readonly templates: ReadonlyMap<string, EdgeTemplate>;
  private connected = false;

  constructor(
    private readonly store: Store,
    options: GraphOptions = {},
  ) {
    const clock = options.clock ?? systemClock;
    this.factors = new EdgeFactors(store.db);
    this.current = new CurrentVersion(store.db);
    this.replica = new Replica(store.db, this.current, (change) => this.factors.follow(change));
    this.pagerank = new Pagerank(store.db);
    this.writer = new GraphWriter(store, clock);
    this.recent = new RecentRows(store.db, this.current);
    this.saved = new Checkpoints(store, clock);
    this.templates = defaultTemplates(options.templates ?? []);
  }

  /** Loads the topology, so that the first query need not. */
  async connect(): Promise<void> {
    await this.replica.fresh();
    this.connected = true;
  }

  async disconnect(): Promise<void> {
    this.connected = false;
    this.replica.drop();
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
  }

  async createDomain(name: string, description?: string): Promise<DomainInfo> {
    checkDomain(name);
    await this.writer.createDomain(name, description);
    return (await this.getDomain(name))!;
  }

  async getDomain(name: string): Promise<DomainInfo | null> {
    return (await this.domainInfos([name]))[0] ?? null;
  }

  listDomains(): Promise<DomainInfo[]> {
    return this.domainInfos();
  }

  deleteDomain(name: string, scope?: WriteScope): Promise<string[]> {
    return this.writer.deleteDomain(name, scope);
  }

  addNode(node: Parameters<GraphBackend['addNode']>[0]): Promise<GraphNode> {
    return addNode(this, node);
  }

  async getNode(id: string): Promise<GraphNode | null> {
    return (await this.recent.nodes([id]))[0] ?? null;
  }

  getNodes(ids: readonly string[], scope?: WriteScope): Promise<GraphNode[]> {
    return scope === undefined ? this.recent.nodes(ids) : nodesOf(scope.db, ids);
  }

  findNodes(options: NodeFilter = {}): Promise<GraphNode[]> {
    return findNodes(this.store.db, options);
  }

  addEdge(edge: Parameters<GraphBackend['addEdge']>[0]): Promise<void> {
    return addEdge(this, edge);
  }

  getEdges(filter: EdgeFilter): Promise<GraphEdge[]> {
    return this.replica.read((topology) => findEdges(this.store.db, topology, filter));
  }

  addRule(rule: Parameters<GraphBackend['addRule']>[0]): Promise<GraphRule> {
    return addRule(this, rule);
  }

  async getRules(filter: RuleFilter = {}): Promise<GraphRule[]> {
    const { db } = this.store;
    const domains = await this.recent.domains(filter.domains);
    return this.replica.read((topology) =>
      findRules({ db, domains, topology, templates: this.templates, recent: this.recent }, filter),
    );
  }

  async ingestManifest(manifest: Manifest, scope?: WriteScope): Promise<GraphDelta> {
    return (await this.writer.ingest([manifest], scope))[0]!;
  }

  ingestManifests(manifests: readonly Manifest[], scope?: WriteScope): Promise<GraphDelta[]> {
    return this.writer.ingest(manifests, scope);
  }

  forgetSource(sourceId: string, options: ForgetOptions = {}): Promise<GraphDelta | null> {
    return this.writer.forget(sourceId, options);
  }

  listSources(filter: SourceFilter = {}, scope?: WriteScope): Promise<SourceInfo[]> {
    return listSources(scope?.db ?? this.store.db, filter);
  }

  async heldSources(ids: readonly string[]): Promise<Set<string>> {
    return new Set((await findSources(this.store.db, ids)).keys());
  }

  sourceConcepts(sourceId: string): Promise<string[]> {
    return conceptsOfSource(this.store.db, sourceId);
  }

  waitingEdges(sourceId: string): Promise<string[]> {
    return waitingOfSource(this.store.db, sourceId);
  }

  neighbourhood(id: string, depth: number, limit = 200): Promise<Neighbourhood> {
    const around = { id, depth: Math.min(3, Math.max(1, depth)), limit };
    return this.replica.read((topology) => neighbourhood(this.store.db, topology, around));
  }

  setMentions(domain: string, passages: Mentions, scope?: WriteScope): Promise<void> {
    return this.writer.setMentions(domain, passages, scope);
  }

  async lookupKeys(
    domains: readonly string[] | undefined,
    keys: readonly string[],
    scope?: WriteScope,
  ): Promise<KeyInfo[]> {
    const db = scope?.db ?? this.store.db;
    const rows = scope === undefined ? await this.recent.domains(domains) : await domainRows(db, domains);
    return keyInfos(db, new Map(rows.map(({ ref, name }) => [ref, name])), keys);
  }

  async activeKeys(domain: string, keys: readonly string[], scope?: WriteScope): Promise<Set<string>> {
    const db = scope?.db ?? this.store.db;
    const [row] = await domainRows(db, [domain]);
    return row === undefined ? new Set() : activeKeys(db, row.ref, keys);
  }

  async hasPassages(domain: string, scope?: WriteScope): Promise<boolean> {
    const db = scope?.db ?? this.store.db;
    const [row] = await domainRows(db, [domain]);
    return row !== undefined && hasPassages(db, row.ref);
  }

  async passagesMentioning(domain: string, keys: readonly string[], scope?: WriteScope): Promise<string[]> {
    const db = scope?.db ?? this.store.db;
    const [row] = await domainRows(db, [domain]);
    return row === undefined ? [] : passagesMentioning(db, row.ref, keys);
  }

  passageRecords(ids: readonly string[], scope?: WriteScope): Promise<PassageRecord[]> {
    return recordsOf(scope?.db ?? this.store.db, ids);
  }

  sourcePassages(sourceId: string, scope?: WriteScope): Promise<PassageRecord[]> {
    return recordsOfSource(scope?.db ?? this.store.db, sourceId);
  }

  expand(
    ids: readonly string[],
    options: { domains?: readonly string[]; linkLimit?: number } = {},
  ): Promise<Expansion> {
    const { db } = this.store;
    return this.replica.read(async (topology) => {
      const domains = await this.numbersOf(options.domains);
      const factors = await this.factors.resolved();
      return expand(db, topology, { ids, domains, factors, limit: options.linkLimit ?? DEFAULT_LINK_LIMIT });
    });
  }

  personalizedPagerank(seeds: readonly PprSeed[], options: PprOptions = {}): Promise<PprResult> {
    return this.replica.read(async (topology) => {
      const factors = await this.factors.resolved();
      const domains = await this.numbersOf(options.domains);
      return this.pagerank.run(topology, seeds, { options, domains, factors });
    });
  }

  setEdgeFactors(factors: ReadonlyMap<string, number>): void {
    this.factors.set(factors);
  }

  async statistics(domains?: readonly string[]): Promise<GraphStatistics> {
    return totals(await this.domainInfos(domains));
  }

  version(): Promise<number> {
    return this.current.read();
  }

  sourceVersions(options: { readonly after?: string; readonly limit: number }): Promise<SourceVersions[]> {
    return sourceVersions(this.store.db, options);
  }

  exportSources(ids: readonly string[]): Promise<SourceExport[]> {
    return exportSources(this.store.db, ids);
  }

  checkpoint(): Promise<string> {
    return this.saved.make();
  }

  listCheckpoints(): Promise<CheckpointInfo[]> {
    return this.saved.list();
  }

  restore(checkpointId: string, scope?: WriteScope): Promise<Restored> {
    return this.saved.restore(checkpointId, scope);
  }

  deleteCheckpoint(checkpointId: string): Promise<void> {
    return this.saved.delete(checkpointId);
  }

  /** Numbers of the named domains; null means all. */
  private async numbersOf(names: readonly string[] | undefined): Promise<ReadonlySet<number> | null> {
    if (names === undefined || names.length === 0) return null;
    return new Set((await this.recent.domains(names)).map((row) => row.ref));
  }

  private async domainInfos(names?: readonly string[]): Promise<DomainInfo[]> {
    return (await this.recent.domains(names)).map(({ ref: _, ...info }) => info);
  }
}
