import {
  type EdgeMark,
  type EdgeName,
  edgeName,
  type LedgerChange,
  type NodeMark,
  type RuleName,
  ruleName,
} from '../change.js';

/** Collects what one write transaction changes; what is set later about a thing replaces what was set before. */
export class ChangeBuilder implements Omit<LedgerChange, 'from' | 'version'> {
  everything = false;
  readonly removedDomains = new Map<number, string>();
  readonly nodes = new Map<number, NodeMark | null>();
  readonly removedNodes = new Map<number, string>();
  readonly records = new Set<number>();
  readonly keyNodes = new Map<number, number | null>();
  readonly mentions = new Map<number, ReadonlyMap<number, number>>();
  readonly about = new Map<number, Map<number, number | null>>();
  readonly edges = new Map<number, EdgeMark>();
  private readonly edgeNames = new Map<string, EdgeName>();
  private readonly ruleNames = new Map<string, RuleName>();

  get edgeRecords(): readonly EdgeName[] {
    return [...this.edgeNames.values()];
  }

  get rules(): readonly RuleName[] {
    return [...this.ruleNames.values()];
  }

  /** Notes a node that exists from now on, with its kind. */
  setNode(ref: number, mark: NodeMark): void {
    this.nodes.set(ref, mark);
    this.records.add(ref);
    this.removedNodes.delete(ref);
  }

  removeNode(ref: number, id: string): void {
    this.nodes.set(ref, null);
    this.removedNodes.set(ref, id);
    this.records.delete(ref);
    this.mentions.delete(ref);
  }

  setAbout(key: number, node: number, alias: number | null): void {
    const at = this.about.get(key);
    if (at === undefined) this.about.set(key, new Map([[node, alias]]));
    else at.set(node, alias);
  }

  /** Notes an edge whose record may differ though its visible assertion stayed. */
  touchEdge({ src, dst, relation }: EdgeName): void {
    const edge = { src, dst, relation };
    this.edgeNames.set(edgeName(edge), edge);
  }

  touchRule(domain: number, id: string): void {
    const rule = { domain, id };
    this.ruleNames.set(ruleName(rule), rule);
  }

  /** Counts the things that it names. */
  get size(): number {
    return entriesOf(this);
  }
}

/** Counts the things that a change names: the measure of how much is applied at once. */
export function entriesOf(change: Omit<LedgerChange, 'from' | 'version'>): number {
  let entries = change.nodes.size + change.records.size + change.keyNodes.size + change.edges.size;
  entries += change.edgeRecords.length + change.rules.length;
  for (const keys of change.mentions.values()) entries += 1 + keys.size;
  for (const nodes of change.about.values()) entries += nodes.size;
  return entries;
}

/** Joins changes that follow each other into one that has their common effect. */
export function joinChanges(changes: readonly LedgerChange[]): LedgerChange {
  const first = changes[0]!;
  if (changes.length === 1) return first;
  const joined = new ChangeBuilder();
  for (const change of changes) {
    joined.everything ||= change.everything;
    for (const [ref, name] of change.removedDomains) joined.removedDomains.set(ref, name);
    for (const [ref, mark] of change.nodes) {
      if (mark === null) joined.removeNode(ref, change.removedNodes.get(ref) ?? '');
      else joined.setNode(ref, mark);
    }
    for (const ref of change.records) joined.records.add(ref);
    for (const [key, node] of change.keyNodes) joined.keyNodes.set(key, node);
    for (const [passage, keys] of change.mentions) joined.mentions.set(passage, keys);
    for (const [key, nodes] of change.about) for (const [node, alias] of nodes) joined.setAbout(key, node, alias);
    for (const [ref, mark] of change.edges) joined.edges.set(ref, mark);
    for (const edge of change.edgeRecords) joined.touchEdge(edge);
    for (const rule of change.rules) joined.touchRule(rule.domain, rule.id);
  }
  return Object.assign(joined, { from: first.from, version: changes.at(-1)!.version });
}

/** Entries up to which changes that follow each other are joined. */
const ENTRIES = 5000;

/** Returns the first of these changes that may go in one step. */
export function together(changes: readonly LedgerChange[]): LedgerChange[] {
  const taken: LedgerChange[] = [];
  let entries = 0;
  for (const change of changes) {
    entries += entriesOf(change);
    if (taken.length > 0 && entries > ENTRIES) break;
    taken.push(change);
  }
  return taken;
}
