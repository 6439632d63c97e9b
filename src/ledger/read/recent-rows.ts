import type { Store } from '../../backends/store/scope.js';
import type { GraphNode } from '../../core/model.js';
import { Versioned } from '../../core/versioned.js';
import type { LedgerChange } from '../change.js';
import { ChangeFeed } from '../change-feed.js';
import type { CurrentVersion } from './current-version.js';
import {
  type DomainRow,
  domainRows,
  keyNames,
  type NodeName,
  numberedNames,
  numberedNodes,
  withoutLearnedEdges,
} from './read-nodes.js';

const NODES = 20_000;
/** Descriptions that are longer with their properties are not kept: with the words and vectors read of them, the kept ones take a hundred megabytes, at the very most 400. */
const LONGEST = 4000;
const NAMES = 50_000;
/** Numbers of nodes; more than nodes and names. */
const NUMBERS = 100_000;
/** A key is a short name, and a question meets some hundreds of them. */
const KEYS = 50_000;
/** Records of one change that are looked for among the remembered nodes, at most: forgetting all is faster than finding fifty thousand. */
const FOLLOWED = 10_000;

/** Nodes, keys and domains read lately, as of the graph's last version: a question reads the same ones several times, and the next ones some of them. */
export class RecentRows {
  /** What was committed, for whoever remembers something of the graph. */
  readonly feed: ChangeFeed;
  private readonly known = new Versioned<string, GraphNode>(NODES);
  private readonly named = new Versioned<string, NodeName>(NAMES);
  private readonly keyed = new Versioned<number, string>(KEYS);
  private readonly all = new Versioned<'domains', readonly DomainRow[]>(1);
  /** Numbers of the nodes that are remembered, and of some that no longer are. */
  private readonly ids = new Map<number, string>();

  constructor(
    private readonly store: Store,
    private readonly version: CurrentVersion,
  ) {
    this.feed = new ChangeFeed(store);
    this.feed.listen((change, to) => this.note(change, to));
  }

  /** Brings what is remembered up to date with the last commit before the call; returns the version. */
  async upToDate(): Promise<number> {
    const version = await this.version.read();
    await this.feed.reach(version);
    return version;
  }

  /** Returns the nodes in the order of `ids`, no older than the last commit before the call; without absent ones. */
  async nodes(ids: readonly string[]): Promise<GraphNode[]> {
    if (ids.length === 0) return [];
    const version = await this.upToDate();
    const found = new Map<string, GraphNode>();
    for (const id of ids) {
      const node = this.known.get(version, id);
      if (node !== undefined) found.set(id, node);
    }
    const unread = ids.filter((id) => !found.has(id));
    for (const { ref, node, length } of await numberedNodes(this.store.db, unread)) {
      if (length <= LONGEST) this.remember(this.known, { version, ref, node });
      found.set(node.id, node);
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** Returns name and domain by id; absent nodes are missing. */
  async names(ids: Iterable<string>): Promise<Map<string, NodeName>> {
    const version = await this.upToDate();
    const found = new Map<string, NodeName>();
    const unknown: string[] = [];
    for (const id of new Set(ids)) {
      const node = this.named.get(version, id) ?? this.known.get(version, id);
      if (node === undefined) unknown.push(id);
      else found.set(id, node);
    }
    for (const { ref, ...node } of await numberedNames(this.store.db, unknown)) {
      this.remember(this.named, { version, ref, node });
      found.set(node.id, node);
    }
    return found;
  }

  /** Returns keys by number; absent ones are missing. */
  async keys(refs: Iterable<number>): Promise<Map<number, string>> {
    const version = await this.upToDate();
    const found = new Map<number, string>();
    const unknown: number[] = [];
    for (const ref of refs) {
      const key = this.keyed.get(version, ref);
      if (key === undefined) unknown.push(ref);
      else found.set(ref, key);
    }
    for (const [ref, key] of await keyNames(this.store.db, unknown)) {
      this.keyed.set(version, ref, key);
      found.set(ref, key);
    }
    return found;
  }

  /** Returns the domains by name (all without names, or with none), in order. */
  async domains(names?: readonly string[]): Promise<readonly DomainRow[]> {
    const version = await this.version.read();
    let rows = this.all.get(version, 'domains');
    if (rows === undefined) {
      rows = await withoutLearnedEdges(this.store.db, await domainRows(this.store.db));
      this.all.set(version, 'domains', rows);
    }
    if (names === undefined || names.length === 0) return rows;
    const wanted = new Set(names);
    return rows.filter((row) => wanted.has(row.name));
  }

  private remember<T extends { readonly id: string }>(
    known: Versioned<string, T>,
    { version, ref, node }: { readonly version: number; readonly ref: number; readonly node: T },
  ): void {
    if (this.ids.size >= NUMBERS) this.forget();
    this.ids.set(ref, node.id);
    known.set(version, node.id, node);
  }

  private forget(): void {
    this.ids.clear();
    this.known.clear();
    this.named.clear();
  }

  /** Forgets what a change may have made another. */
  private note(change: LedgerChange | null, version: number): void {
    const known = change === null || change.removedDomains.size > 0 ? null : change;
    const keys = known === null || known.keyNodes.size > FOLLOWED ? null : known.keyNodes.keys();
    const nodes = known === null ? null : this.touchedBy(known);
    if (nodes === null) this.forget();
    const changed = <K>(some: Iterable<K> | null) =>
      known === null || some === null ? undefined : { since: known.from, keys: some };
    this.keyed.follow(version, changed(keys));
    for (const values of [this.known, this.named]) values.follow(version, changed(nodes));
  }

  /** Returns the ids of the remembered nodes that a change names, and some others; null where it names too many. */
  private touchedBy({ records, removedNodes }: LedgerChange): string[] | null {
    if (records.size + removedNodes.size > FOLLOWED) return null;
    const nodes = [...removedNodes.values()];
    for (const ref of records) {
      const id = this.ids.get(ref);
      if (id !== undefined) nodes.push(id);
    }
    return nodes;
  }
}
