import type {
  CheckpointInfo,
  GraphDelta,
  Mentions,
  NodeSource,
  Restored,
  SourceFilter,
  SourceKeyFilter,
  SourceKeyInfo,
} from '../../../../src/backends/graph/port.js';
import { type Clock, isoTime } from '../../../../src/core/clock.js';
import { SvcError } from '../../../../src/core/errors.js';
import { hash20 } from '../../../../src/core/ids.js';
import type { DomainInfo, SourceInfo } from '../../../../src/core/model.js';
import {
  differencesOf,
  type NodeFingerprints,
  nodeFingerprint,
} from '../../../../src/ledger/checkpoint/node-fingerprints.js';
import { type Asserted, compare } from '../../../../src/ledger/manifest/asserted.js';
import { type Load, NOTHING } from '../../../../src/ledger/manifest/loads.js';
import { taken } from '../../../../src/ledger/manifest/source-change.js';
import { totals } from '../../../../src/ledger/read/totals.js';
import { differences, pendingWarningsOf, sourceCounts } from './delta.js';
import { keysOf } from './source-keys.js';
import { equal, type KnownPassage, merged, type Source } from './state.js';
import { type DomainView, deriveView } from './view.js';

interface Saved extends CheckpointInfo {
  readonly descriptions: ReadonlyMap<string, string>;
  readonly created: ReadonlySet<string>;
  readonly asserted: ReadonlyMap<string, Source>;
}

/** All assertions: what each source asserts. Sources are never changed in place, so a checkpoint is a shallow copy. */
export class Assertions {
  version = 0;
  private descriptions = new Map<string, string>();
  /** Domains that somebody created by name: they stay when their last source is forgotten. */
  private created = new Set<string>();
  private asserted = new Map<string, Source>();
  private readonly views = new Map<string, DomainView>();
  private readonly saved = new Map<string, Saved>();

  constructor(private readonly clock: Clock) {}

  hasDomain(name: string): boolean {
    return this.descriptions.has(name);
  }

  /** Known domains among `names` (all without, or with none), in order. */
  domains(names?: readonly string[]): string[] {
    const all = [...this.descriptions.keys()].sort(compare);
    return names === undefined || names.length === 0 ? all : all.filter((name) => names.includes(name));
  }

  createDomain(name: string, description?: string): DomainInfo {
    const known = this.descriptions.get(name);
    this.created.add(name);
    if (known === undefined || (description !== undefined && description !== known)) {
      this.descriptions.set(name, description ?? known ?? '');
      this.wrote(name);
    }
    return this.domainInfo(name);
  }

  deleteDomain(name: string): string[] {
    if (!this.hasDomain(name)) throw new SvcError('domain_not_found', `Domain ${name} does not exist.`);
    const ids = [...this.view(name).nodes.keys()].sort(compare);
    for (const source of this.sourcesOf(name)) this.asserted.delete(source.id);
    this.descriptions.delete(name);
    this.created.delete(name);
    this.wrote(name);
    return ids;
  }

  domainInfo(name: string): DomainInfo {
    const view = this.view(name);
    return {
      name,
      description: this.descriptions.get(name) ?? '',
      concept_count: view.nodes.size - view.passages.size,
      edge_count: view.edges.size,
      rule_count: view.rules.size,
      passages: view.passages.size,
    };
  }

  view(domain: string): DomainView {
    let view = this.views.get(domain);
    if (view === undefined) {
      view = deriveView(domain, this.sourcesOf(domain));
      this.views.set(domain, view);
    }
    return view;
  }

  source(id: string): Source | undefined {
    return this.asserted.get(id);
  }

  /** The source of each passage and of each concept's visible assertion. */
  sourcesOfNodes(ids: readonly string[]): Map<string, NodeSource> {
    const found = new Map<string, NodeSource>();
    for (const id of ids) {
      const view = this.view(id.slice(0, id.indexOf(':')));
      const source = this.source(view.passages.get(id)?.source_id ?? view.conceptSources.get(id) ?? '');
      if (source !== undefined) found.set(id, { source_id: source.id, label: source.ref.label });
    }
    return found;
  }

  /** What the edges of a source wait for. */
  pendingWarnings(id: string): string[] {
    const source = this.source(id);
    return source === undefined ? [] : pendingWarningsOf(this.view(source.ref.domain), source);
  }

  sources(filter: SourceFilter): SourceInfo[] {
    return [...this.asserted.values()]
      .filter(({ id, ref }) => (filter.source_id ?? id) === id && (filter.domain ?? ref.domain) === ref.domain)
      .filter(({ ref }) => filter.domains?.includes(ref.domain) ?? true)
      .filter(({ ref }) => (filter.kind ?? ref.kind) === ref.kind && (filter.key ?? ref.key) === ref.key)
      .filter(({ id }) => filter.after === undefined || id > filter.after)
      .sort((a, b) => compare(a.id, b.id))
      .slice(0, filter.limit)
      .map(({ id, ref, content_hash, updated_at }) => {
        const counts = sourceCounts(this.view(ref.domain), this.asserted.get(id));
        return { source_id: id, ...ref, content_hash, ...counts, updated_at };
      });
  }

  keys(filter: SourceKeyFilter): SourceKeyInfo[] {
    return keysOf([...this.asserted.values()], filter);
  }

  /** All of them or none, as one write: ties between their assertions fall to the source id. */
  ingestAll(loads: readonly Load[]): GraphDelta[] {
    const { version, descriptions, asserted } = this;
    this.descriptions = new Map(descriptions);
    this.asserted = new Map(asserted);
    try {
      const deltas = loads.map((load) => this.ingest(load, version + 1));
      this.version = Math.min(this.version, version + 1);
      return deltas;
    } catch (error) {
      Object.assign(this, { version, descriptions, asserted });
      this.views.clear();
      throw error;
    }
  }

  private ingest({ manifest, asserted, id }: Load, version: number): GraphDelta {
    const before = this.asserted.get(id);
    const append = manifest.append === true;
    const same = !append && before?.content_hash === manifest.content_hash;
    const head = { id, ref: manifest.source, content_hash: manifest.content_hash, updated_at: isoTime(this.clock()) };
    const after = same ? null : merged(head, { asserted, before, append, version });
    if (after === null) return this.delta(manifest.domain, { id, unchanged: true });
    this.checkIds(manifest.domain, asserted, id);
    return this.replace(manifest.domain, { id, after, rematched: manifest.rematched });
  }

  forget(id: string, rematched: Mentions | undefined): GraphDelta | null {
    const source = this.asserted.get(id);
    if (source === undefined) return null;
    const { domain } = source.ref;
    const delta = this.replace(domain, { id, after: undefined, rematched });
    if (!this.created.has(domain) && this.sourcesOf(domain).length === 0) this.descriptions.delete(domain);
    return delta;
  }

  setMentions(domain: string, passages: Mentions): void {
    if (this.mention(domain, passages)) this.wrote(domain);
  }

  checkpoint(): string {
    const created_at = isoTime(this.clock());
    const id = hash20('checkpoint', created_at, String(this.version), String(this.saved.size));
    const { concepts, passages, edges } = totals(this.domains().map((name) => this.domainInfo(name)));
    const info = { id, created_at, version: this.version, nodes: concepts + passages, edges };
    this.saved.set(id, {
      ...info,
      descriptions: new Map(this.descriptions),
      created: new Set(this.created),
      asserted: new Map(this.asserted),
    });
    return id;
  }

  checkpoints(): CheckpointInfo[] {
    const all = [...this.saved.values()].sort((a, b) => compare(a.created_at, b.created_at) || compare(a.id, b.id));
    return all.map(({ id, created_at, version, nodes, edges }) => ({ id, created_at, version, nodes, edges }));
  }

  restore(id: string): Restored {
    const saved = this.savedAs(id);
    const before = this.fingerprints();
    this.descriptions = new Map(saved.descriptions);
    this.created = new Set(saved.created);
    this.asserted = new Map(saved.asserted);
    this.views.clear();
    this.version += 1;
    return differencesOf(before, this.fingerprints());
  }

  deleteCheckpoint(id: string): void {
    this.saved.delete(this.savedAs(id).id);
  }

  private fingerprints(): NodeFingerprints {
    const nodes = this.domains().flatMap((name) => [...this.view(name).nodes.values()]);
    return new Map(
      nodes
        .filter((node) => node.kind !== 'entity')
        .map((node) => [
          node.id,
          nodeFingerprint(node.kind, node.name, node.description, JSON.stringify(node.passage ?? null)),
        ]),
    );
  }

  private savedAs(id: string): Saved {
    const saved = this.saved.get(id);
    if (saved === undefined) throw new SvcError('checkpoint_not_found', `Checkpoint ${id} does not exist.`);
    return saved;
  }

  private sourcesOf(domain: string): Source[] {
    return [...this.asserted.values()].filter((source) => source.ref.domain === domain);
  }

  private replace(
    domain: string,
    change: { readonly id: string; readonly after: Source | undefined; readonly rematched: Mentions | undefined },
  ): GraphDelta {
    const before = this.view(domain);
    if (!this.hasDomain(domain)) this.descriptions.set(domain, '');
    if (change.after === undefined) this.asserted.delete(change.id);
    else this.asserted.set(change.id, change.after);
    this.mention(domain, change.rematched ?? []);
    this.wrote(domain);
    return this.delta(domain, { id: change.id, unchanged: false, before });
  }

  private delta(
    domain: string,
    { id, unchanged, before }: { id: string; unchanged: boolean; before?: DomainView },
  ): GraphDelta {
    const after = this.view(domain);
    const source = this.asserted.get(id);
    const difference = before === undefined ? NOTHING : differences(before, after);
    return {
      source_id: id,
      unchanged,
      ...difference,
      ...sourceCounts(after, source),
      warnings: pendingWarningsOf(after, source),
    };
  }

  /** True where a passage's mentions differ from what they were. */
  private mention(domain: string, passages: Mentions): boolean {
    let changed = false;
    for (const { id, mentions } of passages) {
      const source = this.sourcesOf(domain).find((candidate) => candidate.passages.has(id));
      const passage = source?.passages.get(id);
      if (source === undefined || passage === undefined || equal(passage.mentions, mentions)) continue;
      const known: KnownPassage = { ...passage, mentions };
      this.asserted.set(source.id, { ...source, passages: new Map(source.passages).set(id, known) });
      changed = true;
    }
    return changed;
  }

  private checkIds(domain: string, asserted: Asserted, id: string): void {
    const { nodes, passages } = this.view(domain);
    for (const passage of asserted.passages.keys()) {
      const owner = passages.get(passage)?.source_id ?? (nodes.get(passage)?.kind === 'concept' ? 'a concept' : id);
      if (owner !== id || asserted.concepts.has(passage)) throw taken(passage);
    }
    for (const concept of asserted.concepts.keys()) if (passages.has(concept)) throw taken(concept);
  }

  private wrote(domain: string): void {
    this.views.delete(domain);
    this.version += 1;
  }
}
