import { conceptId, contentHash, qualifiedId, ruleId } from '../../core/ids.js';
import type { GraphNode, GraphRule, Manifest, SourceRef } from '../../core/model.js';
import type { GraphBackend } from './port.js';

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

export async function addEdge(graph: Writer, edge: Parameters<GraphBackend['addEdge']>[0]): Promise<void> {
  const { domain, ...assertion } = edge;
  await graph.ingestManifest(singleManifest(domain, { edges: [assertion] }));
}

export async function addRule(graph: Writer, rule: Parameters<GraphBackend['addRule']>[0]): Promise<GraphRule> {
  const { domain, ...assertion } = rule;
  await graph.ingestManifest(singleManifest(domain, { rules: [assertion] }));
  const [found] = await graph.getRules({ domains: [domain], ids: [ruleId(domain, rule)], include_derived: false });
  return found!;
}
