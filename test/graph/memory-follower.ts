import type { EdgeMark, NodeMark } from '../../src/ledger/change.js';
import { countDifferences, toWrite } from '../../src/ledger/count-differences.js';
import type {
  ApplyStep,
  EngineCursor,
  Follower,
  RangeDifference,
  SyncOutcome,
  SyncRange,
  SyncStep,
} from '../../src/ledger/follower.js';
import { wantedIn } from '../../src/ledger/followers/range-records.js';
import type { RecordKind, RecordOf } from '../../src/ledger/records.js';

/** The shape of the graph in maps, by the ledger's numbers. */
export class MemoryFollower implements Follower {
  readonly name = 'memory';
  readonly onQueryPath = true;
  readonly kinds = ['node', 'key', 'mention', 'edge'] as const satisfies readonly RecordKind[];
  readonly nodes = new Map<number, NodeMark>();
  /** Key → node that stands for it. */
  readonly keyNodes = new Map<number, number>();
  /** Key → node → 1 where it is about the key by an alias only. */
  readonly about = new Map<number, Map<number, number>>();
  /** Passage → key → how often. */
  readonly mentions = new Map<number, ReadonlyMap<number, number>>();
  /** By assertion number. */
  readonly edges = new Map<number, EdgeMark>();
  private readonly fingerprints: Record<RecordKind, Map<number, string>> = {
    domain: new Map(),
    node: new Map(),
    key: new Map(),
    mention: new Map(),
    edge: new Map(),
    rule: new Map(),
  };
  private at: EngineCursor | null = null;

  async cursor(): Promise<EngineCursor | null> {
    return this.at;
  }

  async move({ from, to }: { readonly from: EngineCursor | null; readonly to: EngineCursor }): Promise<boolean> {
    if (!same(this.at, from)) return false;
    this.at = to;
    return true;
  }

  async apply({ from, to, change, records }: ApplyStep): Promise<boolean> {
    // A change of the text alone brings a node whole where it was refused before, as engines outside the store have it.
    const absent = [...change.records].filter((ref) => !this.nodes.has(ref) && !change.nodes.has(ref));
    const brought = absent.length === 0 ? [] : await records.nodes(absent);
    if (!same(this.at, from)) return false;
    for (const record of brought) this.write('node', record);
    for (const [ref, { domain }] of this.nodes) if (change.removedDomains.has(domain)) this.removeNode(ref);
    for (const [ref, mark] of change.nodes) {
      if (mark !== null) this.nodes.set(ref, mark);
      this.fingerprints.node.delete(ref);
    }
    for (const [key, node] of change.keyNodes) {
      if (node === null) this.removeKey(key);
      else this.keyNodes.set(key, node);
      this.fingerprints.key.delete(key);
    }
    for (const [passage, keys] of change.mentions) {
      this.mentions.set(passage, keys);
      this.fingerprints.mention.delete(passage);
    }
    for (const [key, nodes] of change.about) this.setAbout(key, nodes);
    for (const [ref, mark] of change.edges) {
      if (mark.confidence === null) this.edges.delete(ref);
      else this.edges.set(ref, mark);
      this.fingerprints.edge.delete(ref);
    }
    // Last: a key may have moved to another node in the same change, and keeps what is about it.
    for (const [ref, mark] of change.nodes) if (mark === null) this.removeNode(ref);
    this.at = to;
    return true;
  }

  async sync({ from, to, range }: SyncStep): Promise<SyncOutcome | null> {
    if (!same(this.at, from)) return null;
    const { kind, after, upTo } = range;
    const known = this.fingerprints[kind];
    const listed = new Set(range.records.map((record) => record.ref));
    let removed = 0;
    for (const ref of [...this.numbers(kind)]) {
      if (ref <= after || ref > upTo || listed.has(ref)) continue;
      this.remove(kind, ref);
      removed += 1;
    }
    const prints = new Map([...this.numbers(kind)].map((ref) => [ref, known.get(ref)]));
    const { records, written, rewritten } = toWrite(range.records, prints, ({ ref }) => ref);
    for (const { ref, fingerprint, record } of records) {
      this.write(kind, record);
      known.set(ref, fingerprint);
    }
    this.at = to;
    return { written, rewritten, removed };
  }

  async compare(range: SyncRange): Promise<RangeDifference> {
    const { kind, after, upTo, records } = range;
    const present = new Set([...this.numbers(kind)].filter((ref) => ref > after && ref <= upTo));
    const prints = new Map([...present].map((ref) => [ref, this.fingerprints[kind].get(ref)]));
    const listed = new Set(records.map(({ ref }) => ref));
    const stale = [...present].filter((ref) => !listed.has(ref)).length;
    return { ...countDifferences(wantedIn(range), prints, ({ ref }) => ref), stale };
  }

  private numbers(kind: RecordKind): Iterable<number> {
    if (kind === 'node') return this.nodes.keys();
    if (kind === 'key') return this.keyNodes.keys();
    return kind === 'mention' ? this.mentions.keys() : this.edges.keys();
  }

  private remove(kind: RecordKind, ref: number): void {
    if (kind === 'node') this.removeNode(ref);
    else if (kind === 'key') this.removeKey(ref);
    else if (kind === 'mention') this.mentions.delete(ref);
    else this.edges.delete(ref);
    this.fingerprints[kind].delete(ref);
  }

  private write(kind: RecordKind, record: RecordOf[RecordKind]): void {
    if (kind === 'node') {
      const { ref, domain, kind: nodeKind, hash } = record as RecordOf['node'];
      this.nodes.set(ref, { domain, kind: NODE_KINDS.indexOf(nodeKind), hash });
    } else if (kind === 'key') {
      const { ref, node, about } = record as RecordOf['key'];
      this.keyNodes.set(ref, node);
      this.about.set(ref, new Map(about));
    } else if (kind === 'mention') {
      const { ref, keys } = record as RecordOf['mention'];
      this.mentions.set(ref, keys);
    } else {
      const { ref, src, dst, relation, confidence } = record as RecordOf['edge'];
      this.edges.set(ref, { src, dst, relation, confidence });
    }
  }

  private setAbout(key: number, nodes: ReadonlyMap<number, number | null>): void {
    if (!this.keyNodes.has(key)) return;
    const at = this.about.get(key) ?? new Map<number, number>();
    this.about.set(key, at);
    for (const [node, alias] of nodes) {
      if (alias === null) at.delete(node);
      else at.set(node, alias);
    }
    this.fingerprints.key.delete(key);
  }

  private removeNode(ref: number): void {
    this.nodes.delete(ref);
    this.mentions.delete(ref);
    for (const nodes of this.about.values()) nodes.delete(ref);
    for (const [edge, { src, dst }] of this.edges) if (src === ref || dst === ref) this.edges.delete(edge);
    for (const [key, node] of this.keyNodes) if (node === ref) this.removeKey(key);
  }

  private removeKey(key: number): void {
    this.keyNodes.delete(key);
    this.about.delete(key);
  }
}

const NODE_KINDS = ['concept', 'passage', 'entity'] as const;

function same(a: EngineCursor | null, b: EngineCursor | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
