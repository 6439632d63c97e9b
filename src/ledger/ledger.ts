import type { Store, WriteScope } from '../backends/store/scope.js';
import { type Clock, systemClock } from '../core/clock.js';
import { defaultTemplates, type EdgeTemplate } from '../core/derive-rules.js';
import type { DomainInfo, GraphEdge, GraphNode, GraphRule, Manifest, SourceInfo } from '../core/model.js';
import { CHANGE_LIMITS, type ChangeLimits } from './changes.js';
import { Checkpoints } from './checkpoint/checkpoint.js';
import { withContradictions } from './contradicting-rules.js';
import { GraphEdits } from './edits/edits.js';
import { checkDomain } from './manifest/check-manifest.js';
import { ConceptMerges } from './merge/merges.js';
import { CurrentVersion } from './read/current-version.js';
import { DerivedRules } from './read/derived/derived-rules.js';
import {
  checkedFilter,
  EDGE_FILTER,
  type EdgeFilter,
  NODE_FILTER,
  type NodeFilter,
  RULE_FILTER,
  type RuleFilter,
  type RulePage,
  type SourceFilter,
  type SourceKeyFilter,
  type SourceKeyInfo,
} from './read/filters.js';
import { findEdges } from './read/read-edges.js';
import { activeKeys, allActiveKeys, hasPassages, keyInfos, passagesMentioning } from './read/read-keys.js';
import { domainRows, findNodes, nodesOf, recordsOf, recordsOfSource } from './read/read-nodes.js';
import { findRules, type RuleReader } from './read/read-rules.js';
import { RecentRows } from './read/recent-rows.js';
import { pageOfRules } from './read/rule-page.js';
import { listSources } from './read/sources/list-sources.js';
import { conceptsOfSource, pendingWarningsOfSource, sourcesOfNodes } from './read/sources/read-sources.js';
import { sourceKeys } from './read/sources/source-keys.js';
import { totals } from './read/totals.js';
import type {
  CheckpointInfo,
  ForgetOptions,
  GraphDelta,
  GraphStatistics,
  IngestOptions,
  KeyInfo,
  Mentions,
  NodeSource,
  PassageRecord,
  Restored,
} from './types.js';
import { GraphWriter } from './write/graph-writer.js';
import { findSources } from './write/source-rows.js';

export interface LedgerOptions {
  /** Of derived rules; without any there are none. */
  readonly templates?: readonly EdgeTemplate[];
  readonly clock?: Clock;
  /** What of the change log is kept; default 20,000 changes, 256 MB. */
  readonly changes?: ChangeLimits;
}

/**
 * The graph in the SQL store: what sources assert, and the visible records derived from it. Every write is one numbered
 * change that engines follow. Questions about the graph's shape go to an engine (`LedgerGraph`).
 */
export class Ledger {
  protected readonly current: CurrentVersion;
  protected readonly recent: RecentRows;
  readonly merges: ConceptMerges;
  readonly edits: GraphEdits;
  private readonly writer: GraphWriter;
  private readonly saved: Checkpoints;
  private readonly templates: ReadonlyMap<string, EdgeTemplate>;
  private readonly derived: DerivedRules;

  constructor(
    readonly store: Store,
    options: LedgerOptions = {},
  ) {
    const clock = options.clock ?? systemClock;
    const limits = options.changes ?? CHANGE_LIMITS;
    this.current = new CurrentVersion(store);
    this.writer = new GraphWriter(store, clock, limits);
    this.merges = new ConceptMerges(store, this.writer);
    this.edits = new GraphEdits(store, this.writer);
    this.recent = new RecentRows(store, this.current);
    this.saved = new Checkpoints(store, clock, limits);
    this.templates = defaultTemplates(options.templates ?? []);
    this.derived = new DerivedRules(store.db, this.templates);
  }

  /** Returns the graph's version, which grows with every committed write. */
  version(): Promise<number> {
    return this.current.read();
  }

  async createDomain(name: string, description?: string): Promise<DomainInfo> {
    checkDomain(name);
    await this.writer.createDomain(name, description);
    return (await this.getDomain(name))!;
  }

  /** Returns a domain; null if absent. */
  async getDomain(name: string): Promise<DomainInfo | null> {
    return (await this.domainInfos([name]))[0] ?? null;
  }

  listDomains(): Promise<DomainInfo[]> {
    return this.domainInfos();
  }

  /** Removes the domain with all it holds; returns the ids of the removed nodes. `domain_not_found` if absent. */
  deleteDomain(name: string, scope?: WriteScope): Promise<string[]> {
    return this.writer.deleteDomain(name, scope);
  }

  async getNode(id: string): Promise<GraphNode | null> {
    return (await this.recent.nodes([id]))[0] ?? null;
  }

  /** Returns nodes in the order of `ids`; absent ones are left out. */
  getNodes(ids: readonly string[], scope?: WriteScope): Promise<GraphNode[]> {
    return scope === undefined ? this.recent.nodes(ids) : nodesOf(scope.db, ids);
  }

  /** Returns nodes ordered by id. `pattern`: case-insensitive glob on the name; without wildcard, substring. */
  async findNodes(options: NodeFilter = {}): Promise<GraphNode[]> {
    return findNodes(this.store.db, checkedFilter(options, NODE_FILTER));
  }

  /** Returns the visible edges, ordered by id. */
  async getEdges(options: EdgeFilter = {}): Promise<GraphEdge[]> {
    return findEdges(this.store.db, checkedFilter(options, EDGE_FILTER));
  }

  /** Returns explicit and derived rules, ordered by id. */
  async getRules(options: RuleFilter = {}): Promise<GraphRule[]> {
    const filter = checkedFilter(options, RULE_FILTER);
    return findRules(await this.ruleReader(filter), filter);
  }

  /** Returns a page of what `getRules` returns, and how many these are, without reading them all again. */
  async pageOfRules(filter: RuleFilter, page: { readonly offset: number; readonly limit: number }): Promise<RulePage> {
    const version = await this.version();
    const derived = async () => this.derived.entries(version, await this.recent.domains());
    return pageOfRules({ ...(await this.ruleReader(filter)), derived }, filter, page);
  }

  /**
   * Returns these rules; one that contradicts visible rules of its domain, of whatever source, names at most 20 of them by
   * id under `metadata.contradicts`: an explicit rule those that say the same with opposite polarity, a derived rule those
   * of opposite edges (an edge without a rule by its own id).
   */
  async markContradictions(rules: readonly GraphRule[]): Promise<GraphRule[]> {
    if (rules.length === 0) return [];
    return withContradictions(await this.ruleReader({ domains: [...new Set(rules.map((r) => r.domain))] }), rules);
  }

  private async ruleReader(filter: RuleFilter): Promise<RuleReader> {
    const domains = await this.recent.domains(filter.domains);
    return { db: this.store.db, domains, templates: this.templates, recent: this.recent };
  }

  /** Writes a manifest, all or nothing. The same content again changes nothing; other content replaces the source's. */
  async ingestManifest(manifest: Manifest, scope?: WriteScope, options?: IngestOptions): Promise<GraphDelta> {
    return (await this.ingestManifests([manifest], scope, options))[0]!;
  }

  /** Writes many small sources together, all or none; returns one delta each, in order. */
  ingestManifests(
    manifests: readonly Manifest[],
    scope?: WriteScope,
    options: IngestOptions = {},
  ): Promise<GraphDelta[]> {
    return this.writer.ingest(manifests, { ...options, scope });
  }

  /** Undoes exactly what that source alone asserted. Unknown source: null. `rematched` as in a manifest. */
  forgetSource(sourceId: string, options: ForgetOptions = {}): Promise<GraphDelta | null> {
    return this.writer.forget(sourceId, options);
  }

  /** Returns how many nodes, names in texts too, the write of a scope has removed so far. */
  removedBy(scope: WriteScope): number {
    return this.writer.removedBy(scope);
  }

  listSources(filter: SourceFilter = {}, scope?: WriteScope): Promise<SourceInfo[]> {
    return listSources(scope?.db ?? this.store.db, filter);
  }

  /** Returns a page of the keys of sources that start with a prefix, by domain and key. */
  sourceKeys(filter: SourceKeyFilter): Promise<SourceKeyInfo[]> {
    return sourceKeys(this.store.db, filter);
  }

  /** Returns the sources among these that exist. */
  async existingSources(ids: readonly string[]): Promise<Set<string>> {
    return new Set((await findSources(this.store.db, ids)).keys());
  }

  /** Returns the source of each passage, and of each concept's visible assertion; leaves entities out. */
  nodeSources(ids: readonly string[]): Promise<Map<string, NodeSource>> {
    return sourcesOfNodes(this.store.db, ids);
  }

  /** Returns the ids of the concepts that a source asserts, in order; none for an unknown source. */
  sourceConcepts(sourceId: string): Promise<string[]> {
    return conceptsOfSource(this.store.db, sourceId);
  }

  /** Returns what `GraphDelta.warnings` says of edges that wait for an endpoint; none for an unknown source. */
  pendingEdgeWarnings(sourceId: string): Promise<string[]> {
    return pendingWarningsOfSource(this.store.db, sourceId);
  }

  // What linking needs: after `ingestManifest`, `forgetSource` (and inside the same write) it reads key states, matches
  // the new passages and those touched by `GraphDelta.keys`, and hands the mentions over.

  /** Replaces the mentions of these passages, and with them entities and document frequencies; the same version step. */
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
    return keyInfos(db, rows, keys);
  }

  /** Returns the keys among these that are active in the domain (see `GraphDelta.keys`): fast, also for many thousands. */
  async activeKeys(domain: string, keys: readonly string[], scope?: WriteScope): Promise<Set<string>> {
    const { db, ref } = await this.domainFor(domain, scope);
    return ref === undefined ? new Set() : activeKeys(db, ref, keys);
  }

  /** Returns all active keys of the domain; undefined where finding them means reading more than about `most` rows. */
  async allActiveKeys(domain: string, most: number, scope?: WriteScope): Promise<Set<string> | undefined> {
    const { db, ref } = await this.domainFor(domain, scope);
    return ref === undefined ? new Set() : allActiveKeys(db, ref, most);
  }

  /** Returns false where the domain has no passage at all, so that nothing in it can be linked. */
  async hasPassages(domain: string, scope?: WriteScope): Promise<boolean> {
    const { db, ref } = await this.domainFor(domain, scope);
    return ref !== undefined && hasPassages(db, ref);
  }

  /** Returns the passages that now mention one of the keys. */
  async passagesMentioning(domain: string, keys: readonly string[], scope?: WriteScope): Promise<string[]> {
    const { db, ref } = await this.domainFor(domain, scope);
    return ref === undefined ? [] : passagesMentioning(db, ref, keys);
  }

  /** Returns the number of a domain (none where it is absent), and what to read it with: a write reads the number once. */
  private async domainFor(name: string, scope: WriteScope | undefined) {
    const { db } = scope ?? this.store;
    const domain = scope === undefined ? (await domainRows(db, [name]))[0] : await this.writer.domain(name, scope);
    return { db, ref: domain?.ref };
  }

  passageRecords(ids: readonly string[], scope?: WriteScope): Promise<PassageRecord[]> {
    return scope === undefined
      ? recordsOf(this.store.db, ids, (refs) => this.recent.keys(refs))
      : recordsOf(scope.db, ids);
  }

  sourcePassages(sourceId: string, scope?: WriteScope): Promise<PassageRecord[]> {
    return recordsOfSource(scope?.db ?? this.store.db, sourceId);
  }

  /** Returns the statistics of these domains (all without). */
  async statistics(domains?: readonly string[]): Promise<GraphStatistics> {
    return totals(await this.domainInfos(domains));
  }

  /** Makes a consistent copy of the graph; returns its id. */
  checkpoint(): Promise<string> {
    return this.saved.make();
  }

  listCheckpoints(): Promise<CheckpointInfo[]> {
    return this.saved.list();
  }

  /** Puts a checkpoint back, all or nothing (`checkpoint_not_found`). Returns what text and vectors must follow. */
  restore(checkpointId: string, scope?: WriteScope): Promise<Restored> {
    return this.saved.restore(checkpointId, scope);
  }

  deleteCheckpoint(checkpointId: string): Promise<void> {
    return this.saved.delete(checkpointId);
  }

  private async domainInfos(names?: readonly string[]): Promise<DomainInfo[]> {
    return (await this.recent.domains(names)).map(({ ref: _, ...info }) => info);
  }
}
