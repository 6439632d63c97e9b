import type {
  CheckpointInfo,
  EdgeFilter,
  ExpandOptions,
  Expansion,
  ForgetOptions,
  GraphBackend,
  GraphDelta,
  GraphStatistics,
  KeyInfo,
  Mentions,
  Neighbourhood,
  NodeFilter,
  NodeSource,
  PassageRecord,
  PprOptions,
  PprResult,
  PprSeed,
  Restored,
  RuleFilter,
  RulePage,
  SourceFilter,
  SourceKeyFilter,
  SourceKeyInfo,
} from '../../../../src/backends/graph/port.js';
import { byPlace } from '../../../../src/backends/graph/sample.js';
import { addEdge, addNode, addRule } from '../../../../src/backends/graph/single.js';
import { DEFAULT_LINK_LIMIT } from '../../../../src/backends/graph/weights.js';
import { type Clock, systemClock } from '../../../../src/core/clock.js';
import type { EdgeTemplate } from '../../../../src/core/derive-rules.js';
import type { DomainInfo, GraphEdge, GraphNode, GraphRule, Manifest, SourceInfo } from '../../../../src/core/model.js';
import { compare } from '../../../../src/ledger/manifest/asserted.js';
import { checkDomain } from '../../../../src/ledger/manifest/check-manifest.js';
import { loadsOf } from '../../../../src/ledger/manifest/loads.js';
import { totals } from '../../../../src/ledger/read/totals.js';
import { arcsOf } from './arcs.js';
import { Assertions } from './assertions.js';
import { contradictingIn } from './contradicting.js';
import { isActive } from './delta.js';
import { expandView } from './expand.js';
import { powerIteration } from './pagerank.js';
import { keyInfo, matchingEdges, matchingNodes, neighbourhoodOf, rulesOf } from './read.js';
import { recordOf } from './state.js';
import type { DomainView } from './view.js';

export interface GraphOptions {
  /** Of derived rules; without any there are none. */
  readonly templates?: readonly EdgeTemplate[];
  readonly clock?: Clock;
}

/**
 * The reference graph: it keeps what sources assert and derives everything else again after each write. Simple and slow
 * on purpose; the contract suite compares the others with it.
 */
export class ReferenceGraph implements GraphBackend {
  readonly kind = 'memory';
  readonly ppr = 'push';
  readonly merges = null;
  readonly edits = null;
  private readonly assertions: Assertions;
  private readonly templates: readonly EdgeTemplate[];
  private factors: ReadonlyMap<string, number> = new Map();
  private connected = false;

  constructor(options: GraphOptions = {}) {
    this.assertions = new Assertions(options.clock ?? systemClock);
    this.templates = options.templates ?? [];
  }

  async connect(): Promise<void> {
    this.connected = true;
  }

  async disconnect(): Promise<void> {
    this.connected = false;
  }

  isConnected(): boolean {
    return this.connected;
  }

  async health(): Promise<void> {}

  async createDomain(name: string, description?: string): Promise<DomainInfo> {
    checkDomain(name);
    return this.assertions.createDomain(name, description);
  }

  async getDomain(name: string): Promise<DomainInfo | null> {
    return this.assertions.hasDomain(name) ? this.assertions.domainInfo(name) : null;
  }

  async listDomains(): Promise<DomainInfo[]> {
    return this.assertions.domains().map((name) => this.assertions.domainInfo(name));
  }

  async deleteDomain(name: string): Promise<string[]> {
    return this.assertions.deleteDomain(name);
  }

  async getNode(id: string): Promise<GraphNode | null> {
    return this.viewOf(id).nodes.get(id) ?? null;
  }

  async getNodes(ids: readonly string[]): Promise<GraphNode[]> {
    return ids.flatMap((id) => this.viewOf(id).nodes.get(id) ?? []);
  }

  async findNodes(options: NodeFilter = {}): Promise<GraphNode[]> {
    return matchingNodes(this.views(options.domain), options);
  }

  async getEdges(filter: EdgeFilter): Promise<GraphEdge[]> {
    return matchingEdges(this.views(filter.domain), filter);
  }

  async getRules(filter: RuleFilter = {}): Promise<GraphRule[]> {
    return this.assertions
      .domains(filter.domains)
      .flatMap((domain) => rulesOf(this.assertions.view(domain), filter, this.templates))
      .sort((a, b) => byId(a, b) || compare(a.domain, b.domain))
      .slice(0, filter.limit);
  }

  async pageOfRules(filter: RuleFilter, { offset, limit }: { offset: number; limit: number }): Promise<RulePage> {
    const found = await this.getRules(filter);
    const domains = new Set(found.map((rule) => rule.domain));
    return { rules: found.slice(offset, offset + limit), total: found.length, domain_count: domains.size };
  }

  readonly addNode: GraphBackend['addNode'] = (node) => addNode(this, node);
  readonly addEdge: GraphBackend['addEdge'] = (edge) => addEdge(this, edge);
  readonly addRule: GraphBackend['addRule'] = (rule) => addRule(this, rule);
  readonly markContradictions = (rules: readonly GraphRule[]) => contradictingIn(this, rules);

  async ingestManifest(manifest: Manifest): Promise<GraphDelta> {
    return this.assertions.ingestAll(await loadsOf([manifest]))[0]!;
  }

  async ingestManifests(manifests: readonly Manifest[]): Promise<GraphDelta[]> {
    return this.assertions.ingestAll(await loadsOf(manifests));
  }

  async forgetSource(id: string, options: ForgetOptions = {}): Promise<GraphDelta | null> {
    return this.assertions.forget(id, options.rematched);
  }

  async listSources(filter: SourceFilter = {}): Promise<SourceInfo[]> {
    return this.assertions.sources(filter);
  }

  async sourceKeys(filter: SourceKeyFilter): Promise<SourceKeyInfo[]> {
    return this.assertions.keys(filter);
  }

  async existingSources(ids: readonly string[]): Promise<Set<string>> {
    return new Set(ids.filter((id) => this.assertions.sources({ source_id: id }).length > 0));
  }

  async nodeSources(ids: readonly string[]): Promise<Map<string, NodeSource>> {
    return this.assertions.sourcesOfNodes(ids);
  }

  async sourceConcepts(sourceId: string): Promise<string[]> {
    return [...(this.assertions.source(sourceId)?.concepts.keys() ?? [])].sort(compare);
  }

  async pendingEdgeWarnings(sourceId: string): Promise<string[]> {
    return this.assertions.pendingWarnings(sourceId);
  }

  async neighbourhood(id: string, depth: number, limit = 200): Promise<Neighbourhood> {
    const view = this.viewOf(id);
    if (!view.nodes.has(id)) return { nodes: [], edges: [] };
    return neighbourhoodOf(view, id, { depth: Math.min(3, Math.max(1, depth)), limit });
  }

  async setMentions(domain: string, passages: Mentions): Promise<void> {
    this.assertions.setMentions(domain, passages);
  }

  async lookupKeys(domains: readonly string[] | undefined, keys: readonly string[]): Promise<KeyInfo[]> {
    const requested = this.assertions.domains(domains);
    const names = [...new Set(keys)].sort(compare);
    return names.flatMap((key) =>
      requested.flatMap((domain) => keyInfo(this.assertions.view(domain), domain, key) ?? []),
    );
  }

  async activeKeys(domain: string, keys: readonly string[]): Promise<Set<string>> {
    return new Set(keys.filter((key) => isActive(this.assertions.view(domain), key)));
  }

  async passagesMentioning(domain: string, keys: readonly string[]): Promise<string[]> {
    const view = this.assertions.view(domain);
    return [...new Set(keys.flatMap((key) => [...(view.keys.get(key)?.mentions.keys() ?? [])]))].sort(compare);
  }

  async passageRecords(ids: readonly string[]): Promise<PassageRecord[]> {
    return ids.flatMap((id) => {
      const passage = this.viewOf(id).passages.get(id);
      return passage === undefined ? [] : [recordOf(passage)];
    });
  }

  async sourcePassages(id: string): Promise<PassageRecord[]> {
    const passages = [...(this.assertions.source(id)?.passages.values() ?? [])];
    passages.sort((a, b) => a.order - b.order || byId(a, b));
    return passages.map((passage) => recordOf({ ...passage, source_id: id }));
  }

  async expand(
    ids: readonly string[],
    { domains, linkLimit = DEFAULT_LINK_LIMIT, incoming = false }: ExpandOptions = {},
  ): Promise<Expansion> {
    const parts = this.assertions.domains(domains).map((domain) => {
      const view = this.assertions.view(domain);
      const here = [...new Set(ids)].filter((id) => view.nodes.has(id)).sort(compare);
      return expandView(view, here, { linkLimit, factors: this.factors, incoming });
    });
    return {
      out: parts.flatMap((part) => part.out).sort(byPlace),
      in: parts.flatMap((part) => part.in).sort(byPlace),
      inlinks: new Map(parts.flatMap((part) => [...part.inlinks])),
      entities: parts.flatMap((part) => part.entities).sort((a, b) => compare(a.node, b.node) || compare(a.key, b.key)),
      shared: new Map(parts.flatMap((part) => [...part.shared])),
      edges: parts.flatMap((part) => part.edges).sort(byId),
    };
  }

  async personalizedPagerank(seeds: readonly PprSeed[], options: PprOptions = {}): Promise<PprResult> {
    const arcs = this.assertions
      .domains(options.domains)
      .flatMap((domain) => [...arcsOf(this.assertions.view(domain), this.factors)]);
    return { scores: powerIteration(new Map(arcs), seeds, options), method: 'exact', version: this.assertions.version };
  }

  setEdgeFactors(factors: ReadonlyMap<string, number>): void {
    this.factors = new Map(factors);
  }

  async statistics(domains?: readonly string[]): Promise<GraphStatistics> {
    return totals(this.assertions.domains(domains).map((name) => this.assertions.domainInfo(name)));
  }

  async version(): Promise<number> {
    return this.assertions.version;
  }

  async checkpoint(): Promise<string> {
    return this.assertions.checkpoint();
  }

  async listCheckpoints(): Promise<CheckpointInfo[]> {
    return this.assertions.checkpoints();
  }

  async restore(checkpointId: string): Promise<Restored> {
    return this.assertions.restore(checkpointId);
  }

  async deleteCheckpoint(checkpointId: string): Promise<void> {
    this.assertions.deleteCheckpoint(checkpointId);
  }

  private views(domain: string | undefined): DomainView[] {
    return this.assertions
      .domains(domain === undefined ? undefined : [domain])
      .map((name) => this.assertions.view(name));
  }

  private viewOf(id: string): DomainView {
    return this.assertions.view(id.slice(0, id.indexOf(':')));
  }
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return compare(a.id, b.id);
}
