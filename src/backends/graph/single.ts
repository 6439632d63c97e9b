import { wrongMember } from '../../core/errors.js';
import { conceptId, contentHash, qualifiedId, ruleId } from '../../core/ids.js';
import type { EdgeAssertion, GraphNode, GraphRule, Manifest, SourceRef } from '../../core/model.js';
import type { EdgeInput, GraphBackend } from './port.js';

type Single = Partial<Pick<Manifest, 'concepts' | 'edges' | 'rules'>>;
type Writer = Pick<GraphBackend, 'ingestManifest' | 'getNode' | 'getRules'>;

/** Returns what one `addNode`, `addEdge` or `addRule` asserts, under a `client` source of its own. */
function singleManifest(domain: string, single: Single): Manifest {
  const content_hash = contentHash(JSON.stringify(single));
  const source: SourceRef = { domain, kind: 'client', key: content_hash, label: 'client' };
  return { domain, source, content_hash, concepts: [], edges: [], rules: [], passages: [], warnings: [], ...single };
}

export async function addNode(graph: Writer, node: Parameters<GraphBackend['addNode']>[0]): Promise<GraphNode> {
  const { domain, ...concept } = node;
  await graph.ingestManifest(singleManifest(domain, { concepts: [concept] }));
  return (await graph.getNode(node.id === undefined ? conceptId(domain, node.name) : qualifiedId(domain, node.id)))!;
}

export async function addEdge(graph: Writer, edge: EdgeInput): Promise<void> {
  const { domain, ...assertion } = edgeAssertion(edge);
  await graph.ingestManifest(singleManifest(domain, { edges: [assertion] }));
}

/** Names of an edge's members as the specification's EdgeItem has them, with ours. */
const OURS = { source_id: 'source', target_id: 'target', relation_type: 'relation' } as const;
const MEMBERS: readonly string[] = ['id', 'domain', 'confidence', 'properties', ...Object.entries(OURS).flat()];

/** Returns an edge under our names; the ids of its endpoints name the domain where `domain` is left out. */
function edgeAssertion(edge: EdgeInput): EdgeAssertion & { readonly domain: string } {
  const given = Object.entries(edge).filter(([, value]) => value !== undefined && value !== null);
  const members: Record<string, unknown> = {};
  for (const [name, value] of given) {
    if (!MEMBERS.includes(name)) wrongMember(name, `is not a member of an edge; it has ${MEMBERS.join(', ')}`);
    const ours = Object.hasOwn(OURS, name) ? OURS[name as keyof typeof OURS] : name;
    if (ours in members) wrongMember(name, 'is given under both of its names; leave one of them out');
    members[ours] = value;
  }
  const { id: _, ...assertion } = members;
  const { source_id, target_id } = edge as { readonly source_id?: unknown; readonly target_id?: unknown };
  assertion.domain ??= domainOf(source_id ?? target_id);
  if (assertion.domain === undefined) wrongMember('domain', 'is missing; give it, or source_id as <domain>:<id>');
  for (const [name, endpoint] of Object.entries({ source_id, target_id })) {
    const domain = domainOf(endpoint);
    if (domain !== undefined && domain !== assertion.domain)
      wrongMember(name, `is of another domain than the edge, which is of ${String(assertion.domain)}`);
  }
  return assertion as unknown as EdgeAssertion & { readonly domain: string };
}

/** Returns the domain that a node id names; names of domains have no colon. */
function domainOf(id: unknown): string | undefined {
  return typeof id === 'string' && id.includes(':') ? id.slice(0, id.indexOf(':')) : undefined;
}

export async function addRule(graph: Writer, rule: Parameters<GraphBackend['addRule']>[0]): Promise<GraphRule> {
  const { domain, ...assertion } = rule;
  await graph.ingestManifest(singleManifest(domain, { rules: [assertion] }));
  const [found] = await graph.getRules({ domains: [domain], ids: [ruleId(domain, rule)], include_derived: false });
  return found!;
}
