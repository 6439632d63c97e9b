import type { Store, WriteScope } from '../backends/store/scope.js';
import { type Clock, systemClock } from '../core/clock.js';
import { defaultTemplates, type EdgeTemplate } from '../core/derive-rules.js';
import type { DomainInfo, GraphEdge, GraphNode, GraphRule, Manifest, SourceInfo } from '../core/model.js';
import { CHANGE_LIMITS, type ChangeLimits } from './changes.js';
import { Checkpoints } from './checkpoint/checkpoint.js';
import { withContradictions } from './contradicting-rules.js';
import { type GraphEdits, LedgerEdits } from './edits/edits.js';
import { checkDomain } from './manifest/check-manifest.js';
import type { SourceExport, SourceVersions } from './manifest/exported.js';
import { type ConceptMerges, LedgerMerges } from './merge/merges.js';
import { CurrentVersion } from './read/current-version.js';
import { DerivedRules } from './read/derived/derived-rules.js';
import { exportSources, sourceVersions } from './read/export.js';
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
import { activeKeys, hasPassages, keyInfos, passagesMentioning } from './read/read-keys.js';
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
  KeyInfo,
  Mentions,
  NodeSource,
  PassageRecord,
  Restored,
} from './types.js';
import { GraphWriter } from './write/graph-writer.js';
import { findSources } from './write/source-change.js';

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
    this.current = new CurrentVersion(store.db);
    this.writer = new GraphWriter(store, clock, limits);
    this.merges = new LedgerMerges(store, this.writer);
    this.edits = new LedgerEdits(store, this.writer);
    this.recent = new RecentRows(store.db, this.current);
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

  async getDomain(name: string): Promise<DomainInfo | null> {
    return (await this.domainInfos([name]))[0] ?? null;
  }

  listDomains(): Promise<DomainInfo[]> {
    return this.domainInfos();
  }

  deleteDomain(name: string, scope?: WriteScope): Promise<string[]> {
    return this.writer.deleteDomain(name, scope);
  }

  async getNode(id: string): Promise<GraphNode | null> {
    return (await this.recent.nodes([id]))[0] ?? null;
  }

  getNodes(ids: readonly string[], scope?: WriteScope): Promise<GraphNode[]> {
    return scope === undefined ? this.recent.nodes(ids) : nodesOf(scope.db, ids);
  }

  async findNodes(options: NodeFilter = {}): Promise<GraphNode[]> {
    return findNodes(this.store.db, checkedFilter(options, NODE_FILTER));
  }

  async getEdges(options: EdgeFilter = {}): Promise<GraphEdge[]> {
    return findEdges(this.store.db, checkedFilter(options, EDGE_FILTER));
  }

  async getRules(options: RuleFilter = {}): Promise<GraphRule[]> {
    const filter = checkedFilter(options, RULE_FILTER);
    return findRules(await this.ruleReader(filter), filter);
  }

  async pageOfRules(filter: RuleFilter, page: { readonly offset: number; readonly limit: number }): Promise<RulePage> {
    const version = await this.version();
    const derived = async () => this.derived.entries(version, await this.recent.domains());
    return pageOfRules({ ...(await this.ruleReader(filter)), derived }, filter, page);
  }

  async markContradictions(rules: readonly GraphRule[]): Promise<GraphRule[]> {
    if (rules.length === 0) return [];
    return withContradictions(await this.ruleReader({ domains: [...new Set(rules.map((r) => r.domain))] }), rules);
  }

  private async ruleReader(filter: RuleFilter): Promise<RuleReader> {
    const domains = await this.recent.domains(filter.domains);
    return { db: this.store.db, domains, templates: this.templates, recent: this.recent };
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

  sourceKeys(filter: SourceKeyFilter): Promise<SourceKeyInfo[]> {
    return sourceKeys(this.store.db, filter);
  }

  async existingSources(ids: readonly string[]): Promise<Set<string>> {
    return new Set((await findSources(this.store.db, ids)).keys());
  }

  nodeSources(ids: readonly string[]): Promise<Map<string, NodeSource>> {
    return sourcesOfNodes(this.store.db, ids);
  }

  sourceConcepts(sourceId: string): Promise<string[]> {
    return conceptsOfSource(this.store.db, sourceId);
  }

  pendingEdgeWarnings(sourceId: string): Promise<string[]> {
    return pendingWarningsOfSource(this.store.db, sourceId);
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

  async statistics(domains?: readonly string[]): Promise<GraphStatistics> {
    return totals(await this.domainInfos(domains));
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

  private async domainInfos(names?: readonly string[]): Promise<DomainInfo[]> {
    return (await this.recent.domains(names)).map(({ ref: _, ...info }) => info);
  }
}
