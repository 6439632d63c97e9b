import { systemClock } from '../../core/clock.js';
import { defaultTemplates, type EdgeTemplate } from '../../core/derive-rules.js';
import { SvcError } from '../../core/errors.js';
import type { DomainInfo, GraphEdge, GraphNode, GraphRule, Manifest, SourceInfo } from '../../core/model.js';
import type { LedgerOptions as GraphOptions } from '../../ledger/ledger.js';
import { compare } from '../../ledger/manifest/asserted.js';
import { checkDomain } from '../../ledger/manifest/check-manifest.js';
import type { SourceExport, SourceVersions } from '../../ledger/manifest/exported.js';
import { Neo4jConnection, type Neo4jOptions, type Params, type Row } from '../neo4j-connection.js';
import type { GraphCheckpoints } from './neo4j/checkpoint/checkpoints.js';
import { exportSources, identityOf, sourceVersions } from './neo4j/checkpoint/export.js';
import { Pagerank, type PagerankOptions, type PprMode } from './neo4j/rank/pagerank.js';
import { expand } from './neo4j/read/expand.js';
import { findEdges, neighbourhood } from './neo4j/read/read-edges.js';
import { activeKeys, lookUp, mentioning } from './neo4j/read/read-keys.js';
import { domainInfos, findNodes, nodesOf, recordsOf, recordsOfSource, statisticsOf } from './neo4j/read/read-nodes.js';
import { findRules } from './neo4j/read/read-rules.js';
import { conceptsOfSource, listSources, waitingOfSource } from './neo4j/read/read-sources.js';
import { Reader } from './neo4j/read/reader.js';
import { ensureSchema } from './neo4j/schema.js';
import { checkServer } from './neo4j/server-version.js';
import { Gathered } from './neo4j/write/gathered.js';
import { GraphWriter } from './neo4j/write/graph-writer.js';
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
import { addEdge, addNode, addRule } from './single.js';
import { DEFAULT_LINK_LIMIT } from './weights.js';

export interface Neo4jGraphOptions extends GraphOptions, Omit<PagerankOptions, 'mode'> {
  /** Which PageRank serves queries; default `auto`: what was measured to cost less. */
  readonly ppr?: PprMode;
  /** Elements of a load up to which it goes in in one transaction; larger ones are staged. Default 50,000. */
  readonly atOnce?: number;
  /** Where checkpoints lie; without it there are none. */
  readonly checkpoints?: (connection: Neo4jConnection) => GraphCheckpoints;
}

/**
 * The graph in a Neo4j database: what sources assert and what is seen of it lie there, nothing is kept here but the pool
 * of connections. Made from an address, or from a connection that other adapters share.
 */
export class Neo4jGraph implements GraphBackend {
  readonly kind = 'neo4j';
  readonly joinsStore = false;
  readonly connection: Neo4jConnection;
  private readonly reader: Reader;
  private readonly writer: GraphWriter;
  private readonly pagerank: Pagerank;
  private readonly saved: GraphCheckpoints | undefined;
  private readonly templates: ReadonlyMap<string, EdgeTemplate>;
  private factors: ReadonlyMap<string, number> = new Map();
  private readonly domains: Gathered<DomainInfo>;
  private readonly nodes: Gathered<GraphNode>;
  private connected = false;

  constructor(address: Neo4jOptions | Neo4jConnection, options: Neo4jGraphOptions = {}) {
    this.connection = address instanceof Neo4jConnection ? address : new Neo4jConnection(address);
    this.reader = new Reader(this.connection);
    this.domains = new Gathered(
      (names) => domainInfos(this.reader, names),
      (info) => info.name,
    );
    this.nodes = new Gathered(
      (ids) => nodesOf(this.reader, ids),
      (node) => node.id,
    );
    const clock = options.clock ?? systemClock;
    this.writer = new GraphWriter(this.connection, { clock, atOnce: options.atOnce });
    this.pagerank = new Pagerank(this.connection, this.reader, { ...options, mode: options.ppr ?? 'auto' });
    this.saved = options.checkpoints?.(this.connection);
    this.templates = defaultTemplates(options.templates ?? []);
  }

  get ppr(): 'gds' | 'local' {
    return this.pagerank.path;
  }

  /** Waits for the server, then makes what constraints and indexes are missing. */
  async connect(): Promise<void> {
    await this.connection.connect();
    try {
      await checkServer(this.connection);
      await ensureSchema(this.connection);
      await this.saved?.resume();
      await this.pagerank.connect();
    } catch (error) {
      await this.connection.disconnect();
      throw error;
    }
    this.connected = true;
  }

  async disconnect(): Promise<void> {
    if (!this.connected) return;
    this.connected = false;
    await this.connection.disconnect();
  }

  isConnected(): boolean {
    return this.connected;
  }

  health(): Promise<void> {
    return this.connection.health();
  }

  /** Any Cypher; writes only with `access: 'write'`. `invalid_input` for mistakes in it. */
  query<T extends Row = Row>(
    cypher: string,
    params: Params = {},
    options: { readonly access?: 'read' | 'write'; readonly timeout?: number } = {},
  ): Promise<T[]> {
    return this.connection.query<T>(cypher, params, options);
  }

  async createDomain(name: string, description?: string): Promise<DomainInfo> {
    checkDomain(name);
    await this.writer.createDomain(name, description);
    return (await this.getDomain(name))!;
  }

  async getDomain(name: string): Promise<DomainInfo | null> {
    return (await this.domains.get([name])).get(name) ?? null;
  }

  async listDomains(): Promise<DomainInfo[]> {
    return (await domainInfos(this.reader)).sort((a, b) => compare(a.name, b.name));
  }

  deleteDomain(name: string): Promise<string[]> {
    return this.writer.deleteDomain(name);
  }

  addNode(node: Parameters<GraphBackend['addNode']>[0]): Promise<GraphNode> {
    return addNode(this, node);
  }

  async getNode(id: string): Promise<GraphNode | null> {
    return (await this.nodes.get([id])).get(id) ?? null;
  }

  async getNodes(ids: readonly string[]): Promise<GraphNode[]> {
    const nodes = await this.nodes.get(ids);
    return ids.flatMap((id) => nodes.get(id) ?? []);
  }

  findNodes(options: NodeFilter = {}): Promise<GraphNode[]> {
    return findNodes(this.reader, options);
  }

  addEdge(edge: Parameters<GraphBackend['addEdge']>[0]): Promise<void> {
    return addEdge(this, edge);
  }

  getEdges(filter: EdgeFilter): Promise<GraphEdge[]> {
    return findEdges(this.reader, filter);
  }

  addRule(rule: Parameters<GraphBackend['addRule']>[0]): Promise<GraphRule> {
    return addRule(this, rule);
  }

  getRules(filter: RuleFilter = {}): Promise<GraphRule[]> {
    return findRules(this.reader, this.templates, filter);
  }

  async ingestManifest(manifest: Manifest): Promise<GraphDelta> {
    return (await this.writer.ingest([manifest]))[0]!;
  }

  ingestManifests(manifests: readonly Manifest[]): Promise<GraphDelta[]> {
    return this.writer.ingest(manifests);
  }

  forgetSource(sourceId: string, options: ForgetOptions = {}): Promise<GraphDelta | null> {
    return this.writer.forget(sourceId, options);
  }

  listSources(filter: SourceFilter = {}): Promise<SourceInfo[]> {
    return listSources(this.reader, filter);
  }

  sourceConcepts(sourceId: string): Promise<string[]> {
    return conceptsOfSource(this.reader, sourceId);
  }

  waitingEdges(sourceId: string): Promise<string[]> {
    return waitingOfSource(this.reader, sourceId);
  }

  sourceVersions(options: { readonly after?: string; readonly limit: number }): Promise<SourceVersions[]> {
    return sourceVersions(this.reader, options);
  }

  exportSources(ids: readonly string[]): Promise<SourceExport[]> {
    return exportSources(this.reader, ids);
  }

  identity(): Promise<string> {
    return identityOf(this.connection);
  }

  neighbourhood(id: string, depth: number, limit = 200): Promise<Neighbourhood> {
    return neighbourhood(this.reader, { id, depth: Math.min(3, Math.max(1, depth)), limit });
  }

  setMentions(domain: string, passages: Mentions): Promise<void> {
    return this.writer.setMentions(domain, passages);
  }

  lookupKeys(domains: readonly string[] | undefined, keys: readonly string[]): Promise<KeyInfo[]> {
    return lookUp(this.reader, domains, keys);
  }

  activeKeys(domain: string, keys: readonly string[]): Promise<Set<string>> {
    return activeKeys(this.reader, domain, keys);
  }

  passagesMentioning(domain: string, keys: readonly string[]): Promise<string[]> {
    return mentioning(this.reader, domain, keys);
  }

  passageRecords(ids: readonly string[]): Promise<PassageRecord[]> {
    return recordsOf(this.reader, ids);
  }

  sourcePassages(sourceId: string): Promise<PassageRecord[]> {
    return recordsOfSource(this.reader, sourceId);
  }

  expand(
    ids: readonly string[],
    options: { domains?: readonly string[]; linkLimit?: number } = {},
  ): Promise<Expansion> {
    const limit = options.linkLimit ?? DEFAULT_LINK_LIMIT;
    return expand(this.reader, ids, { domains: options.domains, limit, factors: this.factors });
  }

  personalizedPagerank(seeds: readonly PprSeed[], options: PprOptions = {}): Promise<PprResult> {
    return this.pagerank.scores(seeds, options, this.factors);
  }

  setEdgeFactors(factors: ReadonlyMap<string, number>): void {
    this.factors = new Map(factors);
  }

  statistics(domains?: readonly string[]): Promise<GraphStatistics> {
    return statisticsOf(this.reader, domains);
  }

  async version(): Promise<number> {
    await this.reader.ask('UNWIND [] AS row RETURN row');
    return this.reader.version;
  }

  checkpoint(): Promise<string> {
    return this.checkpoints().make();
  }

  listCheckpoints(): Promise<CheckpointInfo[]> {
    return this.checkpoints().list();
  }

  restore(checkpointId: string): Promise<Restored> {
    return this.checkpoints().restore(checkpointId);
  }

  async resumeRestore(): Promise<boolean> {
    return (await this.saved?.resumeNow()) ?? true;
  }

  deleteCheckpoint(checkpointId: string): Promise<void> {
    return this.checkpoints().remove(checkpointId);
  }

  private checkpoints(): GraphCheckpoints {
    if (this.saved !== undefined) return this.saved;
    throw new SvcError('unavailable', 'This graph was opened without a place for checkpoints; pass `checkpoints`.');
  }
}
