import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../core/canonical-json.js';
import type { DomainInfo } from '../../../core/model.js';
import type { GraphBackend } from '../port.js';

/** What two graphs must have in common to be the same, read a page at a time. */
export interface Digest {
  readonly domains: readonly DomainInfo[];
  readonly sources: number;
  readonly nodes: number;
  /** Over every source with its counts, every node as it is seen, and, up to `EDGES` a domain, every edge and rule. */
  readonly checksum: string;
}

const PAGE = 1000;
/** Edges and rules of a larger domain are compared by their counts, for each source. */
const EDGES = 200_000;

export async function digestOf(graph: GraphBackend): Promise<Digest> {
  const hash = createHash('sha256');
  const add = (value: unknown): void => void hash.update(canonicalJson(value)).update('\n');
  const domains = await graph.listDomains();
  let sources = 0;
  for (let after: string | undefined; ; ) {
    const page = await graph.listSources({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    for (const { updated_at: _, ...source } of page) add(source);
    sources += page.length;
    if (page.length < PAGE) break;
    after = page.at(-1)!.source_id;
  }
  let nodes = 0;
  for (let after: string | undefined; ; ) {
    const page = await graph.findNodes({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    for (const node of page) add(node);
    const passages = page.filter((node) => node.kind === 'passage').map((node) => node.id);
    for (const { id, mentions } of await graph.passageRecords(passages)) add([id, mentions]);
    nodes += page.length;
    if (page.length < PAGE) break;
    after = page.at(-1)!.id;
  }
  for (const { name, edge_count, rule_count } of domains) {
    if (edge_count > EDGES || rule_count > EDGES) continue;
    const edges = await graph.getEdges({ domain: name });
    for (const edge of [...edges].sort((a, b) => (a.id < b.id ? -1 : 1))) add(edge);
    for (const rule of await graph.getRules({ domains: [name], include_derived: false })) add(rule);
  }
  return { domains, sources, nodes, checksum: hash.digest('hex').slice(0, 20) };
}

/** The first thing that differs, as a sentence; null where all is equal. */
export function differenceOf(source: Digest, destination: Digest): string | null {
  const there = new Map(destination.domains.map((domain) => [domain.name, domain]));
  for (const domain of source.domains) {
    const other = there.get(domain.name);
    if (canonicalJson(domain) !== canonicalJson(other ?? null)) {
      return `domain ${domain.name} is ${canonicalJson(domain)} there, ${other === undefined ? 'missing' : canonicalJson(other)} here`;
    }
  }
  for (const count of ['sources', 'nodes'] as const) {
    if (source[count] !== destination[count]) return `${source[count]} ${count} there, ${destination[count]} here`;
  }
  if (source.domains.length !== destination.domains.length) return 'there are more domains here';
  return source.checksum === destination.checksum ? null : 'all counts are equal, but not what nodes and sources say';
}
