import { fnv1a, type Random } from '../../src/core/random.js';
import type {
  DomainRecord,
  EdgeRecord,
  KeyRecord,
  MentionRecord,
  NodeRecord,
  RuleRecord,
} from '../../src/ledger/records.js';

/** Everything that is visible at one version. */
export interface Visible {
  readonly domains: ReadonlyMap<number, DomainRecord>;
  readonly nodes: ReadonlyMap<number, NodeRecord>;
  readonly keys: ReadonlyMap<number, KeyRecord>;
  readonly mentions: ReadonlyMap<number, MentionRecord>;
  /** By `src relation dst`. */
  readonly edges: ReadonlyMap<string, EdgeRecord>;
  /** By `domain id`. */
  readonly rules: ReadonlyMap<string, RuleRecord>;
}

export const NOTHING: Visible = {
  domains: new Map(),
  nodes: new Map(),
  keys: new Map(),
  mentions: new Map(),
  edges: new Map(),
  rules: new Map(),
};

const RELATIONS = ['REQUIRES', 'PART_OF', 'USES', 'MENTIONS'];
const WORDS = ['oak', 'tower', 'the ﬁber net', '東京タワー', 'c#', 'harbour', 'reach', 'o’brien'];

/** A made-up ledger that changes at random: what sources assert is drawn, what is visible follows from it. */
export class World {
  private next = 1;
  readonly domains = new Map<number, DomainRecord>();
  private readonly nodes = new Map<number, NodeRecord & { readonly about: ReadonlyMap<string, number> }>();
  /** Passage → key text → how often. */
  private readonly texts = new Map<number, ReadonlyMap<string, number>>();
  private readonly keyRefs = new Map<string, number>();
  private readonly edges = new Map<string, EdgeRecord>();
  private readonly rules = new Map<string, RuleRecord>();

  constructor(private readonly random: Random) {}

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private pick<T>(items: Iterable<T>): T | undefined {
    const all = [...items];
    return all[this.below(all.length)];
  }

  private ref(): number {
    this.next += 1 + this.below(3);
    return this.next;
  }

  /** Draws one to `most` steps. */
  change(most = 12): void {
    for (let n = 1 + this.below(most); n > 0; n -= 1) this.step();
  }

  private step(): void {
    const dice = this.below(20);
    if (this.domains.size === 0 || (dice === 0 && this.domains.size < 3)) this.addDomain();
    else if (dice < 7) this.addNode();
    else if (dice < 9) this.changeNode();
    else if (dice < 10) this.removeNode();
    else if (dice < 13) this.writeText();
    else if (dice < 17) this.writeEdge();
    else if (dice < 19) this.writeRule();
    else if (this.below(8) === 0) this.removeDomain();
  }

  addDomain(): void {
    const ref = this.ref();
    this.domains.set(ref, { ref, name: `d${ref}`, description: this.below(2) === 0 ? '' : `domain ${ref}` });
  }

  addNode(kind = this.pick(['concept', 'passage', 'entity'] as const)!): number {
    const domain = this.pick(this.domains.values())!;
    const ref = this.ref();
    const id = `${domain.name}:n${ref}`;
    this.nodes.set(ref, {
      ref,
      id,
      domain: domain.ref,
      domain_name: domain.name,
      kind,
      hash: fnv1a(id),
      ...this.drawn(kind),
      order: kind === 'passage' ? this.below(9) : null,
      message: null,
    });
    return ref;
  }

  private drawn(kind: NodeRecord['kind']) {
    const about = new Map<string, number>();
    for (let n = kind === 'entity' ? 0 : this.below(3); n > 0; n -= 1) about.set(this.pick(WORDS)!, this.below(2));
    return {
      name: `${this.pick(WORDS)} ${this.below(50)}`,
      description: kind === 'entity' ? '' : `said ${this.below(1000)} \u0000 "quoted"`,
      confidence: this.below(11) / 10,
      properties:
        this.below(3) === 0 ? { team: 'edge', tier: this.below(3), name: 'clash', deep: { a: [1, null] } } : {},
      sources: kind === 'entity' ? [] : [this.source()],
      about,
    };
  }

  private source() {
    const label = `file ${this.below(5)}`;
    return { id: label, label };
  }

  private changeNode(): void {
    const node = this.pick(this.nodes.values());
    if (node === undefined) return;
    const kind = node.kind === 'entity' ? 'concept' : node.kind;
    this.nodes.set(node.ref, { ...node, ...this.drawn(kind), kind });
  }

  private removeNode(): void {
    const node = this.pick(this.nodes.values());
    if (node !== undefined) this.dropNode(node.ref);
  }

  private dropNode(ref: number): void {
    this.nodes.delete(ref);
    this.texts.delete(ref);
    for (const [name, edge] of this.edges) if (edge.src === ref || edge.dst === ref) this.edges.delete(name);
    for (const [name, rule] of this.rules) {
      const concepts = rule.concepts.filter((concept) => concept !== ref);
      this.rules.set(name, { ...rule, concepts });
    }
  }

  private writeText(): void {
    const passage = this.pick([...this.nodes.values()].filter(({ kind }) => kind === 'passage'));
    if (passage === undefined) return;
    const keys = new Map<string, number>();
    for (let n = this.below(5); n > 0; n -= 1) keys.set(this.pick(WORDS)!, 1 + this.below(3));
    this.texts.set(passage.ref, keys);
  }

  private writeEdge(): void {
    const src = this.pick(this.nodes.values());
    const dst = this.pick([...this.nodes.values()].filter(({ domain }) => domain === src?.domain));
    if (src === undefined || dst === undefined) return;
    const relation = this.pick(RELATIONS)!;
    const name = `${src.ref} ${relation} ${dst.ref}`;
    const known = this.edges.get(name);
    if (known !== undefined && this.below(3) === 0) {
      this.edges.delete(name);
      return;
    }
    this.edges.set(name, {
      ref: known === undefined || this.below(2) === 0 ? this.ref() : known.ref,
      id: `${src.id}|${relation}|${dst.id}`,
      src: src.ref,
      dst: dst.ref,
      relation,
      confidence: this.below(11) / 10,
      properties: this.below(2) === 0 ? {} : { since: 2000 + this.below(20) },
      sources: [this.source()],
    });
  }

  private writeRule(): void {
    const domain = this.pick(this.domains.values())!;
    const id = `rule:${this.below(6)}`;
    const name = `${domain.ref} ${id}`;
    if (this.rules.has(name) && this.below(3) === 0) {
      this.rules.delete(name);
      return;
    }
    const concepts = [...this.nodes.values()].filter((node) => node.domain === domain.ref && node.kind === 'concept');
    const touched = new Set([this.pick(concepts)?.ref, this.pick(concepts)?.ref].filter((ref) => ref !== undefined));
    this.rules.set(name, {
      ref: this.rules.get(name)?.ref ?? this.ref(),
      domain: domain.ref,
      domain_name: domain.name,
      id,
      text: `Never ${this.below(100)}.`,
      category: 'general',
      confidence: 1,
      metadata: this.below(2) === 0 ? {} : { form: 'obligation' },
      concepts: [...touched].sort((a, b) => a - b),
      sources: [this.source()],
    });
  }

  private removeDomain(): void {
    const domain = this.pick(this.domains.values())!;
    this.domains.delete(domain.ref);
    for (const node of [...this.nodes.values()]) if (node.domain === domain.ref) this.dropNode(node.ref);
    for (const [name, rule] of this.rules) if (rule.domain === domain.ref) this.rules.delete(name);
  }

  /** What is visible now; numbers of keys stay theirs for as long as the world lives. */
  visible(): Visible {
    const keys = new Map<number, KeyRecord>();
    const mentions = new Map<number, MentionRecord>();
    for (const [passage, texts] of this.texts) {
      const { domain } = this.nodes.get(passage)!;
      const own = new Map<number, number>();
      for (const [key, times] of texts) {
        const record = this.keyOf(domain, key);
        keys.set(record.ref, record);
        own.set(record.ref, times);
      }
      if (own.size > 0) mentions.set(passage, { ref: passage, keys: own });
    }
    const nodes = new Map([...this.nodes].map(([ref, { about: _, ...record }]) => [ref, record as NodeRecord]));
    const copies = { domains: new Map(this.domains), edges: new Map(this.edges), rules: new Map(this.rules) };
    return { ...copies, nodes, keys, mentions };
  }

  private keyOf(domain: number, key: string): KeyRecord {
    const name = `${domain} ${key}`;
    if (!this.keyRefs.has(name)) this.keyRefs.set(name, this.ref());
    const inDomain = [...this.nodes.values()].filter((node) => node.domain === domain);
    const about = new Map<number, number>();
    for (const node of inDomain) {
      const alias = node.about.get(key);
      if (alias !== undefined) about.set(node.ref, alias);
    }
    const stands = inDomain.find(({ kind }) => kind !== 'passage')?.ref ?? inDomain[0]!.ref;
    return { ref: this.keyRefs.get(name)!, domain, key, node: stands, about };
  }
}
