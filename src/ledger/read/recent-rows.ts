import type { Db } from '../../backends/store/schema.js';
import type { GraphNode } from '../../core/model.js';
import { Versioned } from '../../core/versioned.js';
import type { CurrentVersion } from './current-version.js';
import {
  type DomainRow,
  domainRows,
  keyNames,
  type NodeName,
  namesOf,
  nodesOf,
  withoutLearnedEdges,
} from './read-nodes.js';

const NODES = 20_000;
/** Longer texts are not kept: with the words and vectors read of them, the kept ones take a hundred megabytes, at the very most 400. */
const LONGEST = 4000;
const NAMES = 50_000;
/** A key is a short name, and a question meets some hundreds of them. */
const KEYS = 50_000;

/** Nodes, keys and domains read since the graph's last version: a question reads the same ones several times. */
export class RecentRows {
  private readonly known = new Versioned<string, GraphNode>(NODES);
  private readonly named = new Versioned<string, NodeName>(NAMES);
  private readonly keyed = new Versioned<number, string>(KEYS);
  private readonly all = new Versioned<'domains', readonly DomainRow[]>(1);

  constructor(
    private readonly db: Db,
    private readonly version: CurrentVersion,
  ) {}

  /** Returns the nodes in the order of `ids`, no older than the last commit before the call; without absent ones. */
  async nodes(ids: readonly string[]): Promise<GraphNode[]> {
    if (ids.length === 0) return [];
    const version = await this.version.read();
    const found = new Map<string, GraphNode>();
    for (const id of ids) {
      const node = this.known.get(version, id);
      if (node !== undefined) found.set(id, node);
    }
    const unread = ids.filter((id) => !found.has(id));
    for (const node of await nodesOf(this.db, unread)) {
      if (node.description.length <= LONGEST) this.known.set(version, node.id, node);
      found.set(node.id, node);
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** Returns name and domain by id; absent nodes are missing. */
  async names(ids: Iterable<string>): Promise<Map<string, NodeName>> {
    const version = await this.version.read();
    const found = new Map<string, NodeName>();
    const unknown: string[] = [];
    for (const id of new Set(ids)) {
      const node = this.named.get(version, id) ?? this.known.get(version, id);
      if (node === undefined) unknown.push(id);
      else found.set(id, node);
    }
    for (const row of await namesOf(this.db, unknown)) {
      this.named.set(version, row.id, row);
      found.set(row.id, row);
    }
    return found;
  }

  /** Returns keys by number; absent ones are missing. */
  async keys(refs: Iterable<number>): Promise<Map<number, string>> {
    const version = await this.version.read();
    const found = new Map<number, string>();
    const unknown: number[] = [];
    for (const ref of refs) {
      const key = this.keyed.get(version, ref);
      if (key === undefined) unknown.push(ref);
      else found.set(ref, key);
    }
    for (const [ref, key] of await keyNames(this.db, unknown)) {
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
      rows = await withoutLearnedEdges(this.db, await domainRows(this.db));
      this.all.set(version, 'domains', rows);
    }
    if (names === undefined || names.length === 0) return rows;
    const wanted = new Set(names);
    return rows.filter((row) => wanted.has(row.name));
  }
}
